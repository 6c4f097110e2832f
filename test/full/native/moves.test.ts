/** A stack with every class moves to the native provider and back: requests, previews, secrets, and the size of the state. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarations } from "../../../src/resources/registry";
import { expectEncrypted, secretsOf, upWithoutChange } from "../../engine/native/support";
import { ownResources } from "../../engine/support";
import { account } from "../../rounds/scenario";
import { seed } from "../../rounds/table";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Stack } from "../../support/engine";
import { root } from "../package/support";
import { newStack, programSecrets, returnToDynamic, use } from "./every-class";

const page = join(root, "docs/development/native-bundle.md");

/** The sizes of the state, in bytes. */
const sizes = { dynamic: 0, moved: 0, refreshed: 0, fresh: 0 };

const emulator = EmulatorProcess.forTests();
let stack: Stack;
let before: string;
let secrets: readonly string[];

/** Expects that the requests since the last call only read. */
async function expectReads(): Promise<void> {
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  await emulator.clearRequests();
}

function types(): string[] {
  return [...new Set(ownResources(stack).map(({ type }) => type))].sort();
}

const tokensOf = (prefix: string): string[] =>
  [...declarations.map(({ type }) => prefix + type), "tunnel-gateway:index:IpAccessList"].sort();

beforeAll(async () => {
  await emulator.seed(seed);
  stack = await newStack(emulator);
  before = await account({ emulator });
  use(stack, "");
  await stack.up();
  sizes.dynamic = stack.stateText().length;
  secrets = [...new Set([...(await secretsOf(stack)), ...programSecrets, emulator.apiKey])];
  await emulator.clearRequests();
}, 120_000);

it("has every class, and encrypts every secret", async () => {
  expect(types()).toEqual(tokensOf("pulumi-nodejs:dynamic/tunnel-gateway:"));
  // Seven of the program, a private key, a certificate request, two tokens, and the key of the provider.
  expect(secrets.length).toBeGreaterThanOrEqual(12);
  await expectEncrypted(stack, secrets);
});

it("moves to the native provider with empty previews and no request", async () => {
  use(stack, "/native");
  await upWithoutChange(stack);
  expect(await emulator.requestLines()).toEqual([]);
  expect(types()).toEqual(tokensOf("tunnel-gateway:index:"));
  sizes.moved = stack.stateText().length;
});

it("is smaller after a refresh, which finds no change", async () => {
  await stack.refresh({ args: ["--expect-no-changes"] });
  await stack.previewNoChanges();
  await expectReads();
  expect(stack.stateText()).not.toContain("__provider");
  sizes.refreshed = stack.stateText().length;
});

it("moves back after that by updates without a line and without a request", async () => {
  returnToDynamic(stack);
  const { changes } = await stack.previewJson();
  const custom = ownResources(stack).filter(({ custom }) => custom === true);
  expect(changes.map(({ op, diffReasons }) => [op, diffReasons])).toEqual(custom.map(() => ["update", []]));
  await stack.up();
  expect(await emulator.requestLines()).toEqual([]);
  await stack.previewNoChanges();
  use(stack, "");
  await stack.previewNoChanges();
  await stack.refresh({ args: ["--expect-no-changes"] });
  await expectReads();
});

it("shows no secret in any state, backup, history or export, and is taken down", async () => {
  await expectEncrypted(stack, secrets);
  await stack.destroy();
  expect(await account({ emulator })).toBe(before);
});

it("has the size that the page says, after the move, after a refresh, and deployed anew", async () => {
  const other = await EmulatorProcess.start();
  try {
    await other.seed(seed);
    const fresh = await newStack(other);
    use(fresh, "/native");
    await fresh.up();
    sizes.fresh = fresh.stateText().length;
  } finally {
    await other.stop();
  }
  const part = (size: number): number => Math.round((100 * size) / sizes.dynamic);
  const measured = [part(sizes.moved), part(sizes.refreshed), part(sizes.fresh)];
  if (process.env.TUNNEL_GATEWAY_WRITE_DOCS) writeFileSync(page, documented(readFileSync(page, "utf8")));
  const [, ...stated] = /^\| all classes .*\| *(\d+) % *\| *(\d+) % *\| *(\d+) % *\|$/m.exec(
    readFileSync(page, "utf8"),
  )!;
  // The keys and certificates of each run differ a little in length.
  for (const [i, percent] of measured.entries()) {
    expect(Math.abs(percent - Number(stated[i]))).toBeLessThanOrEqual(1);
  }

  function documented(text: string): string {
    const cells = [sizes.dynamic.toLocaleString("en-US"), ...measured.map((percent) => `${percent} %`)];
    return text.replace(/^\| all classes .*$/m, (line) => {
      const [, name] = line.split("|");
      return `| ${[name!.trim(), ...cells].join(" | ")} |`;
    });
  }
});
