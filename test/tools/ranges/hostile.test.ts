/** Whatever a source sends, `ranges pull` ends with a clear error, and the lock file is as it was. */
import { writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { hasControls } from "../../../src/schema/text/escape";
import { publisher, RangesProject, sends } from "./support";

const source = publisher();
const stranger = publisher({ trusted: false });
const good = "192.0.2.0/24\n198.51.100.0/24\n";

const json = (value: unknown): RequestListener =>
  sends(JSON.stringify(value), { "content-type": "application/json" });
const redirect =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
const many = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${11 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`).join("\n");
const inJson = { format: "json", path: "prefixes[].cidr" };

/** What the source answers, how it is declared, and the message. */
const attacks: Record<string, [RequestListener, object, RegExp]> = {
  "nothing at all": [sends(""), {}, /holds 0 ranges, and its smallest number is 1/],
  "a comment that no line ends": [sends(`${"#".repeat(4 * 1024 * 1024)}\r;`), {}, /holds 0 ranges/],
  "comments alone": [sends("# none\n; none\n"), {}, /holds 0 ranges/],
  "fewer ranges than the smallest number": [
    sends(good),
    { smallest: 3 },
    /holds 2 ranges, and its smallest number is 3/,
  ],
  "fewer bytes than it announces": [
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": 100 });
      response.write(good);
      setTimeout(() => response.destroy(), 20);
    },
    {},
    /sent no complete answer: .*\. It is not used/,
  ],
  "a list in pieces that ends early": [
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write(good);
      setTimeout(() => response.destroy(), 20);
    },
    {},
    /sent no complete answer/,
  ],
  "a list of which nobody knows the end": [
    (request) => {
      request.socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n${good}`);
    },
    {},
    /does not say how long its answer is, so a part of it may be missing/,
  ],
  "JSON that breaks off": [
    sends('{"prefixes": [{"cidr": "192.0.2.0/24"}'),
    inJson,
    /sends 38 characters that are not JSON/,
  ],
  "more than 16 MiB": [
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const line = Buffer.alloc(1024 * 1024, "#");
      const more = (): void => {
        while (!response.destroyed) if (!response.write(line)) return void response.once("drain", more);
      };
      more();
    },
    {},
    /it is longer than 16 MiB/,
  ],
  "more than 100,000 ranges": [sends(many(100_001)), {}, /holds more than 100,000 ranges/],
  "what is no range": [
    sends("192.0.2.0/24\noffice\n"),
    {},
    /something else than ranges: "office" does not begin with/,
  ],
  "a range with host bits": [sends("192.0.2.1/24\n"), {}, /"192\.0\.2\.1\/24" has host bits set/],
  "a number in the place of a range": [
    json({ prefixes: [{ cidr: 7 }] }),
    inJson,
    /a number instead of a text/,
  ],
  "a text with characters that control a terminal": [
    sends("192.0.2.0/24\n\u001b[2J\u202eevil\n"),
    {},
    /something else than ranges: "\\u001b\[2J\\u202eevil"/,
  ],
  "a text that is a command of a CI": [
    sends("::stop-commands::x\n"),
    {},
    /something else than ranges: "::stop-commands::x"/,
  ],
  "private ranges": [
    sends("10.0.0.0/8\n"),
    {},
    /holds 10\.0\.0\.0\/8, a range of the kind private\. .* add private to its mayHold/,
  ],
  "a private range in IPv6": [sends("fd00::/16\n"), {}, /fd00::\/16, a range of the kind private/],
  "an address of this machine": [sends("127.0.0.1\n"), {}, /127\.0\.0\.1\/32, a range of the kind loopback/],
  "the address of cloud metadata": [sends("169.254.169.254\n"), {}, /of the kind linkLocal/],
  "an IPv4 address in IPv6": [sends("::ffff:0:0/96\n"), {}, /of the kind reserved/],
  "all of IPv4 in IPv4-compatible addresses": [sends("::/96\n"), {}, /holds ::\/96, a range of the kind/],
  "an IPv4-compatible address": [sends("::c000:201\n"), {}, /of the kind reserved/],
  "all of IPv4, translated": [sends("::ffff:0:0:0/96\n"), {}, /of the kind reserved/],
  "a range of translated addresses": [sends("::ffff:0:c000:0/112\n"), {}, /of the kind reserved/],
  everything: [sends("0.0.0.0/0\n"), {}, /holds 0\.0\.0\.0\/0, a range of the kind default/],
  "everything in IPv6": [sends("::/0\n"), {}, /holds ::\/0, a range of the kind default/],
  "a half of everything": [sends("0.0.0.0/1\n128.0.0.0/1\n"), {}, /of the kind default/],
  "everything in small parts": [
    sends(Array.from({ length: 256 }, (_, i) => `${i}.0.0.0/8`).join("\n")),
    { largestChange: { percent: 1_000_000 } },
    /holds 0\.0\.0\.0\/8, a range of the kind reserved/,
  ],
  "a redirect to another host": [
    redirect("https://example.com/ranges.txt"),
    {},
    /redirects to "https:\/\/example\.com": only https addresses of 127\.0\.0\.1:\d+ without credentials are followed/,
  ],
  "a permanent redirect to another host": [
    redirect("https://example.com/", 308),
    {},
    /redirects to "https:\/\/example\.com"/,
  ],
  "a redirect to another port": [
    redirect("https://127.0.0.1:1/"),
    {},
    /redirects to "https:\/\/127\.0\.0\.1:1"/,
  ],
  "a redirect to http": [redirect("http://127.0.0.1/"), {}, /redirects to "http:\/\/127\.0\.0\.1"/],
  "a redirect with credentials": [
    (request, response) => redirect(`https://me:secret@${request.headers.host}/x`)(request, response),
    {},
    /redirects to "https:\/\/127/,
  ],
  "a redirect to nowhere": [redirect("https://"), {}, /redirects to/],
  "redirects without end": [redirect("/again"), {}, /redirects more than 3 times/],
  "a page": [
    sends("<html>192.0.2.0/24</html>", { "content-type": "text/html" }),
    {},
    /sent a page \("text\/html"\)/,
  ],
  "an error": [
    (_request, response) => void response.writeHead(503).end(good),
    {},
    /answered with the status 503 instead of 200/,
  ],
  "a part of the list": [
    (_request, response) => void response.writeHead(206, { "content-length": good.length }).end(good),
    {},
    /answered with the status 206/,
  ],
  "no change, without a list": [(_request, response) => void response.writeHead(304).end(), {}, /status 304/],
  "a compressed list": [sends(good, { "content-encoding": "gzip" }), {}, /a compressed answer \("gzip"\)/],
  "nothing in time": [() => undefined, {}, /did not send its whole answer within 1 second\b/],
  "one byte at a time": [
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": 1000 });
      const timer = setInterval(() => response.write("#"), 100);
      response.on("close", () => clearInterval(timer));
    },
    {},
    /did not send its whole answer within 1 second\b/,
  ],
  "JSON of another form": [
    json({ networks: [] }),
    inJson,
    /holds nothing at prefixes\[\]\.cidr that its filter accepts/,
  ],
  "an object where a list should be": [
    json({ prefixes: { cidr: "192.0.2.0/24" } }),
    inJson,
    /holds no list where the path "prefixes\[\]\.cidr" says so/,
  ],
  "names of prototypes": [
    json({ prefixes: [{ name: "x" }] }),
    { format: "json", path: "prefixes[].constructor.name" },
    /holds nothing at/,
  ],
  "nothing that the filter accepts": [
    json({ prefixes: [{ cidr: "192.0.2.0/24", service: "other" }] }),
    { ...inJson, filter: { service: "egress*" } },
    /holds nothing at prefixes\[\]\.cidr that its filter accepts/,
  ],
  "an object without a text where a filter looks": [
    json({ prefixes: [{ cidr: "192.0.2.0/24", service: { toString: 1 } }] }),
    { ...inJson, filter: { service: "*" } },
    /holds nothing at prefixes\[\]\.cidr that its filter accepts/,
  ],
  "no range of the family": [sends(good), { family: "ipv6" }, /holds 0 ranges/],
  "many more addresses": [
    sends(`${good}203.0.113.0/24\n`),
    {},
    /changes 256 addresses of IPv4, and had 512: its largest change is at most 25 %/,
  ],
  "other addresses": [
    sends("203.0.113.0/24\n198.51.100.0/24\n"),
    { largestChange: { percent: 99 } },
    /changes 512 addresses of IPv4/,
  ],
  "more addresses than a number": [
    sends(`${good}203.0.113.6/31\n`),
    { largestChange: { ipv4: 1 } },
    /changes 2 addresses of IPv4, and had 512: its largest change is at most 1\./,
  ],
  "addresses of a family that it had none of": [
    sends(`${good}2001:db8::/48\n`),
    {},
    /addresses of IPv6, and had 0/,
  ],
};
const withLock = async (): Promise<[RangesProject, string]> => {
  const project = new RangesProject();
  source.serve(sends(good));
  project.source(source.url);
  expect(await project.run("pull")).toMatchObject({ code: 0 });
  return [project, project.lock!];
};

it.each(Object.entries(attacks))(
  "a source that sends %s is an error, and the lock file stays",
  async (_, [answer, more, message]) => {
    const [project, before] = await withLock();
    source.serve(answer);
    source.seen.length = 0;
    const seconds = message.source.includes("within 1 second") ? "1" : "60";
    project.source(source.url, more);
    for (const command of ["pull", "check"] as const) {
      const { code, stdout } = await project.run(command, "--timeout", seconds);
      expect(stdout).toMatch(message);
      expect(stdout).toContain("the source cloud");
      expect(hasControls(stdout.replaceAll("\n", ""))).toBe(false);
      expect(stdout).not.toMatch(/^\s*::/m);
      expect(code).toBe(1);
    }
    expect(project.lock).toBe(before);
    expect(project.files).toEqual(["ranges.lock.json", "ranges.yaml"]);
    // No key of an account leaves for a source.
    expect(source.seen.length).toBeGreaterThan(0);
    for (const headers of source.seen) {
      expect(headers.authorization).toBeUndefined();
      expect(JSON.stringify(headers)).not.toContain("key-of-the-account");
    }
  },
);

it("refuses a certificate of an authority that it does not know", async () => {
  const [project, before] = await withLock();
  stranger.serve(sends(good));
  project.source(stranger.url);
  const { code, stdout } = await project.run("pull", "--accept", "cloud");
  expect(stdout).toMatch(/sent no complete answer: .*certificate/);
  expect(code).toBe(1);
  expect(stranger.seen).toEqual([]);
  expect(project.lock).toBe(before);
});

it("refuses another host in ranges.yaml until somebody accepts it", async () => {
  const [project, before] = await withLock();
  project.source(`https://localhost:${source.port}`);
  const moved = await project.run("pull");
  expect(moved.stdout).toMatch(
    /the source cloud moved from the host 127\.0\.0\.1:\d+ to localhost:\d+\. Check the source\. To accept it once, run "tunnel-gateway ranges pull --accept cloud"/,
  );
  expect(moved.code).toBe(1);
  expect(project.lock).toBe(before);
  expect((await project.run("pull", "--accept", "cloud")).code).toBe(0);
  expect(project.lock).toContain(`"https://localhost:${source.port}"`);
});

it("accepts the change of the named source alone, and of others as many addresses as they may change", async () => {
  const [project] = await withLock();
  const mayHold = ["documentation"];
  const pull = (ipv4: number) => {
    const other = { name: "other", url: source.url, mayHold, largestChange: { ipv4 } };
    project.write({ sources: [{ name: "cloud", url: source.url, mayHold }, other] });
    return project.run("pull", "--accept", "cloud");
  };
  await pull(1);
  source.serve(sends(`${good}203.0.113.6/31\n`));
  const { code, stdout } = await pull(1);
  expect(stdout).toContain("the source other changes");
  expect(code).toBe(1);
  expect(project.lock).not.toContain("203.0.113.6/31");
  expect((await pull(2)).code).toBe(0);
  expect(project.lock).toContain("203.0.113.6/31");
});

it("refuses a host that nobody serves", async () => {
  const [project, before] = await withLock();
  project.source("https://127.0.0.1:9/ranges.txt");
  const { code, stdout } = await project.run("pull", "--accept", "cloud");
  expect(stdout).toMatch(/sent no complete answer: .*ECONNREFUSED/);
  expect(code).toBe(1);
  expect(project.lock).toBe(before);
});

it("writes nothing if one of several sources is wrong, and says what is wrong with each", async () => {
  const [project, before] = await withLock();
  source.serve((request, response) => {
    if (request.url === "/a") return sends("10.0.0.0/8\n")(request, response);
    if (request.url === "/b") return sends("")(request, response);
    sends(`${good}203.0.113.0/28\n`)(request, response);
  });
  const mayHold = ["documentation"];
  project.write({
    sources: [
      { name: "cloud", url: source.url, mayHold },
      { name: "a", url: `${source.url}/a`, mayHold },
      { name: "b", url: `${source.url}/b`, mayHold },
    ],
  });
  const { code, stdout } = await project.run("pull");
  expect(stdout).toMatch(/the source a holds 10\.0\.0\.0\/8[^]*the source b holds 0 ranges/);
  expect(code).toBe(1);
  expect(project.lock).toBe(before);
});

it.each<[string, unknown, RegExp]>([
  ["http", { name: "a", url: "http://example.com/" }, /the source a: the url must be an https URL/],
  ["a file", { name: "a", url: "file:///etc/passwd" }, /must be an https URL/],
  [
    "credentials in a URL",
    { name: "a", url: "https://me:pw@example.com/" },
    /must contain no user name and no password/,
  ],
  ["a password in a URL", { name: "a", url: "https://:pw@example.com/" }, /must contain no user name/],
  [
    "a filter of text",
    { name: "a", url: "https://example.com/", filter: { service: "x" } },
    /path and filter are for the format json/,
  ],
  ["a control character in a URL", { name: "a", url: "https://example.com/\u0007" }, /must be an https URL/],
  ["no URL", { name: "a" }, /sources\[0\]\.url must be a text/],
  [
    "a wrong name",
    { name: "A b", url: "https://example.com/" },
    /sources\[0\]\.name must be a name of at most 63/,
  ],
  [
    "a name of prototypes",
    { name: "__proto__", url: "https://example.com/" },
    /sources\[0\]\.name must be a name/,
  ],
  [
    "a member that does not exist",
    { name: "a", url: "https://example.com/", limit: 1 },
    /sources\[0\]\.limit is not known: sources\[0\] may have name, url, /,
  ],
  [
    "JSON without a path",
    { name: "a", url: "https://example.com/", format: "json" },
    /the source a: the format json needs a path/,
  ],
  [
    "a path into text",
    { name: "a", url: "https://example.com/", path: "a[]" },
    /path and filter are for the format json/,
  ],
  [
    "a wrong path",
    { name: "a", url: "https://example.com/", format: "json", path: "a[0]" },
    /must be a path such as prefixes\[\]\.cidr/,
  ],
  [
    "a wrong percentage",
    { name: "a", url: "https://example.com/", largestChange: { percent: 0 } },
    /percent must be a number above 0/,
  ],
  [
    "a wrong kind",
    { name: "a", url: "https://example.com/", mayHold: ["all"] },
    /mayHold\[0\] must be one of default, private/,
  ],
])("refuses sources with %s", async (_, wrong, message) => {
  const project = new RangesProject();
  project.write({ sources: [wrong] });
  const { code, stderr } = await project.run("pull");
  expect(stderr).toMatch(message);
  expect(stderr).toContain("ranges.yaml cannot be used");
  expect(code).toBe(1);
  expect(project.lock).toBeUndefined();
});

it("refuses a file of sources that is missing, no YAML, too long or has a name twice", async () => {
  const project = new RangesProject();
  expect((await project.run("pull")).stderr).toMatch(/there is no file .*ranges\.yaml/);
  project.write("sources: [\n");
  expect((await project.run("pull")).stderr).toMatch(/ranges\.yaml cannot be used: /);
  project.write(`# ${"x".repeat(1024 * 1024)}\nsources: []\n`);
  expect((await project.run("pull")).stderr).toMatch(/is longer than 1 MiB/);
  const twin = { name: "a", url: "https://example.com/" };
  project.write({ sources: [twin, twin] });
  expect((await project.run("pull")).stderr).toMatch(/the source a: its name is that of another source/);
  expect(project.lock).toBeUndefined();
});

it("refuses a lock file that somebody changed, and one that is none", async () => {
  const [project, before] = await withLock();
  source.serve(sends(good));
  for (const changed of [
    before.replace("192.0.2.0/24", "192.0.0.0/16"),
    before.slice(0, -20),
    "{}",
    '{"version":2}',
  ]) {
    writeFileSync(project.lockFile, changed);
    const { code, stderr } = await project.run("pull");
    expect(stderr).toMatch(/the ranges of "cloud" were changed by hand|is not a lock file of this version/);
    expect(code).toBe(1);
    expect(project.lock).toBe(changed);
  }
});

it("refuses to accept a source that there is not", async () => {
  const [project, before] = await withLock();
  const { code, stderr } = await project.run("pull", "--accept", "clout");
  expect(stderr).toContain("ranges.yaml has no source clout");
  expect(code).toBe(1);
  expect(project.lock).toBe(before);
});
