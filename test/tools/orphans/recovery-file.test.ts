/** The import file of interrupted creates. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orphansReport } from "../../../src/tools/cli/commands/orphans/run";
import { accountObject } from "../../../src/tools/inventory/account-contents";
import type { CreateOutcome } from "../../../src/tools/orphans/match";
import { recoveryFile } from "../../../src/tools/orphans/recovery-file";
import { shimIn } from "../../../src/schema/recorded-state";
import { writeImportFile } from "../../../src/tools/stack/import-file";
import { temporaryFolder } from "../../support/folders";
import { contentsOf } from "../../support/recorded";

const creating = (type: string, name: string, more: object): object => ({
  type: "creating",
  resource: {
    urn: `urn:pulumi:dev::shop::${type}::${name}`,
    ...{ type, custom: true, inputs: { description: "office" } },
    ...more,
  },
});

it("has each resource behind the door through which it was created, in one stack with both", () => {
  const native = "urn:pulumi:dev::shop::pulumi:providers:tunnel-gateway::default::1";
  const contents = contentsOf(
    {
      deployment: {
        pending_operations: [
          creating("pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy", "one", {}),
          creating("tunnel-gateway:index:IpPolicy", "two", { provider: native }),
        ],
      },
    },
    "dev",
  );
  const outcomes = contents.pending.map((pending, i) => {
    const id = `ipp_${i}`;
    const object = accountObject(pending.declaration, id, { id, description: "office" });
    return { kind: "created", pending, object } as const;
  });
  const { resources } = recoveryFile(outcomes, contents, 0);
  const hasCode = (values: object): boolean => typeof shimIn({ ...values }) === "string";
  expect(
    resources.map(({ type, name, id, inputs, outputs }) => [
      type,
      name,
      id,
      hasCode(inputs),
      hasCode(outputs),
    ]),
  ).toEqual([
    ["pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy", "one", "ipp_0", true, true],
    ["tunnel-gateway:index:IpPolicy", "two", "ipp_1", false, false],
  ]);
});

it("has what is under parents and providers of the stack, each named once, and leaves out all else", () => {
  const token = "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy";
  const urnOf = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;
  const [office, lab] = ["office", "lab"].map((name) => urnOf("shop:index:Site", name)) as [string, string];
  const [one, two] = ["one", "two"].map((name) => urnOf("pulumi:providers:pulumi-nodejs", name)) as [
    string,
    string,
  ];
  const under = (name: string, parent: string | undefined, provider: string | undefined) =>
    creating(token, name, { parent, provider: provider && `${provider}::id` });
  const contents = contentsOf(
    {
      deployment: {
        resources: [
          { urn: office, type: "shop:index:Site", custom: false },
          ...[one, two].map((urn) => ({ urn, type: "pulumi:providers:pulumi-nodejs", id: "id" })),
        ],
        pending_operations: [
          ...[under("a", office, one), under("b", office, two), under("c", undefined, undefined)],
          ...[
            under("parent", lab, one),
            under("provider", office, urnOf("pulumi:providers:pulumi-nodejs", "three")),
          ],
          under("undecided", office, one),
        ],
      },
    },
    "dev",
  );
  const outcomes = contents.pending.map((pending, i) => {
    const object = accountObject(pending.declaration, `ipp_${i}`, { id: `ipp_${i}`, description: "office" });
    return pending.name === "undecided"
      ? ({ kind: "undecided", pending, objects: [object] } as const)
      : ({ kind: "created", pending, object } as const);
  });
  const { nameTable, resources } = recoveryFile(outcomes, contents, 0);
  const named = (name: string | undefined) => name && nameTable![name];
  expect(Object.values(nameTable!)).toEqual([office, one, two]);
  expect(resources.map(({ name, parent, provider }) => [name, named(parent), named(provider)])).toEqual([
    ["a", office, one],
    ["b", office, two],
    ["c", undefined, undefined],
  ]);
});

it.each([
  ["IpPolicy", {}, false],
  [
    "EventDestination",
    {
      format: "json",
      target: { monitoring: { api_key: "**********", ddtags: "a:b", service: "s", ddsite: "x" } },
    },
    true,
  ],
])("is said to hold secrets only if it does: of %s", (type, answer, holdsSecrets) => {
  const inputs = type === "IpPolicy" ? {} : { target: { monitoring: { apiKey: "k" } } };
  const { contents, outcome } = createdOf(type, inputs, answer);
  const file = join(temporaryFolder("recovery"), "import.json");
  const written = writeImportFile(file, recoveryFile([outcome], contents, 0));
  expect(written).toEqual({ resources: 1, holdsSecrets });
  expect(
    reportOf([outcome], {}, { file, ...written }).includes(
      "It holds secrets in plaintext: only you can read it. Delete it after use.",
    ),
  ).toBe(holdsSecrets);
});

it.each([0, 1])("needs another one for %d objects that it leaves out, under the same provider", (left) => {
  const { outcome } = createdOf("IpPolicy", {}, {});
  const outcomes = Array.from({ length: 1 + left }, () => outcome);
  const flags = { cwd: "a b", provider: "partner" };
  const text = reportOf(outcomes, flags, { file: "/import.json", resources: 1, holdsSecrets: false });
  const stack = "--stack dev --cwd 'a b'";
  expect(text.split("\n").map((line) => line.trim())).toEqual([
    "Wrote /import.json with 1 object of interrupted creates. Next, run:",
    `pulumi cancel ${stack}   (if the stack is locked)`,
    `pulumi import ${stack} --file /import.json --generate-code=false --protect=false`,
    ...[
      `npx pulumi-tunnel-gateway orphans ${stack} --provider partner --write /import.json`,
      "and pulumi import again, for 1 object whose parent or provider the first",
      "import brings into the stack",
    ].slice(left === 0 ? 3 : 0),
    ...[`pulumi refresh ${stack} --clear-pending-creates`, `pulumi up ${stack}`, ""],
  ]);
});

/** A stack with an interrupted create, and what it has made. */
function createdOf(type: string, inputs: object, answer: object) {
  const operation = creating(`pulumi-nodejs:dynamic/tunnel-gateway:${type}`, "one", { inputs });
  const contents = contentsOf({ deployment: { pending_operations: [operation] } }, "dev");
  const pending = contents.pending[0]!;
  const object = accountObject(pending.declaration, "x_1", { id: "x_1", ...answer });
  return { contents, outcome: { kind: "created", pending, object } as const };
}

/** What the command prints of the file, without the objects that the stack does not manage. */
function reportOf(
  outcomes: CreateOutcome[],
  flags: object,
  written: Parameters<typeof orphansReport>[2],
): string {
  const output = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  orphansReport({ orphans: [], excluded: {}, outcomes }, { stack: "dev", ...flags }, written);
  const text = output.mock.calls.flat().join("");
  output.mockRestore();
  return text.replace(/^The stack manages all .*\n/, "");
}

it("takes the place of an earlier one, which others could read, and of no other file", () => {
  const file = join(temporaryFolder("recovery"), "import.json");
  const resource = { type: "x", name: "x", id: "x", inputs: {}, outputs: {} };
  for (const other of ["{}", '{"resources":{}}', "text"]) {
    writeFileSync(file, other);
    expect(() => writeImportFile(file, { resources: [resource] })).toThrow(
      `${file} exists and is not an import file, so it is not overwritten`,
    );
    expect(readFileSync(file, "utf8")).toBe(other);
  }
  writeFileSync(file, '{"resources":[]}', { mode: 0o644 });
  writeImportFile(file, { resources: [resource] });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ resources: [resource] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
