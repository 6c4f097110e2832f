/** The secrets that a command needs of an export, decrypted by the Pulumi CLI in a configuration of their own. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretSignature } from "../../../src/schema/secrets";
import { withDecrypted } from "../../../src/tools/stack/engine-secrets";
import type { PulumiCall } from "../../../src/tools/stack/pulumi";
import { temporaryFolder } from "../../support/folders";
import { failureOf } from "../../support/failure";

interface Call {
  readonly file: string;
  readonly cwd: string | undefined;
  readonly config: { config: Record<string, { secure: string }> };
  readonly project: unknown;
}

let mockCalls: Call[];
let mockAnswer: (secure: string) => string | undefined;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[], { cwd }: PulumiCall) => {
    const file = args[args.indexOf("--config-file") + 1]!;
    const config = JSON.parse(readFileSync(file, "utf8")) as Call["config"];
    const own = join(cwd ?? ".", "Pulumi.yaml");
    const project: unknown = existsSync(own) ? JSON.parse(readFileSync(own, "utf8")) : undefined;
    mockCalls.push({ file, cwd, config, project });
    const values = Object.entries(config.config).map(([key, { secure }]) => [
      key,
      { value: mockAnswer(secure) },
    ]);
    return Promise.resolve({ stdout: JSON.stringify(Object.fromEntries(values)), stderr: "" });
  },
}));
beforeEach(() => {
  mockCalls = [];
  mockAnswer = (secure) => JSON.stringify(`plain ${secure}`);
});

const cipher = (ciphertext: string): object => ({ ...secretSignature, ciphertext });
const plain = (ciphertext: string): object => ({ ...secretSignature, plaintext: `"plain ${ciphertext}"` });
const needed = { apiKey: cipher("one"), nested: [{ deep: cipher("two") }] };
const exported = (secrets_providers: object) => ({
  deployment: { secrets_providers, resources: [{ inputs: needed }, { outputs: { token: cipher("three") } }] },
});
const stack = { stack: "dev", project: "shop", cwd: temporaryFolder("project") };
beforeAll(() => writeFileSync(join(stack.cwd, "Pulumi.yaml"), "{}"));
const passphrase = { type: "passphrase", state: { salt: "v1:salt" } };

it("decrypts what is in the roots, at any depth, and leaves the others encrypted", async () => {
  const found = await withDecrypted(exported(passphrase), [needed, undefined], stack);
  expect(found).toEqual({
    deployment: {
      secrets_providers: passphrase,
      resources: [
        { inputs: { apiKey: plain("one"), nested: [{ deep: plain("two") }] } },
        { outputs: { token: cipher("three") } },
      ],
    },
  });
  expect(Object.values(mockCalls[0]!.config.config).map(({ secure }) => secure)).toEqual(["one", "two"]);
});

it("leaves no file behind, and writes no plaintext", async () => {
  await withDecrypted(exported(passphrase), [needed], stack);
  mockAnswer = () => undefined;
  const failure = await failureOf(withDecrypted(exported(passphrase), [needed], stack));
  expect(failure.message).toBe("the secrets of the stack dev could not be decrypted");
  expect(mockCalls).toHaveLength(2);
  for (const { file, config } of mockCalls) {
    expect(existsSync(join(file, ".."))).toBe(false);
    expect(JSON.stringify(config)).not.toContain("plain");
  }
});

it.each([
  [passphrase, { encryptionsalt: "v1:salt" }],
  [
    { type: "cloud", state: { url: "awskms://alias/shop", encryptedkey: "AQ==" } },
    { secretsprovider: "awskms://alias/shop", encryptedkey: "AQ==" },
  ],
  [{ type: "service", state: { url: "https://api.example.com", owner: "me" } }, {}],
])("names the key of %j as the configuration of a stack does", async (provider, expected) => {
  await withDecrypted(exported(provider), [needed], stack);
  const { config: _, ...key } = mockCalls[0]!.config;
  expect(key).toEqual(expected);
});

it("asks in the folder of the project, and in one of its own where there is none", async () => {
  await withDecrypted(exported(passphrase), [needed], stack);
  const cwd = temporaryFolder("no-project");
  await withDecrypted(exported(passphrase), [needed], { ...stack, cwd });
  expect(mockCalls.map((call) => [call.cwd === stack.cwd, call.cwd === cwd, call.project])).toEqual([
    [true, false, {}],
    [false, false, { name: "shop", runtime: "nodejs" }],
  ]);
});

it("does not call Pulumi where nothing in the roots is encrypted", async () => {
  const whole = exported(passphrase);
  expect(await withDecrypted(whole, [{ apiKey: "text" }, undefined], stack)).toBe(whole);
  expect(mockCalls).toEqual([]);
});
