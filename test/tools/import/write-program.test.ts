import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planFor } from "../../../src/tools/import/objects/plan";
import { accountObject } from "../../../src/tools/inventory/account-contents";
import type { AccountObject } from "../../../src/tools/inventory/account-contents";
import { dynamicDoor } from "../../../src/program/door";
import { importEntry, importFileProblems } from "../../../src/tools/stack/import-file";
import { plaintextOf } from "../../../src/tools/stack/engine-secrets";
import { existingProgram, parseFile } from "../../../src/tools/import/program/existing-program";
import { writeProject } from "../../../src/tools/import/project/new-project";
import { removePrivate, writePrivate } from "../../../src/tools/import/project/private-files";
import { isProject } from "../../../src/tools/stack/project-folder";
import { newStatement } from "../../../src/tools/import/program/statement";
import { writeProgram } from "../../../src/tools/import/program/write-program";
import { declarationOf, declarations } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { temporaryFolder } from "../../support/folders";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;
const held = (type: string, id: string, answer: object): AccountObject =>
  accountObject(declarationOf(type), id, { id, uri: "u", created_at: "2026-01-01T00:00:00Z", ...answer });
const policy = (id: string, description: string): AccountObject => held("IpPolicy", id, { description });
const rule = (id: string, policyId: string, cidr: string): AccountObject =>
  held("IpPolicyRule", id, { cidr, action: "allow", ip_policy: { id: policyId, uri: "u" } });

function planOf(objects: readonly AccountObject[]) {
  return planFor(objects, { settings, now: Date.now() });
}

let folder: string;
beforeEach(() => (folder = temporaryFolder("program")));

function write(
  objects: readonly AccountObject[],
  stack: readonly string[] = [],
  force = false,
  main?: string,
) {
  const { resources } = planOf(objects);
  const known = new Map(resources.map((each) => [each.id, each.variable]));
  const statements = resources.map((each) =>
    newStatement(each, { protect: true, refer: (id) => known.get(id) }),
  );
  return writeProgram({
    folder,
    existing: existingProgram(
      folder,
      new Set(stack.flatMap((id) => declarations.map(({ type }) => `${type} ${id}`))),
    ),
    added: statements,
    doorOf: () => dynamicDoor,
    notes: [],
    unreadEdges: [],
    force,
    main,
  });
}
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

it("is the same program for the same account, in whatever order it is listed", () => {
  const objects = [
    policy("ipp_1aaaaaa", "office"),
    policy("ipp_2bbbbbb", "office"),
    rule("ipr_1", "ipp_1aaaaaa", "10.0.0.0/8"),
  ];
  const names = (all: readonly AccountObject[]): string[] =>
    planOf(all).resources.map(({ name, id }) => `${id} ${name}`);
  expect(names([...objects].reverse())).toEqual(names(objects));
});

it("puts each object below those that it refers to, and leaves out a backend within another one", () => {
  const failover = (id: string, ...backends: string[]): AccountObject =>
    held("FailoverBackend", id, { backends });
  const ids = planOf([
    held("TcpEdge", "edgtcp_1", { backend: { backend_id: "bkdfo_1" } }),
    failover("bkdfo_1", "bkdtg_1", "bkdhr_1"),
    failover("bkdfo_2", "bkdfo_1"),
    held("HttpResponseBackend", "bkdhr_1", {}),
    held("TunnelGroupBackend", "bkdtg_1", { labels: { app: "web" } }),
  ]).resources.map(({ id }) => id);
  expect([...ids].sort()).toEqual(["bkdfo_1", "bkdhr_1", "bkdtg_1", "edgtcp_1"]);
  expect(ids.indexOf("bkdtg_1")).toBeLessThan(ids.indexOf("bkdfo_1"));
  expect(ids.indexOf("bkdhr_1")).toBeLessThan(ids.indexOf("bkdfo_1"));
});

it("refers to other objects by their variables", () => {
  write([policy("ipp_1", "office network"), rule("ipr_1", "ipp_1", "10.0.0.0/8")]);
  expect(read("policies.ts")).toContain("ipPolicyId: officeNetwork.id,");
  expect(read("index.ts")).toContain('import "./policies";');
});

it("generates an unedited file again, and keeps the statements of the stack's resources", () => {
  write([policy("ipp_1", "one"), policy("ipp_2", "two")]);
  const { statements } = parseFile(read("policies.ts"));
  expect(statements.map(({ id, name, variable }) => [id, name, variable])).toEqual([
    ["ipp_1", "one", "one"],
    ["ipp_2", "two", "two"],
  ]);
  write([policy("ipp_3", "three")], ["ipp_1"]);
  expect(parseFile(read("policies.ts")).statements.map(({ id }) => id)).toEqual(["ipp_1", "ipp_3"]);
});

it("keeps the order of an interrupted run, also where an object was imported before the one that it refers to", () => {
  const all = [
    policy("ipp_1", "one"),
    rule("ipr_1", "ipp_1", "10.0.0.0/8"),
    policy("ipp_2", "two"),
    rule("ipr_2", "ipp_2", "10.0.0.0/8"),
  ];
  write(all);
  const text = read("policies.ts");
  write([all[0]!, all[2]!, all[3]!], ["ipr_1"]);
  expect(read("policies.ts")).toBe(text);
});

it("puts a statement below those whose variables it uses", () => {
  write([rule("ipr_1", "ipp_1", "10.0.0.0/8"), policy("ipp_0", "zero")]);
  const used = read("policies.ts").replace('"ipp_1"', "one.id");
  writeFileSync(join(folder, "policies.ts"), used);
  write([policy("ipp_1", "one")], ["ipr_1", "ipp_0"], true);
  const found = parseFile(read("policies.ts")).statements.map(({ id }) => id);
  expect(found.indexOf("ipp_1")).toBeLessThan(found.indexOf("ipr_1"));
});

it("imports a variable of the user's own that has the name of one that files declare", () => {
  write([policy("ipp_1", "one")]);
  const used = read("policies.ts").replace('description: "one"', "description: config.name");
  writeFileSync(join(folder, "policies.ts"), `import { config } from "./settings";\n${used}`);
  write([policy("ipp_2", "two")], ["ipp_1"], true);
  expect(read("policies.ts")).toContain('import { config } from "./settings";');
  expect(read("policies.ts")).toContain("config.name");
  expect(read("policies.ts")).not.toContain("pulumi.Config");
});

it("writes an id in place of the variable of a removed statement", () => {
  const edge = held("TcpEdge", "edgtcp_1", {
    description: "as one.id says",
    hostports: [],
    ip_restriction: {
      enabled: true,
      ip_policies: [
        { id: "ipp_1", uri: "u" },
        { id: "ipp_2", uri: "u" },
      ],
    },
  });
  write([policy("ipp_1", "one"), policy("ipp_2", "two"), edge]);
  expect(read("edges.ts")).toMatch(/\[one\.id, two\.id\]/);
  const { written } = write([], ["ipp_2", "edgtcp_1"]);
  expect(written).toEqual(expect.arrayContaining(["policies.ts", "edges.ts"]));
  expect(read("edges.ts")).toMatch(/\["ipp_1", two\.id\]/);
  expect(read("edges.ts")).toContain('"as one.id says"');
  expect(read("edges.ts")).toContain('import { two } from "./policies";');
});

it("refuses to overwrite an edited file unless forced; another layout is no edit", () => {
  write([policy("ipp_1", "one")]);
  writeFileSync(
    join(folder, "policies.ts"),
    read("policies.ts")
      .replace(/\n {2}/g, "\n      ")
      .replace(/"/g, "'"),
  );
  write([policy("ipp_1", "another")]);
  writeFileSync(join(folder, "policies.ts"), read("policies.ts").replace("another", "mine"));
  const before = readdirSync(folder).map(read);
  expect(() => write([policy("ipp_1", "one")])).toThrow(/policies\.ts .*nothing was written/);
  expect(readdirSync(folder).map(read)).toEqual(before);
  write([policy("ipp_1", "one")], [], true);
  expect(read("policies.ts")).toContain('"one"');
});

it("does not touch an edited file to which nothing is added, nor a main file of the user's own", () => {
  write([policy("ipp_1", "one")]);
  writeFileSync(join(folder, "policies.ts"), `${read("policies.ts")}\n// mine\n`);
  writeFileSync(join(folder, "index.ts"), "export {};\n");
  const { mainNeeds } = write([held("BotUser", "bot_1", { name: "b", active: true })], ["ipp_1"]);
  expect(read("policies.ts")).toContain("// mine");
  expect(mainNeeds).toEqual(['import "./credentials";', 'import "./policies";']);
});

it("keeps a copy of each edited file that it overwrites", () => {
  write([policy("ipp_1", "one")]);
  const mine = `${read("policies.ts")}\n// mine\n`;
  for (const copy of ["policies.ts.orig", "policies.ts.orig2"]) {
    writeFileSync(join(folder, "policies.ts"), mine);
    const { overwritten } = write([policy("ipp_1", "two")], [], true);
    expect(overwritten).toEqual([{ name: "policies.ts", copy }]);
    expect(read(copy)).toBe(mine);
    expect(read("policies.ts")).not.toContain("// mine");
  }
});

it("lists the imports that a main file of another name lacks, and does not write index.ts then", () => {
  writeFileSync(join(folder, "main.js"), 'require("./edges");\n');
  const objects = [policy("ipp_1", "one"), held("TcpEdge", "edgtcp_1", { hostports: [] })];
  const { mainNeeds } = write(objects, [], false, join(folder, "main.js"));
  expect(mainNeeds).toEqual(['import "./policies";']);
  expect(existsSync(join(folder, "index.ts"))).toBe(false);
});

it("makes an empty folder a project, and completes one that a killed run left", () => {
  const made = join(folder, "new project");
  mkdirSync(made);
  writeFileSync(join(made, "package.json"), '{"devDependencies": {"typescript": "^5.9.0"}}');
  mkdirSync(join(made, ".tunnel-gateway/new"), { recursive: true });
  writeFileSync(join(made, ".tunnel-gateway/new/Pulumi.yaml"), "half a fi");
  expect(isProject(made)).toBe(false);
  expect(writeProject(made)).toEqual(["tsconfig.json", ".gitignore", "Pulumi.yaml"]);
  expect(readdirSync(made).sort()).toEqual([".gitignore", "Pulumi.yaml", "package.json", "tsconfig.json"]);
  expect(readFileSync(join(made, ".gitignore"), "utf8")).toBe("node_modules/\n.pulumi/\n");
  expect(isProject(made)).toBe(true);
  expect(writeProject(made)).toEqual([]);
});

it("writes no compiler options for a project without a compiler", () => {
  writeFileSync(join(folder, "package.json"), '{"dependencies": {"@pulumi/pulumi": "^3.230.0"}}');
  expect(writeProject(folder)).toEqual([".gitignore", "Pulumi.yaml"]);
});

it("keeps a project's own .gitignore", () => {
  writeFileSync(join(folder, ".gitignore"), "mine\n");
  expect(writeProject(folder)).toEqual(["package.json", "tsconfig.json", "Pulumi.yaml"]);
  expect(read(".gitignore")).toBe("mine\n");
});

it("writes nothing where there is nothing to import, but the main file that a project lacks", () => {
  expect(write([], [], false, join(folder, "main.ts")).written).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(write([], [], false, join(folder, "index.ts")).written).toEqual(["index.ts"]);
});

it("keeps its files right when the last object is gone", () => {
  write([policy("ipp_1", "one")]);
  const { written, removed } = write([]);
  expect([written, removed]).toEqual([["IMPORT-NOTES.md", "index.ts"], ["policies.ts"]]);
  expect(read("IMPORT-NOTES.md")).toContain("The program holds 0 objects.");
});

it("names in the notes the objects whose traffic policies may have credentials, now and after an edit", () => {
  const endpoint = (id: string, traffic_policy: string): AccountObject =>
    held("CloudEndpoint", id, { url: `https://${id}.example.com`, type: "cloud", traffic_policy });
  const action = { type: "basic-auth", config: { credentials: ["ann:hunter2"] } };
  const guarded = endpoint("ep_1", JSON.stringify({ on_http_request: [{ actions: [action] }] }));
  const edge = held("TcpEdge", "edgtcp_1", { hostports: [], traffic_policy: { value: "password: x" } });
  write([guarded, endpoint("ep_2", "{}"), policy("ipp_1", "basic-auth"), edge]);
  const named = /traffic policies .*TcpEdge `edgtcp_1`, CloudEndpoint `ep_1`/;
  expect(read("IMPORT-NOTES.md")).toMatch(named);
  expect(read("IMPORT-NOTES.md")).not.toMatch(/ep_2|hunter2|ipp_1/);
  write([], ["ep_1", "ep_2", "ipp_1", "edgtcp_1"]);
  expect(read("IMPORT-NOTES.md")).toMatch(named);
});

it("keeps the import file out of git, and removes it with its folder", () => {
  writePrivate(folder, "import.json", "{}");
  expect(read(".tunnel-gateway/.gitignore")).toBe("*\n");
  removePrivate(folder, "run.json");
  expect(read(".tunnel-gateway/import.json")).toBe("{}");
  removePrivate(folder, "import.json");
  expect(existsSync(join(folder, ".tunnel-gateway"))).toBe(false);
});

it("finds problems of an import file before the engine reads it", () => {
  const [each] = planOf([policy("ipp_1", "one")]).resources;
  const entry = importEntry({
    ...each!,
    type: "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy",
    inputs: each!.args,
    outputs: each!.values,
  });
  expect(importFileProblems({ resources: [entry] }, 0)).toEqual([]);
  for (const other of [{ name: "two" }, { id: "ipp_2" }])
    expect(importFileProblems({ resources: [entry, { ...entry, ...other }] }, 0).join()).toContain(
      "appears twice",
    );
  const wrong = { ...entry, provider: "partner", inputs: { ...entry.inputs, cidr: "x" } };
  expect(importFileProblems({ resources: [wrong] }, 0)).toHaveLength(2);
  expect(plaintextOf(entry.inputs)).toMatchObject({ description: "one" });
});

it("imports the variable of an explicit provider from its module", () => {
  const { resources } = planOf([policy("ipp_1", "one")]);
  const statements = resources.map((each) =>
    newStatement(each, { protect: true, provider: { variable: "partner", urn: "" }, refer: () => undefined }),
  );
  writeProgram({
    folder,
    existing: existingProgram(folder, new Set()),
    added: statements,
    doorOf: () => dynamicDoor,
    notes: [],
    unreadEdges: [],
    force: false,
    otherModules: new Map([["partner", "./accounts"]]),
  });
  expect(read("policies.ts")).toContain('import { partner } from "./accounts";');
  expect(read("policies.ts")).toContain("{ protect: true, provider: partner }");
});

it("names in the notes what the API cannot list", () => {
  writeProgram({
    folder,
    existing: new Map(),
    added: [],
    doorOf: () => dynamicDoor,
    notes: [],
    unreadEdges: ["edghts_1"],
    force: false,
  });
  expect(read("IMPORT-NOTES.md")).toContain("The program holds 0 objects.");
  expect(read("IMPORT-NOTES.md")).toContain("`--https-route edghts_1/<routeId>`");
  expect(read("IMPORT-NOTES.md")).toContain("the API lists no TLS edges");
});
