/** Ids that no path can carry, or that would control a terminal or a program: they are refused where they enter. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { clientWith } from "../../../src/account/account-client";
import { readAccount } from "../../../src/tools/inventory/account-contents";
import { collected, readEach, readOne } from "../../../src/account/read-objects";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { contentsOf } from "../../../src/tools/inventory/stack";
import { settings } from "../../support/plugin";
import { runCommandLine } from "../../support/command-line";
import { readPreview, recordedState } from "../../support/recorded";
import { serverForTests } from "../../support/servers";
import { temporaryFolder } from "../../support/folders";

const badIds = [
  "ipp_\nglobalThis.ran = 1;//",
  "ipp_\rglobalThis.ran = 1;//",
  "ipp_\u2028globalThis.ran = 1;//",
  "ipp_\u2029globalThis.ran = 1;//",
  "ipp_\u001b[2J\u0007",
  "ipp_\u009b31m",
  "ipp_\u202egnp",
  "ipp_a/b",
  "ipp_ two",
  "ipp_\ud800",
  "..",
  ".",
];

let baseUrl: string;
/** The objects of each list, by the key of its answer. */
let lists: Record<string, object[]>;

const server = serverForTests((request, response) => {
  const { pathname } = new URL(request.url!, "http://x");
  const listed = declarations.find(({ path, style }) => path === pathname && style === "collection");
  if (listed === undefined) return void response.writeHead(404).end('{"msg":"none","error_code":"ERR_1"}');
  const objects = lists[listed.listKey!] ?? [];
  response.end(JSON.stringify({ [listed.listKey!]: objects, next_page_uri: null }));
});
beforeAll(() => {
  ({ baseUrl } = server);
});
beforeEach(() => {
  lists = {
    ip_policies: [...badIds, "ipp_good"].map((id, i) => ({ id, description: `policy ${i}` })),
    ip_policy_rules: [
      { id: "ipr_1", cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: "ipp_good", uri: "u" } },
      { id: "ipr_2", cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: badIds[0], uri: "u" } },
    ],
    endpoints: [
      { id: "ep_1", type: "edge", proto: "tls", edge: { id: "edgtls_\n//", uri: "u" } },
      { id: "ep_2", type: "edge", proto: "https", edge: { id: "edghts_$(reboot)", uri: "u" } },
    ],
  };
});

const notes: string[] = [];
const client = () => {
  notes.length = 0;
  return clientWith({ ...settings, baseUrl }, (line) => notes.push(line));
};

it("leaves such objects out of lists and filters, and names the collection and the id", async () => {
  const declaration = declarationOf("IpPolicy");
  const found = await collected(readEach<{ id: string }>(client(), declaration, undefined, {}));
  expect(found.map(({ id }) => id)).toEqual(["ipp_good"]);
  expect(notes).toHaveLength(badIds.length);
  for (const note of notes) {
    expect(note).toMatch(
      /^IP policies: an object is left out: ".*" is not a valid id; it must have the form ipp_…, one word$/,
    );
  }
  await expect(readOne(client(), declaration, { description: "policy 0" })).rejects.toThrow(
    /no IP policy matches/,
  );
  await expect(readOne(client(), declaration, badIds[0]!)).rejects.toThrow(
    /the id of the IP policy must be an id/,
  );
});

it("marks them in an account, also where another object refers to one, and follows no such id of an edge", async () => {
  const { objects, edges } = await readAccount({
    client: client(),
    isChosen: ({ type }) => ["IpPolicy", "IpPolicyRule", "TlsEdgeIpRestriction"].includes(type),
    findsEdges: true,
  });
  expect(objects.filter(({ problem }) => problem === undefined).map(({ id }) => id)).toEqual([
    "ipp_good",
    "ipr_1",
  ]);
  expect(edges).toEqual({ https: ["edghts_$(reboot)"], tls: [] });
});

it("imports the others, and names those in IMPORT-NOTES.md without a character that could do harm", async () => {
  const folder = temporaryFolder("ids");
  const { code, stdout, stderr } = await runCommandLine(["import", "--cwd", folder], {
    TUNNEL_GATEWAY_BASE_URL: baseUrl,
    TUNNEL_GATEWAY_API_KEY: "a-key-for-tests",
  });
  expect([code, /\d+ object.*/.exec(stderr)?.[0]]).toEqual([
    0,
    `2 objects to import, 0 already in the stack, ${badIds.length + 3} left out`,
  ]);
  expect(stderr).toContain(
    "Not read, because the API lists no routes: the modules of 'edghts_$(reboot)'. " +
      "Name their routes with --https-route <edgeId>/<routeId>\n",
  );
  const texts = readdirSync(folder).filter((name) => /\.(ts|md|yaml)$/.test(name));
  expect(texts).toContain("policies.ts");
  for (const name of texts) {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).not.toMatch(/^\s*globalThis/m);
    expect(text.replace(/\n/g, "")).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
  }
  const left = readFileSync(join(folder, "IMPORT-NOTES.md"), "utf8");
  expect(left).toMatch(/^- IpPolicy: `.*it is not a valid id`/m);
  expect(left).toContain("`--https-route 'edghts_$(reboot)/'<routeId>`");
  expect(left).toContain("`ipp_\\nglobalThis.ran = 1;//`");
  expect((stdout + stderr).replace(/\n/g, "")).not.toMatch(/\p{Cc}/u);
});

it.each(badIds)("is refused by the import of one object: %j", async (id) => {
  const { code, stderr } = await runCommandLine(["import", "IpPolicy", "office", id], {
    TUNNEL_GATEWAY_BASE_URL: baseUrl,
    TUNNEL_GATEWAY_API_KEY: "a-key-for-tests",
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^the IP policy cannot be imported: ".*" is not a valid id/),
  ]);
});

describe.each(badIds)("the id %j", (id) => {
  const type = "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy";
  const urn = (name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;
  const state = (name: string, own: string): object =>
    recordedState({ urn: urn(name), type, id: own, inputs: {}, outputs: {} });

  it("leaves its resource out of a stack, with a note", () => {
    const lines: string[] = [];
    const other = { urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b", type: "aws:s3/bucket:Bucket", id };
    const resources = [state("bad", id), state("good", "ipp_1"), other];
    const exported = { version: 3, deployment: { resources } };
    const { managed, urns } = contentsOf(exported, "dev", (line) => lines.push(line));
    expect(managed.map(({ name }) => name)).toEqual(["good"]);
    expect([...urns]).toEqual([urn("good"), other.urn]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The stack's resource is left out: IpPolicy "bad": ".*" is not a valid id; it must have the form ipp_…, one word$/,
      ),
    ]);
  });

  it("fails a preview, because a review without the resource would pass what nobody has read", () => {
    const step = (name: string, own: string): object => ({
      op: "same",
      urn: urn(name),
      oldState: state(name, own),
      newState: state(name, own),
    });
    const { resources, errors } = readPreview(
      JSON.stringify({ steps: [step("bad", id), step("good", "ipp_1")], changeSummary: { same: 2 } }),
    );
    expect([...resources.values()].map(({ name }) => name)).toEqual(["good"]);
    expect(errors).toEqual([expect.stringMatching(/^IpPolicy "bad" is left out: ".*" is not a valid id;/)]);
  });
});
