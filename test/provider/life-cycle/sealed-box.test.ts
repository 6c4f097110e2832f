import * as fc from "../../support/fast-check";
import { sealedBoxFor } from "../../../src/provider/life-cycle/seal";
import { recipient } from "../../support/sealed-box";

const sealerFor = async ({ publicKey }: { publicKey: string }) =>
  await sealedBoxFor(Buffer.from(publicKey, "base64"));

it("seals any text so that libsodium opens it with the private key", async () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const [github, other] = [recipient(), recipient()];
      const sealed = (await sealerFor(github))(text);
      expect(Buffer.from(sealed, "base64").length).toBe(Buffer.byteLength(text) + 48);
      expect(await github.open(sealed)).toBe(text);
      await expect(other.open(sealed)).rejects.toThrow("incorrect key pair for the given ciphertext");
    }),
  );
});

it("uses another sender for each text, so equal texts show nothing", async () => {
  const seal = await sealerFor(recipient());
  const boxes = Array.from({ length: 50 }, () => Buffer.from(seal("token"), "base64"));
  const senders = new Set(boxes.map((box) => box.subarray(0, 32).toString("hex")));
  const rests = new Set(boxes.map((box) => box.subarray(32).toString("hex")));
  expect([senders.size, rests.size]).toEqual([50, 50]);
});

it("opens no box of which a bit was changed", async () => {
  const github = recipient();
  const box = Buffer.from((await sealerFor(github))("token"), "base64");
  for (let at = 0; at < box.length; at += 1) {
    const changed = Buffer.from(box);
    changed[at]! ^= 1;
    await expect(github.open(changed.toString("base64"))).rejects.toThrow();
  }
});

it.each(["00".repeat(32), `01${"00".repeat(31)}`])(
  "refuses the point of small order %s before there is anything to seal",
  async (point) => {
    await expect(sealedBoxFor(Buffer.from(point, "hex"))).rejects.toThrow("derivation");
  },
);
