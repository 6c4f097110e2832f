import { generateKeyPairSync } from "node:crypto";
import { check, example } from "../../../../src/schema/formats/sealing-key";

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const hex = (text: string): string => encoded(Buffer.from(text, "hex"));
const must = "must be an X25519 public key of 32 bytes in base64, as GitHub gives it for secrets";

it("takes the keys that GitHub's documentation and libraries show", () => {
  // The key of the example in GitHub's documentation of its secrets API.
  expect(check("2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU=")).toBeUndefined();
  for (let i = 0; i < 20; i += 1) {
    const { x } = generateKeyPairSync("x25519").publicKey.export({ format: "jwk" });
    expect(check(encoded(Buffer.from(x!, "base64url")))).toBeUndefined();
  }
  expect(check(example("mocked"))).toBeUndefined();
});

it.each([
  ["", "it has 0 bytes"],
  ["012345678912345678", "the value of 18 characters is not base64 text"],
  ["2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r-dB7TJyvvcCU=", "the value of 44 characters is not base64 text"],
  ["2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU", "the value of 43 characters is not base64 text"],
  ["2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCV=", "the value of 44 characters is not base64 text"],
  [" 2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU=", "the value of 45 characters is not base64 text"],
  [
    "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
    "the value of 62 characters is not base64 text",
  ],
  [encoded(Buffer.alloc(31, 9)), "it has 31 bytes"],
  [encoded(Buffer.alloc(64, 9)), "it has 64 bytes"],
])("refuses %j and says why, without a part of it", (value, problem) => {
  expect(check(value)).toBe(`${must}; ${problem}`);
});

it.each([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  `01${"00".repeat(30)}80`,
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
])("refuses the point of small order %s", (point) => {
  expect(check(hex(point))).toBe(
    `${must}; it is a point of small order, so anybody could open what is sealed to it`,
  );
});
