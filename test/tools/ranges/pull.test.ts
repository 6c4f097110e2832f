/** What `ranges pull` writes, what `ranges check` says of it, and what a program reads. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedRanges } from "../../../src";
import { publisher, RangesProject, sends } from "./support";

const source = publisher();

interface LockText {
  readonly version: number;
  readonly sources: Record<string, { url: string; date: string; sha256: string; ranges: string[] }>;
}
const lockOf = (project: RangesProject): LockText => JSON.parse(project.lock!) as LockText;

it("writes every range once, in canonical spelling and sorted, with its SHA-256 and the date", async () => {
  const project = new RangesProject();
  source.serve(
    sends("2001:DB8:1::/48\r\n198.51.100.0/24 # two\n192.0.2.7\n192.0.2.0/28 ; one\n\n198.51.100.0/24\n"),
  );
  project.source(source.url);
  const { code, stdout } = await project.run("pull");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^cloud +4 +4 +0 /m);
  expect(stdout).toContain("ranges.lock.json is written.");
  const ranges = ["192.0.2.0/28", "192.0.2.7/32", "198.51.100.0/24", "2001:db8:1::/48"];
  const { version, sources } = lockOf(project);
  expect(version).toBe(1);
  expect(sources).toEqual({
    cloud: {
      url: source.url,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      sha256: createHash("sha256")
        .update(`${ranges.join("\n")}\n`)
        .digest("hex"),
      ranges,
    },
  });
  expect(project.lock).toMatch(/^ {8}"192\.0\.2\.7\/32",$/m);
});

it("leaves the file as it is while nothing changes, and shows what changes", async () => {
  const project = new RangesProject();
  source.serve(sends("192.0.2.0/24\n198.51.100.0/24\n"));
  project.source(source.url, { largestChange: { percent: 50 } });
  await project.run("pull");
  const before = project.lock;
  source.serve(sends("198.51.100.0/24\n# another order\n192.0.2.0/24\n"));
  expect(await project.run("check")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing changed.") as string,
  });
  await project.run("pull");
  expect(project.lock).toBe(before);

  source.serve(sends("192.0.2.0/24\n198.51.100.0/25\n203.0.113.7\n"));
  const checked = await project.run("check");
  expect([checked.code, (await project.run("check", "--json")).code]).toEqual([3, 3]);
  expect(checked.stdout).toContain("A pull would change ranges.lock.json.");
  for (const line of ["+ 198.51.100.0/25", "+ 203.0.113.7/32", "- 198.51.100.0/24"]) {
    expect(checked.stdout).toContain(line);
  }
  expect(project.lock).toBe(before);
  const { code, stdout } = await project.run("pull", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    isChanged: true,
    failures: [],
    sources: [
      {
        ...{
          name: "cloud",
          count: 3,
          added: ["198.51.100.0/25", "203.0.113.7/32"],
          removed: ["198.51.100.0/24"],
        },
        gained: { cidrs: ["203.0.113.7/32"], ipv4Addresses: "1" },
        lost: { cidrs: ["198.51.100.128/25"], ipv4Addresses: "128" },
      },
    ],
  });
});

it("reads lists in JSON by paths and filters", async () => {
  const project = new RangesProject();
  const document = {
    prefixes: [
      { cidr: "192.0.2.0/24", service: "EGRESS", region: "eu-1" },
      { cidr: "198.51.100.0/24", service: "OTHER", region: "eu-1" },
      { cidr: "203.0.113.0/24", service: "EGRESS", region: "us-1" },
      { service: "EGRESS", region: "eu-2", v6: ["2001:db8:2::/48", "2001:db8:1::/48"] },
    ],
  };
  source.serve(sends(JSON.stringify(document), { "content-type": "application/json" }));
  project.source(source.url, {
    ...{ format: "json", path: ["prefixes[].cidr", "prefixes[].v6[]"] },
    filter: { service: "EGRESS", region: ["eu-*", "ap-1"] },
  });
  expect((await project.run("pull")).code).toBe(0);
  expect(lockOf(project).sources.cloud!.ranges).toEqual([
    "192.0.2.0/24",
    "2001:db8:1::/48",
    "2001:db8:2::/48",
  ]);
});

it.each([
  ["a list of texts", ["192.0.2.0/24"], "[]"],
  ["a list in an object", { hooks: ["192.0.2.0/24"] }, "hooks[]"],
  [
    "lists in items",
    { values: [{ properties: { prefixes: ["192.0.2.0/24"] } }] },
    "values[].properties.prefixes[]",
  ],
  ["one text", { egress: { cidr: "192.0.2.0/24" } }, "egress.cidr"],
])("reads %s", async (_, document, path) => {
  const project = new RangesProject();
  source.serve(sends(JSON.stringify(document)));
  project.source(source.url, { format: "json", path });
  expect((await project.run("pull")).code).toBe(0);
  expect(lockOf(project).sources.cloud!.ranges).toEqual(["192.0.2.0/24"]);
});

it("follows redirects on the same host, and takes the kinds of ranges that the source may hold", async () => {
  const project = new RangesProject();
  source.serve((request, response) => {
    const next = { "/": "/1", "/1": "/2", "/2": "/now/ranges.txt" }[String(request.url)];
    if (next !== undefined) return void response.writeHead(301, { location: next }).end();
    sends("10.0.0.0/8\n0.0.0.0/0\n::1\n")(request, response);
  });
  project.source(`${source.url}/`, { mayHold: ["private", "default", "loopback"] });
  expect((await project.run("pull")).code).toBe(0);
  expect(lockOf(project).sources.cloud!.ranges).toEqual(["0.0.0.0/0", "10.0.0.0/8", "::1/128"]);
});

it("drops a source that is no longer in ranges.yaml", async () => {
  const project = new RangesProject();
  source.serve(sends("192.0.2.0/24\n"));
  const [one, two] = ["one", "two"].map((name) => ({ name, url: source.url, mayHold: ["documentation"] }));
  project.write({ sources: [two, one] });
  await project.run("pull");
  expect(Object.keys(lockOf(project).sources)).toEqual(["one", "two"]);
  project.write({ sources: [two] });
  expect((await project.run("check")).code).toBe(3);
  const { stdout } = await project.run("pull");
  expect(stdout).toContain("- 192.0.2.0/24");
  expect(Object.keys(lockOf(project).sources)).toEqual(["two"]);
});

describe("publishedRanges", () => {
  const project = new RangesProject();
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  beforeAll(async () => {
    source.serve(sends("2001:db8::/48\n192.0.2.0/24\n"));
    project.source(source.url);
    await project.run("pull");
    mkdirSync(join(project.folder, "network/program"), { recursive: true });
  });

  it("reads the lock file alone", () => {
    source.seen.length = 0;
    const file = project.lockFile;
    expect(publishedRanges("cloud", { file })).toEqual(["192.0.2.0/24", "2001:db8::/48"]);
    expect(publishedRanges("cloud", { file, family: "ipv4" })).toEqual(["192.0.2.0/24"]);
    expect(publishedRanges("cloud", { file, family: "ipv6" })).toEqual(["2001:db8::/48"]);
    expect(source.seen).toEqual([]);
  });

  it("finds it in the folders above, up to the one with Pulumi.yaml", () => {
    process.chdir(join(project.folder, "network/program"));
    expect(publishedRanges("cloud", { family: "ipv4" })).toEqual(["192.0.2.0/24"]);
    writeFileSync(join(project.folder, "network/Pulumi.yaml"), "name: network\n");
    expect(() => publishedRanges("cloud")).toThrow(
      'publishedRanges: there is no ranges.lock.json. Run "tunnel-gateway ranges pull", and commit the file',
    );
  });

  it("refuses a missing file, a source that there is not, and ranges that somebody changed", () => {
    const missing = join(project.folder, "other.json");
    expect(() => publishedRanges("cloud", { file: missing })).toThrow(
      `publishedRanges: there is no ${missing}`,
    );
    const file = project.lockFile;
    for (const name of ["clout", "constructor", "__proto__"]) {
      expect(() => publishedRanges(name, { file })).toThrow(
        `has no source ${JSON.stringify(name)}; it has cloud`,
      );
    }
    const changed = join(project.folder, "changed.json");
    writeFileSync(changed, project.lock!.replace("192.0.2.0/24", "192.0.2.0/23"));
    expect(() => publishedRanges("cloud", { file: changed })).toThrow(
      'the ranges of "cloud" were changed by hand, so their SHA-256 is another one',
    );
  });
});
