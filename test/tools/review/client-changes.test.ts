import fc from "../../support/fast-check";
import { ClientLog, Times } from "../../../src/tools/access/client-log";
import { clientChanges } from "../../../src/tools/review/client-changes";
import { most20 } from "../../../src/schema/text/phrase";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { json } from "../../../src/tools/review/output/json-report";
import { formatAddress } from "../../../src/schema/formats/cidr";
import { previewOf } from "./access-preview";
import type { Network } from "./access-preview";
import { reviewText, urnOf, writtenPreview } from "./support";
import type { Written } from "./support";
import { unknown } from "../../../src/schema/unknown";
import { readPreview } from "../../support/recorded";

const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
const after = { ...before, rules: [{ ...rule, cidr: "203.0.112.0/25" }] };
const text = previewOf(before, after);

function logOf(lines: string, field?: string, size = 7): ClientLog {
  const log = new ClientLog(field);
  const bytes = Buffer.from(lines);
  for (let i = 0; i < bytes.length; i += size) log.push(bytes.subarray(i, i + size));
  log.end();
  return log;
}
const changesOf = (lines: string, field?: string, resource?: string) =>
  clientChanges(readPreview(text), logOf(lines, field), resource);

/** Every IPv4 address that a client can have. */
const clientAddress = fc.ipV4().filter((address) => !address.startsWith("0."));

/** The address that a log counts of a line. */
const clientIn = (line: string): string | undefined =>
  [...logOf(line).clients()].map(({ bytes }) => formatAddress(bytes))[0];

describe("the first address of a line", () => {
  it.each<[string, string | undefined]>([
    ['203.0.113.7 - - [21/Nov/2026:10:11:12 +0000] "GET / HTTP/1.1" 200', "203.0.113.7"],
    ["2026-11-21T10:11:12.345Z client=203.0.113.7:52113 upstream=10.0.0.1", "203.0.113.7"],
    ["10:11:12 accepted [2001:DB8:0::7]:443", "2001:db8::7"],
    ["::ffff:203.0.113.7 connected", "203.0.113.7"],
    ["[::1]:80", "::1"],
    ["no address, version 1.2.3, time 10:11:12", undefined],
    ["999.1.1.1 then 192.0.2.1", "192.0.2.1"],
    ["", undefined],
    ["::ffff:cb00:7107 connected", "203.0.113.7"],
    ["64:ff9b::cb00:7107 through a gateway", "64:ff9b::cb00:7107"],
    ["db::cache: miss of 203.0.113.7", "203.0.113.7"],
    ["db::cache: miss", undefined],
    ["worker :: started", undefined],
    ["a::b and c::d:1", undefined],
    ["listening on 0.0.0.0:443 and [::]:443", undefined],
    ["fe80::1x then fe80::2", "fe80::2"],
  ])("%s", (line, address) => expect(clientIn(line)).toBe(address));

  it.each<[string, string, string]>([
    ["2026-11-21T10:11:12 a", "2026-11-21T10:11:12+02:00 b", "2026-11-21T08:11:12Z"],
    ["2026-11-21 10:11:12 a", "2026-11-21 10:11:12 -0500 b", "2026-11-21T15:11:12Z"],
    ["2026-11-21T10:11:12Z a", "2026-11-21T10:11:12,345Z b", "2026-11-21T10:11:12Z"],
    ["21/Nov/2026:10:11:12 +0000 a", "b 21/Nov/2026:10:11:12 +0100", "2026-11-21T09:11:12Z"],
    ["2026-11-21T10:11:12Z a", "2020-01-01T00:00:00Z 2026-11-21T10:11:12Z", "2020-01-01T00:00:00Z"],
  ])("after the line %s is that of %s", (before, line, time) => {
    const times = new Times();
    times.in(before);
    expect(times.in(line)).toBe(Date.parse(time));
    expect(times.in(line)).toBe(Date.parse(time));
  });

  it("is found in any text without an error", () => {
    fc.assert(
      fc.property(fc.string(), clientAddress, (some, address) => {
        clientIn(some);
        expect(clientIn(`(${address}) ${some}`)).toBe(address);
      }),
    );
  });
});

describe("the first time of a line", () => {
  it.each<[string, string | undefined]>([
    ['203.0.113.7 - - [21/Nov/2026:10:11:12 +0130] "GET /?2001-01-01T00:00:00Z" 200', "2026-11-21T08:41:12Z"],
    ["2026-11-21T10:11:12.345Z client=203.0.113.7", "2026-11-21T10:11:12Z"],
    ['{"ip":"203.0.113.7","ts":"2026-11-21T10:11:12+01:00"}', "2026-11-21T09:11:12Z"],
    ["2026-11-21 10:11:12,345 203.0.113.7", "2026-11-21T10:11:12Z"],
    ["2026-11-21 10:11:12 -0500 203.0.113.7", "2026-11-21T15:11:12Z"],
    ["2026-13-41T10:11:12Z 203.0.113.7", undefined],
    ["99/Nov/2026:10:11:12 +0000 203.0.113.7", undefined],
    ["Nov 21 10:11:12 host 203.0.113.7", undefined],
    ["", undefined],
  ])("%s", (line, time) => {
    const found = new Times().in(line);
    expect(found === undefined ? undefined : new Date(found).toISOString().replace(".000", "")).toBe(time);
  });

  it("is found in any text without an error", () => {
    fc.assert(
      fc.property(fc.string(), (some) => {
        const found = new Times().in(`${some}2026-11-21T10:11:12Z`);
        expect(found === undefined || Number.isSafeInteger(found)).toBe(true);
      }),
    );
  });

  it("shows the time that the lines with an address cover, in any order", () => {
    const log = logOf(
      [
        "2026-11-22T00:00:00Z 203.0.113.7",
        "2026-11-21T00:00:00Z 203.0.113.8",
        "203.0.113.8 without a time",
        "2020-01-01T00:00:00Z without an address",
      ].join("\n"),
    );
    expect([log.linesWithAddress, log.linesWithTime]).toEqual([3, 2]);
    expect(log.covers).toEqual({
      from: Date.parse("2026-11-21T00:00:00Z"),
      until: Date.parse("2026-11-22T00:00:00Z"),
    });
    expect(logOf("203.0.113.7").covers).toBeUndefined();
  });
});

it("counts the clients that lose and gain access, with their requests and their last line", () => {
  const lines = [
    "203.0.113.7 a",
    "192.0.2.1 b",
    "203.0.113.7 c",
    "203.0.112.9 d",
    "203.0.113.8 secret=x",
  ].join("\n");
  expect(changesOf(lines)).toEqual([
    {
      ...{ type: "TcpEdge", name: "database", urn: expect.any(String) as string, isOwnLog: false },
      losing: [
        { address: "203.0.113.7", requests: 2, lastLine: 3 },
        { address: "203.0.113.8", requests: 1, lastLine: 5 },
      ],
      gaining: [{ address: "203.0.112.9", requests: 1, lastLine: 4 }],
      counts: { losing: { clients: 2, requests: 3 }, gaining: { clients: 1, requests: 1 } },
    },
  ]);
});

it("reads a member of JSON lines, also a nested one, and skips lines that are none", () => {
  const lines = ['{"http":{"client":"203.0.113.7"},"ip":"192.0.2.1"}', "{broken", '{"http":1}', ""].join(
    "\n",
  );
  expect(changesOf(lines, "http.client")[0]!.losing).toEqual([
    { address: "203.0.113.7", requests: 1, lastLine: 1 },
  ]);
  expect(changesOf(lines, "ip")).toEqual([]);
});

it("lists the clients with most requests, and counts the others", () => {
  const lines = Array.from({ length: 200 }, (_, i) => `203.0.113.${i}\n`.repeat(i === 150 ? 9 : 1)).join("");
  const [change] = changesOf(lines);
  expect(change!.losing).toHaveLength(most20);
  expect(change!.losing[0]).toMatchObject({ address: "203.0.113.150", requests: 9 });
  expect(change!.counts.losing).toEqual({ clients: 200, requests: 208 });
});

it("counts each address of any log as a map of texts does", () => {
  const address = fc.oneof(
    clientAddress,
    fc.ipV6().filter((each) => clientIn(each) !== undefined),
    fc.constantFrom("::1", "1.0.0.0", "ffff::", "255.255.255.255"),
  );
  fc.assert(
    fc.property(fc.array(address, { maxLength: 200 }), (addresses) => {
      const wanted = new Map<string, { requests: number; lastLine: number }>();
      for (const [i, each] of addresses.entries()) {
        const key = clientIn(each)!;
        wanted.set(key, { requests: (wanted.get(key)?.requests ?? 0) + 1, lastLine: i + 1 });
      }
      const counted = [...logOf(addresses.join("\n")).clients()];
      expect(counted.map(({ bytes, ...count }) => [formatAddress(bytes), count])).toEqual([...wanted]);
    }),
  );
});

it("counts a hundred thousand addresses, IPv6 among them", () => {
  const lines = Array.from({ length: 100_000 }, (_, i) =>
    i % 2 === 0
      ? `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
      : `2001:db8::${(i >> 8).toString(16)}:${(i & 255).toString(16)}`,
  );
  const log = logOf([...lines, ...lines].join("\n"), undefined, 65_536);
  const counted = new Map(
    [...log.clients()].map(({ bytes, requests, lastLine }) => [formatAddress(bytes), [requests, lastLine]]),
  );
  expect(counted.size).toBe(lines.length);
  for (const [i, line] of lines.entries()) {
    if (i % 997 === 0) expect(counted.get(clientIn(line)!)).toEqual([2, lines.length + i + 1]);
  }
});

it("knows the log of one resource", () => {
  expect(changesOf("203.0.113.7", undefined, "TcpEdge database")[0]!.isOwnLog).toBe(true);
  expect(changesOf("203.0.113.7", undefined, "TcpEdge other")).toEqual([]);
});

it("collapses more than five clients, and shows fewer at once", () => {
  const formsOf = (count: number): string[] => {
    const lines = Array.from({ length: count }, (_, i) => `203.0.113.${i}`);
    const made = { ...reviewText(text), clients: changesOf(lines.join("\n")) };
    return [markdown(made), htmlReview(made)];
  };
  const folded = (form: string): boolean => /<details>\s*<summary>[^<]*clients[^<]*<\/summary>/.test(form);
  expect(formsOf(5).map(folded)).toEqual([false, false]);
  expect(formsOf(6).map(folded)).toEqual([true, true]);
  for (const form of formsOf(6)) expect(form).toContain("203.0.113.5: 1 request, last in line 6");
});

it("says of each client what a naive comparison of its address says", () => {
  const last = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(112, 113), last)), (clients) => {
      const lines = clients.map(([net, host]) => `203.0.${net}.${host}`);
      const [change] = changesOf(lines.join("\n"));
      const losing = new Set(lines.filter((_, i) => clients[i]![0] === 113)).size;
      const gaining = new Set(lines.filter((_, i) => clients[i]![0] === 112 && clients[i]![1] < 128)).size;
      expect([change?.counts.losing.clients ?? 0, change?.counts.gaining.clients ?? 0]).toEqual([
        losing,
        gaining,
      ]);
    }),
  );
});

it.each([
  ["terminal", terminal],
  ["markdown", markdown],
  ["html", htmlReview],
  ["json", json],
] as const)("the review as %s shows addresses and counts, and nothing else of the log", (name, form) => {
  const log = "203.0.113.7 password=hunter2 \u001b[2J ::error::\n203.0.112.9 <script>";
  const made = { ...reviewText(text), clients: changesOf(log) };
  const shown = form(made);
  expect(shown).toContain("203.0.113.7");
  if (name !== "json")
    expect(shown).toMatch(
      /1 client with 1 request loses access[^]*1 client with 1 request gains access[^]*all clients of the file/,
    );
  expect(shown).not.toMatch(/hunter2|password=|::error::|<script>/);
  const none = form({ ...reviewText(text), clients: [] });
  expect(none).toContain(name === "json" ? '"clients": []' : "No client of the log gains or loses access");
});

describe("hygiene/unused-rule", () => {
  const used = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
  const idle = { name: "vpn", policy: "office", action: "allow", cidr: "198.51.100.7/32" } as const;
  const known = { policies: ["office"], rules: [used, idle], edges: { database: ["office"] } };
  const saidOf = (old: Network, next: Network, lines: string, resource?: string): string[] => {
    const logs = [{ log: logOf(lines), resource }];
    const { findings } = reviewText(previewOf(old, next), { logs });
    return findings.flatMap(({ rule: id, name, message }) =>
      id === "hygiene/unused-rule" ? [`${name}: ${message}`] : [],
    );
  };
  const unused = 'vpn: no client of the log used allow 198.51.100.7/32 at TcpEdge "database"';

  it("names the rules that no client of the log used, though nothing changes", () => {
    expect(saidOf(known, known, "203.0.113.7")).toEqual([unused]);
    expect(saidOf(known, known, "203.0.113.7\n198.51.100.7")).toEqual([]);
    expect(reviewText(previewOf(known, known)).findings).toEqual([]);
  });

  it("is one finding for a rule set", () => {
    const sets = {
      office: { "203.0.113.0/24": "allow", "192.0.2.1/32": "allow", "192.0.2.2/32": "deny" },
    } as const;
    const network = { ...known, rules: [], sets };
    expect(saidOf(network, network, "203.0.113.7")).toEqual([
      'set-office: no client of the log used allow 192.0.2.1/32 at TcpEdge "database"; and 1 more range',
    ]);
  });

  it("says nothing of rules that the deployment adds or removes, of shadowed ones, and of places without a log", () => {
    const added = { ...idle, name: "new", cidr: "192.0.2.0/24" };
    expect(saidOf(known, { ...known, rules: [used, added] }, "203.0.113.7")).toEqual([]);
    const inside = { ...idle, cidr: "203.0.113.64/26" };
    const shadowed = { ...known, rules: [used, inside] };
    expect(saidOf(shadowed, shadowed, "203.0.113.7")).toEqual([]);
    const two = { ...known, edges: { database: ["office"], other: ["office"] } };
    expect(saidOf(two, two, "203.0.113.7", "TcpEdge database")).toEqual([]);
    expect(saidOf(two, two, "203.0.113.7", "TcpEdge *")).toEqual([
      `${unused}, TcpEdge "other"`.replace(",", " and"),
    ]);
  });

  it("says nothing of a rule that a place without a log may need, whose policy only the deployment shows", () => {
    const same = (type: string, name: string, inputs: NonNullable<Written["before"]>): Written => ({
      ...{ type, name, id: `${name}_1`, before: inputs, after: inputs },
    });
    const policies = ["office", "guests"].map((name): Written => ({
      ...same("IpPolicy", name, {}),
      id: `ipp_${name}`,
    }));
    const rules = [used, idle].map(({ name, action, cidr }) =>
      same("IpPolicyRule", name, { ipPolicyId: "ipp_office", action, cidr }),
    );
    const edge = (name: string, ids: readonly string[], from: Written["from"] = {}): Written => ({
      ...{ ...same("TcpEdge", name, { ipRestriction: { ipPolicyIds: ids } }), from },
    });
    const either = { ipRestriction: policies.map(({ name }) => urnOf("IpPolicy", name)) };
    const saidBeside = (...others: Written[]): string[] => {
      const text = writtenPreview([...policies, ...rules, edge("database", ["ipp_office"]), ...others]);
      const logs = [{ log: logOf("203.0.113.7"), resource: "TcpEdge database" }];
      return reviewText(text, { logs })
        .findings.filter(({ rule: id }) => id === "hygiene/unused-rule")
        .map(({ name }) => name);
    };
    expect(saidBeside()).toEqual(["vpn"]);
    expect(saidBeside(edge("other", [unknown], either))).toEqual([]);
  });
});
