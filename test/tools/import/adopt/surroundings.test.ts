/** What an adoption imports around the objects: the components and the explicit providers that they are under. */
import type { Settings } from "../../../../src/provider/settings/settings";
import { secretSignature } from "../../../../src/schema/secrets";
import { shimOf } from "../../../../src/program/shim";
import { declarationOf } from "../../../../src/resources/registry";
import { accountObject } from "../../../../src/tools/inventory/account-contents";
import { adopted, adoptionFile } from "../../../../src/tools/import/adopt/adopt-file";
import { pairUp } from "../../../../src/tools/import/adopt/pairing";
import { programIn } from "../../../../src/tools/import/adopt/planned";
import { recorded } from "../../../support/recorded";

const base = "urn:pulumi:dev::shop::";
const stack = `${base}pulumi:pulumi:Stack::shop-dev`;
const team = `${base}shop:index:Team::team`;
const room = `${base}shop:index:Team$shop:index:Room::room`;
const old = `${base}shop:index:Team::old`;
const spare = `${base}shop:index:Room::spare`;
const provider = (name: string): string => `${base}pulumi:providers:pulumi-nodejs::${name}`;
const policy = (name: string): string => `${base}pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy::${name}`;

const hidden = "[secret]";
const component = (urn: string, parent: string) => ({
  ...{ op: "create", urn },
  newState: { parent, custom: false },
});
const explicit = (op: string, name: string) => ({
  ...{ op, urn: provider(name) },
  newState: {
    inputs: { "tunnel-gateway:apiKey": hidden, "tunnel-gateway:baseUrl": `https://${name}.example.com` },
  },
});
const creates = (name: string, parent: string, more: object = {}, inputs: object = {}, op = "create") => ({
  ...{ op, urn: policy(name) },
  newState: {
    parent,
    inputs: { description: name, ...inputs },
    provider: `${provider("default")}::x`,
    ...more,
  },
});

const preview = {
  steps: [
    component(stack, ""),
    component(team, stack),
    component(room, team),
    component(spare, stack),
    { ...component(old, stack), op: "same" },
    { op: "create", urn: provider("default"), newState: {} },
    explicit("create", "partner"),
    explicit("create", "unused"),
    explicit("same", "kept"),
    { op: "create", urn: `${base}random:index/pet:Pet::pet`, newState: { inputs: {} } },
    creates("office", room, {}, { metadata: hidden }),
    creates("inner", policy("office")),
    creates("lab", stack, { provider: `${provider("partner")}::p` }),
    creates("ours", old, { provider: `${provider("kept")}::k` }),
    creates("known", stack, {}, {}, "update"),
  ],
};
const shown = new Map<string, Record<string, unknown>>([
  [policy("office"), { description: "office", metadata: "whispered" }],
  [provider("partner"), { "tunnel-gateway:apiKey": "key of the partner" }],
]);
const inFile = (value: unknown): object => ({ ...secretSignature, plaintext: JSON.stringify(value) });

it("are created by the import where an object is under them, and named by URN where the stack has them", async () => {
  const program = programIn(JSON.stringify(recorded(preview)), shown);
  expect(program.creates.map(({ name }) => name)).toEqual(["office", "inner", "lab", "ours"]);
  expect([...program.providers.keys()]).toEqual(["partner", "unused", "kept"].map(provider));
  expect(program.providers.get(provider("partner"))).toMatchObject({
    "tunnel-gateway:apiKey": "key of the partner",
    "tunnel-gateway:baseUrl": "https://partner.example.com",
  });

  const objects = program.creates.map(({ name, args: { metadata } }) =>
    accountObject(declarationOf("IpPolicy"), `ipp_${name}`, {
      id: `ipp_${name}`,
      description: name,
      metadata,
    }),
  );
  const settings = { patchUndocumented: false, stampMetadata: false } as Settings;
  const account = { settings, read: () => Promise.resolve(undefined) };
  const outcomes = await pairUp(program.creates, objects, account, { project: "shop", stack: "dev" });
  const pairs = outcomes.flatMap((each) => (each.kind === "pair" ? [adopted(each, settings)] : []));
  const file = adoptionFile(pairs, program, new Set([stack, old, provider("kept")]), Date.now());
  const known = [old, provider("kept")];
  expect(file.nameTable).toEqual(Object.fromEntries(known.map((urn) => [urn, urn])));
  const surrounding = (type: string, urn: string, more: object) => ({
    ...{ type, name: urn, logicalName: urn.split("::").at(-1), ...more },
  });
  expect(file.resources.slice(0, 3)).toEqual([
    surrounding("shop:index:Room", room, { parent: team, component: true }),
    surrounding("shop:index:Team", team, { parent: undefined, component: true }),
    surrounding("pulumi:providers:pulumi-nodejs", provider("partner"), {
      parent: undefined,
      inputs: {
        "tunnel-gateway:apiKey": inFile("key of the partner"),
        "tunnel-gateway:baseUrl": "https://partner.example.com",
      },
    }),
  ]);
  const code = { __provider: shimOf("IpPolicy") };
  const entry = (name: string, more: object, inputs: object = {}) =>
    expect.objectContaining({
      ...{ type: "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy", id: `ipp_${name}`, name, ...more },
      inputs: { ...code, description: name, ...inputs },
      outputs: expect.objectContaining(inputs) as unknown,
    }) as unknown;
  expect(file.resources.slice(3)).toEqual([
    entry(
      "office",
      { name: policy("office"), logicalName: "office", parent: room },
      { metadata: inFile("whispered") },
    ),
    entry("inner", { parent: policy("office") }),
    entry("lab", { provider: provider("partner") }),
    entry("ours", { parent: old, provider: provider("kept") }),
  ]);
});
