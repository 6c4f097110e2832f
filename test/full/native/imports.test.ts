/** `pulumi import` of every class by id, with the program that Pulumi's own generator writes, and the resource option `import`. */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { declarations } from "../../../src/resources/registry";
import { expectEncrypted } from "../../engine/native/support";
import { idOf, resources } from "../../engine/support";
import { seed } from "../../rounds/table";
import type { WorldResource } from "../../rounds/world";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { baseEnv } from "../../support/pulumi-command";
import { newFolder, root } from "../package/support";
import { importable, newStack, programSecrets, use } from "./every-class";

const emulator = EmulatorProcess.forTests();
let made: Stack;
/** The stack that imports every class from a file, and the program that Pulumi writes. */
let whole: Stack;
let program: string;
/** An environment in which Pulumi writes programs in TypeScript. */
let env: Record<string, string>;

beforeAll(async () => {
  env = { PATH: [writerOfPrograms(), baseEnv().PATH].join(delimiter) };
  await emulator.seed(seed);
  made = await newStack(emulator);
  use(made, "", importable);
  await made.up();
  await emulator.clearRequests();
  whole = await emptyStack();
  const file = join(whole.program.dir, "import.json");
  const entries = importable.map(({ type, name }) => ({ type: token(type), name, id: idOf(made, name) }));
  writeFileSync(file, JSON.stringify({ resources: entries }));
  program = await imported(whole, ["--file", file]);
}, 600_000);
afterEach(async () => {
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
});

/** A folder with a language host that writes programs, because the host of the tests is older than that. */
function writerOfPrograms(): string {
  const script = [join(root, "scripts/languages.mjs"), "codegen"];
  const { codegen } = JSON.parse(execFileSync(process.execPath, script, { encoding: "utf8" })) as {
    codegen: string;
  };
  const folder = newFolder("writer");
  const file = join(folder, "pulumi-language-nodejs");
  writeFileSync(file, `#!/bin/sh\nexec "${codegen}" host nodejs\n`);
  chmodSync(file, 0o755);
  return folder;
}

/** A stack without resources, of a program in TypeScript. */
const emptyStack = (): Promise<Stack> =>
  new Program({ kind: "ts", door: "native", files: "" }).stack({
    config: emulator.config,
  });

/** Imports, and gives the program that Pulumi writes. */
async function imported(stack: Stack, what: readonly string[]): Promise<string> {
  const out = join(stack.program.dir, "written.ts");
  const flags = ["--yes", "--skip-preview", "--protect=false", "--out", out];
  await stack.pulumi(["import", ...what, "--stack", stack.name, ...flags], { env });
  return readFileSync(out, "utf8").replace('"pulumi-tunnel-gateway-sdk"', '"pulumi-tunnel-gateway/native"');
}

const token = (type: string): string => `tunnel-gateway:index:${type}`;

/** The classes of which an object can be imported. */
const importableTypes = declarations.filter(({ rotates }) => !rotates).map(({ type }) => type);

it("imports every class from a file, and Pulumi writes a program that changes nothing", async () => {
  expect([...new Set(importable.map(({ type }) => type))].sort()).toEqual([...importableTypes].sort());
  expect(Object.keys(resources(whole)).sort()).toEqual(importable.map(({ name }) => name).sort());
  whole.program.write(program);
  await whole.previewNoChanges();
  // What no answer shows stands in the program as what stays as it is.
  expect(program.match(/pulumi\.secret\("tunnel-gateway:not-returned"\)/g)).toHaveLength(3);
  await expectEncrypted(whole, programSecrets);
}, 120_000);

const single = ["IpPolicyRule", "HttpsEdgeRouteOidc", "EventSource"];

describe("a stack of single imports", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await emptyStack();
  });

  it.each(single)("has one %s by a command of its own, with its program", async (type) => {
    const { name } = importable.find((each) => each.type === type)!;
    const program = await imported(stack, [token(type), name, idOf(made, name)]);
    expect(resources(stack)[name]).toMatchObject({ type: token(type), id: idOf(made, name) });
    stack.program.write({ [`${type}.ts`]: program });
  });

  it("is not changed by these programs", async () => {
    stack.program.write(single.map((type) => `import "./${type}";`).join("\n"));
    await stack.previewNoChanges();
    expect(Object.keys(resources(stack))).toHaveLength(single.length);
  });
});

it("imports every class by the resource option, and changes nothing", async () => {
  // The arguments are those that the import from a file has found.
  const { deployment } = await whole.exportState(true);
  const argsOf = new Map(
    (deployment.resources ?? []).map(({ urn, inputs }) => [urn.split("::").at(-1), inputs]),
  );
  const declared = (opts: (name: string) => Record<string, unknown>): WorldResource[] =>
    importable.map(({ name, type }) => ({
      name,
      type,
      args: plain(argsOf.get(name) ?? {}),
      opts: opts(name),
    }));

  const stack = await newStack(emulator);
  use(
    stack,
    "/native",
    declared((name) => ({ import: idOf(made, name) })),
  );
  const { ops } = await stack.upJson();
  expect(ops.sort()).toEqual(importable.map(({ name }) => `import ${name}`).sort());
  use(
    stack,
    "/native",
    declared(() => ({})),
  );
  await stack.previewNoChanges();
}, 120_000);

/** The values of an export with its secrets as they are. */
function plain(values: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(values), (_name, value: unknown) => {
    const { plaintext } = (value ?? {}) as { plaintext?: string };
    return plaintext === undefined ? value : (JSON.parse(plaintext) as unknown);
  }) as Record<string, unknown>;
}
