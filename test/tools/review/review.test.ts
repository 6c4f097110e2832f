import { readConfig } from "../../../src/tools/review/config-file";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { annotations } from "../../../src/tools/review/output/annotations";
import { json } from "../../../src/tools/review/output/json-report";
import { sarif } from "../../../src/tools/review/output/sarif";
import { outcomeOf } from "../../../src/tools/review/outcome";
import { catalog } from "../../../src/tools/review/rules";
import { parseSilence } from "../../../src/tools/review/silence";
import { thousandChanges } from "./many";
import {
  findingsOf,
  previewText,
  rehearsedReview,
  reviewText,
  tcpEdge,
  writtenPreview,
  type Written,
} from "./support";
import { quickstartFinds } from "../../fixtures/previews/scenarios";

const now = Date.parse("2026-11-21T12:00:00Z");
const pullRequest = previewText("pull-request");

describe("the review", () => {
  it("finds no error in the quickstart, one warning and two correct notes", async () => {
    expect(await findingsOf(previewText("example-quickstart"))).toEqual(quickstartFinds);
  });

  it("separates existing findings from those that the deployment causes", () => {
    const made = reviewText(previewText("nothing-changed").replace(/"action":"deny"/g, '"action":"allow"'), {
      now,
    });
    expect(made.findings).toEqual([]);
    expect(made.existing.map(({ rule, name }) => [rule, name])).toEqual([
      ["access/unguarded", "api"],
      ["hygiene/shadowed-rule", "guests"],
    ]);
    expect(markdown(made)).toContain("2 findings that this deployment does not cause");
  });

  it("skips the rules that need unchanged resources, and says so", () => {
    const partial = pullRequest.split("\n").filter((line) => !line.includes('"op":"same"'));
    const made = reviewText(partial.join("\n"), { now });
    expect(made.skippedRules).toContain("hygiene/shadowed-rule");
    expect(made.findings.map(({ rule }) => rule)).not.toContain("hygiene/shadowed-rule");
    expect(markdown(made)).toContain("run the preview with --show-sames");
  });

  it("reads a preview printed as a stream of events, and refuses other input", async () => {
    const { steps, changeSummary } = JSON.parse(pullRequest) as {
      steps: Record<string, unknown>[];
      changeSummary: object;
    };
    const events: object[] = steps.map(({ op, urn, oldState, newState, replaceReasons }, sequence) => ({
      sequence,
      resourcePreEvent: { metadata: { op, urn, old: oldState, new: newState, keys: replaceReasons } },
    }));
    events.push({ sequence: events.length, summaryEvent: { resourceChanges: changeSummary } });
    const stream = events.map((event) => JSON.stringify(event)).join("\n");
    expect(await findingsOf(stream)).toEqual(await findingsOf(pullRequest));
    for (const text of ["", "no JSON", "[]", "{", "{}"])
      expect(() => reviewText(text)).toThrow("pulumi preview --json");
  });

  it("reports the errors of a failed preview", () => {
    const failed = JSON.stringify({
      steps: [],
      diagnostics: [{ severity: "error", message: "wrong <arguments>" }],
    });
    const made = reviewText(failed, { now });
    expect(made.errors).toEqual(["wrong <arguments>"]);
    expect(markdown(made)).toContain("**The preview failed:** wrong &lt;arguments&gt;");
  });

  it("shows no secret of a preview made with --show-secrets", () => {
    const shown = pullRequest.replace(/"\[secret\]"/g, JSON.stringify("TOP-SECRET"));
    const made = reviewText(shown, { now });
    for (const text of [
      markdown(made),
      terminal(made),
      json(made),
      sarif(made),
      annotations(made),
      htmlReview(made),
    ]) {
      expect(text).not.toContain("TOP-SECRET");
    }
  });

  it("counts the requests, and the time that the rate limit makes them take", async () => {
    const { cost } = await rehearsedReview(thousandChanges(1000), { now });
    const sent = {
      requests: 1000,
      writes: { PATCH: 333, DELETE: 333, POST: 334 },
      isLowerBound: false,
      lists: [],
    };
    expect(cost).toEqual({ ...sent, requestsPerMinute: 120, seconds: 480 });
    const made = await rehearsedReview(thousandChanges(1000), { now, requestsPerMinute: 600 });
    expect(made.cost!.seconds).toBe(60);
    expect(made.findings.find(({ rule }) => rule === "cost/requests")!.message).toBe(
      "1000 requests at 600 per minute take at least 1 minute",
    );
  });
});

describe("the run of the plan", () => {
  const rule = { cidr: "203.0.113.0/24", action: "allow", ipPolicyId: "ipp_1" };
  const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} };
  const deny: Written = {
    ...{ type: "IpPolicyRule", name: "guests", id: "ipr_1" },
    ...{ before: { ...rule, action: "deny" }, after: { ...rule, action: "deny" } },
  };

  it("finds what the service refuses, and what the deployment then does not reach", async () => {
    const made = await rehearsedReview(
      writtenPreview([
        policy,
        deny,
        { type: "IpPolicyRule", name: "again", after: rule },
        { type: "IpPolicy", name: "unused", id: "ipp_2", before: {} },
      ]),
      { now },
    );
    const refused = made.findings.filter(({ rule }) => rule === "interruption/refused");
    expect(refused).toMatchObject([
      {
        ...{ severity: "error", type: "IpPolicyRule", name: "again", write: "POST /ip_policy_rules" },
        message: expect.stringMatching(
          /^the service refuses it: creating the IP policy rule failed: .* ipr_1.*; 1 later step would not be reached$/,
        ) as string,
      },
    ]);
    expect(refused[0]!.message).not.toMatch(/operation op_|not-shown/);
    expect(terminal(made)).toMatch(/; at least \d requests? \(\d GET, 1 POST\) to the service/);
  });

  it("finds what one step undoes of another", async () => {
    const { before } = deny;
    const text = writtenPreview([
      policy,
      { ...deny, name: "renamed", before: undefined, op: "import" },
      { ...deny, before, after: undefined },
    ]);
    const { findings } = await rehearsedReview(text, { now });
    expect(findings.filter(({ rule }) => rule === "interruption/undone")).toMatchObject([
      {
        name: "renamed",
        message: "after the deployment it is not as declared: another step deletes it",
      },
    ]);
  });

  describe("finds an object of which the state says something else than the account:", () => {
    const { before } = deny;
    const held = {
      ip_policy_rules: [{ id: "ipr_1", ip_policy: { id: "ipp_1" }, cidr: "0.0.0.0/0", action: "deny" }],
    };
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1" },
      before: { ipPolicyId: "ipp_1", rules: { "0.0.0.0/0": "allow" } },
    };
    const wide = { "0.0.0.0/0": "allow" };
    const [inner, described] = ["allow", { action: "allow", description: "x" }].map((each) => ({
      "10.0.0.0/8": each,
    }));
    const changed = (old: object, next: object): Written => ({
      ...set,
      before: { ipPolicyId: "ipp_1", rules: { ...wide, ...old } },
      after: { ipPolicyId: "ipp_1", rules: next },
    });
    const withoutWide = {
      ip_policy_rules: [{ id: "ipr_2", ip_policy: { id: "ipp_1" }, cidr: "10.0.0.0/8", action: "allow" }],
    };
    const place = { edgeId: "edgtls_1", enabled: false };
    const module: Written = { type: "TlsEdgeIpRestriction", name: "admin", id: "edgtls_1", before: place };
    const guarded = {
      tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: true, ip_policies: [{ id: "ipp_1" }] } }],
    };
    const open = { tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: false } }] };
    const subscription = (values: object): Written => {
      const [before, after] = ["old", "new"].map((description) => ({ description, ...values }));
      return {
        type: "EventSubscription",
        name: "audit",
        id: "esb_1",
        before,
        after,
        outputs: { sources: [] },
      };
    };
    const withSource = {
      event_subscriptions: [{ id: "esb_1", description: "old", sources: [{ type: "ip_policy_created.v0" }] }],
    };
    const [kept, gone] = [
      "after the deployment it is not as declared",
      "the deployment may not delete the recorded object",
    ];
    const other = (start: string | undefined, names: string): string[] => [
      `${start}: the account's object has another ${names} than the state records: review it with --refresh`,
    ];

    it.each<[string, Written, object, string[]]>([
      ["a deleted rule", { ...deny, after: undefined }, held, other(gone, '"cidr"')],
      ["a changed rule", { ...deny, after: { ...before, description: "x" } }, held, other(kept, '"cidr"')],
      ["one that stays", deny, held, other(kept, '"cidr"')],
      ["a set", set, held, other(gone, '"rules"')],
      [
        "a set that creates a rule again",
        changed(inner!, { ...wide, ...described }),
        withoutWide,
        other(kept, '"rules"'),
      ],
      ["a set that needs the deleted rule no more", changed(inner!, described!), withoutWide, []],
      ["a set that stays without its rule", changed(inner!, { ...wide, ...inner }), withoutWide, []],
      [
        "a module",
        { ...module, after: { ...place, ipPolicyIds: [] } },
        guarded,
        other(kept, '"enabled" and "ipPolicyIds"'),
      ],
      [
        "one of another place",
        { ...module, before: { ...place, edgeId: "edgtls_2" } },
        open,
        other(gone, '"edgeId"'),
      ],
      ["but not one that is only read", { ...deny, external: true, op: "read" }, held, []],
      [
        "nor one that is equal, in another spelling",
        { ...deny, before: { ...before, cidr: "0.0.0.0/0", ipPolicyId: "ipp_1" }, after: undefined },
        held,
        [],
      ],
      ["nor one that is gone", { ...deny, after: undefined }, { ip_policy_rules: [] }, []],
      ["nor a subscription whose sources are resources of their own", subscription({}), withSource, []],
      [
        "but one that has sources itself",
        subscription({ sources: [] }),
        withSource,
        other(kept, '"sources"'),
      ],
    ])("%s", async (_, resource, lists, expected) => {
      const text = writtenPreview([policy, resource]);
      const { findings } = await rehearsedReview(text, { now }, lists as never);
      const found = findings.filter(({ rule }) => rule === "interruption/undone");
      expect(found.map(({ message }) => message)).toEqual(expected);
    });
  });

  it.each([
    [
      "an old edge has until a later step",
      [
        tcpEdge("new", undefined, { hostports: ["1.TCP.example.com:1"] }),
        tcpEdge("old", { hostports: ["1.tcp.example.com:1"] }, undefined),
      ],
      [
        'new: the service may refuse tcp://1.tcp.example.com:1: it is an address of TcpEdge "old", until a later step of this deployment',
      ],
    ],
    [
      "another new object gets too",
      [
        tcpEdge("one", undefined, { hostports: ["1.tcp.example.com:1"] }),
        {
          type: "CloudEndpoint",
          name: "two",
          after: { url: "tcp://1.tcp.example.com:1", trafficPolicy: "{}" },
        },
      ],
      ['two: the service may refuse tcp://1.tcp.example.com:1: it is an address of TcpEdge "one"'],
    ],
    [
      "an object outside the stack has",
      [tcpEdge("db", { hostports: ["1.tcp.example.com:1"] }, { hostports: ["9.tcp.example.com:1"] })],
      [
        "db: the service may refuse tcp://9.tcp.example.com:1: it is an address of TcpEdge edgtcp_other, which is not in the stack",
      ],
    ],
    [
      "an edge gave up in an earlier step",
      [
        tcpEdge("old", { hostports: ["1.tcp.example.com:1"] }, undefined),
        tcpEdge("new", undefined, { hostports: ["1.tcp.example.com:1"] }),
      ],
      [],
    ],
  ] satisfies [string, Written[], string[]][])("finds an address that %s", async (_, resources, expected) => {
    const stands = resources.flatMap(({ id, before }) => (before ? { id, hostports: before.hostports } : []));
    const others = [{ id: "edgtcp_other", hostports: ["9.tcp.example.com:1"] }];
    const read = { "edges/tcp": [...stands, ...others] };
    const { findings } = await rehearsedReview(writtenPreview(resources), { now }, read);
    const found = findings.filter(({ rule }) => rule === "interruption/address-in-use");
    expect(found.map(({ name, message }) => `${name}: ${message}`)).toEqual(expected);
  });

  it("finds the rules that a policy has outside the stack where an edge gets it", async () => {
    const held = {
      id: "ipr_1",
      cidr: "203.0.113.0/24",
      action: "allow",
      ip_policy: { id: "ipp_1", uri: "" },
    };
    const other = { ...held, id: "ipr_2", cidr: "0.0.0.0/0" };
    const edge = (before: object | undefined) =>
      tcpEdge("db", before && { ipRestriction: { ipPolicyIds: [], ...before } }, {
        ipRestriction: { ipPolicyIds: ["ipp_1"] },
      });
    const kept: Written = { ...deny, before: rule, after: rule };
    const found = async (lists: Record<string, object[]>, before: object | undefined) => {
      const text = writtenPreview([policy, kept, edge(before)]);
      const { findings } = await rehearsedReview(text, { now }, lists as never);
      return findings.filter(({ rule }) => rule === "access/rules-outside").map(({ message }) => message);
    };
    const said = ['it gets "office", which has 1 rule outside the stack: allow 0.0.0.0/0'];
    expect(await found({ ip_policy_rules: [held, other] }, {})).toEqual(said);
    expect(await found({ ip_policy_rules: [held, other] }, undefined)).toEqual(said);
    expect(await found({ ip_policy_rules: [held, other] }, { ipPolicyIds: ["ipp_1"] })).toEqual([]);
    expect(await found({ ip_policy_rules: [held] }, {})).toEqual([]);
    expect(await found({}, {})).toEqual([]);
  });

  it("names the write that causes a finding, that of the resource at fault, and how many others it sends", async () => {
    const text = writtenPreview([
      policy,
      { ...deny, before: rule, after: { ...rule, description: "x" } },
      {
        type: "IpPolicyRuleSet",
        name: "set",
        after: { ipPolicyId: "ipp_2", rules: { "0.0.0.0/0": "allow", "10.0.0.0/8": "deny" } },
      },
      { type: "IpPolicy", name: "wide", id: "ipp_2", before: {}, after: {} },
      tcpEdge(
        "db",
        { hostports: ["1.tcp.example.com:1"] },
        { hostports: ["1.tcp.example.com:1"], ipRestriction: { ipPolicyIds: ["ipp_2"] } },
      ),
    ]);
    const made = await rehearsedReview(text, { now });
    const written = made.findings.map(({ rule, name, write }) => [rule, name, write]);
    expect(written).toContainEqual(["access/open-cidr", "set", "POST /ip_policy_rules and 1 other write"]);
    expect(terminal(made)).toContain("(POST /ip_policy_rules and 1 other write)");
    expect(markdown(made)).toContain("(POST /ip\\_policy\\_rules and 1 other write)");
    expect(JSON.parse(json(made))).toMatchObject({
      cost: { writes: { PATCH: 2, POST: 2 }, isLowerBound: false },
    });
  });
});

describe("silencing", () => {
  const silenced = (text: string) => reviewText(pullRequest, { now, silences: [parseSilence(text)!] });

  it("matches a rule or several, and a resource by name, by type and name, and by URN", () => {
    expect(silenced("access/*=planned").findings).toHaveLength(4);
    expect(silenced("*@guests=planned").findings).toHaveLength(4);
    expect(silenced("*@IpPolicyRule gue*=planned").findings).toHaveLength(4);
    expect(silenced("*@urn:pulumi:*::guests=planned").findings).toHaveLength(4);
    expect(silenced("access/deny-removed@database=planned").findings).toHaveLength(5);
    expect(silenced("access/deny-removed@other=planned").findings).toHaveLength(6);
  });

  it("counts and lists the silenced findings with their reasons, and never fails because of them", () => {
    const made = silenced("access/*=planned with <the> team");
    expect([outcomeOf(made), outcomeOf({ ...made, failOn: "warning" })]).toEqual(["passed", "failed"]);
    expect(made.silenced).toHaveLength(2);
    expect(markdown(made)).toContain("2 silenced findings");
    expect(markdown(made)).toContain("Silenced: planned with &lt;the&gt; team");
    const results = (JSON.parse(sarif(made)) as Sarif).runs[0]!.results;
    expect(results.filter(({ suppressions }) => suppressions).length).toBe(2);
  });

  it("counts a finding that exists already, which it hides", () => {
    const silences = [parseSilence("access/unguarded@api=public")!];
    const made = reviewText(previewText("nothing-changed"), { now, silences });
    expect(made.existing.map(({ rule }) => rule)).not.toContain("access/unguarded");
    expect(made.silences.map(({ findings }) => findings)).toEqual([1]);
  });

  it("is refused without a reason, for an unknown rule, and in a wrong form", () => {
    expect(parseSilence("access/open-cidr")).toBeUndefined();
    const config =
      (silence: unknown, more = {}) =>
      () =>
        readConfig(JSON.stringify({ silence, ...more }));
    expect(() => readConfig("{ ")).toThrow(/^the file is not JSON: /);
    expect(config([{ rule: "access/open-cidr", reason: " " }])).toThrow("needs a reason");
    expect(config([{ rule: "access/opne", reason: "x" }])).toThrow("matches no rule");
    expect(config([{ rule: "access/open-cidr" }])).toThrow("silence[0].reason must be a text");
    expect(config([], { failon: "error" })).toThrow(
      /^failon is not known: did you mean failOn\? the file may have failOn, .*keepAccess$/,
    );
    const tests = [{ resource: "TcpEdge db", alowed: ["203.0.113.7"] }];
    expect(config([], { accessTests: tests })).toThrow(
      "accessTests[0].alowed is not known: did you mean allowed? accessTests[0] may have resource, allowed, denied, " +
        "notAllowed, onlyFrom",
    );
    expect(config([], { colour: "red" })).toThrow(/^colour is not known: the file may have failOn, /);
    expect(config([], { errorFrom: { ipv4: "/33" } })).toThrow(
      "errorFrom.ipv4 must be a number of addresses or a prefix from /0 to /32",
    );
    expect(config([], { errorFrom: { ipv6: 0 } })).toThrow("errorFrom.ipv6 must be a number");
    expect(config([], { errorFrom: "/8" })).toThrow("errorFrom must be {ipv4, ipv6}");
    expect(config([], { failOn: "bad" })).toThrow("failOn must be one of error, warning, note, never");
    const good = {
      failOn: "note",
      requestsPerMinute: 60,
      errorFrom: { ipv4: "/16", ipv6: 1000 },
      silence: [{ rule: "hygiene/*", resource: "a", reason: "b" }],
      accessTests: [{ resource: "TcpEdge db", allowed: ["203.0.113.7"] }],
    };
    expect(readConfig(JSON.stringify(good))).toEqual(good);
  });
});

interface Sarif {
  version: string;
  runs: { tool: { driver: { rules: { id: string }[] } }; results: SarifResult[] }[];
}
interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: string;
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
  suppressions?: object[];
}

describe("the output formats of the review", () => {
  const placed = pullRequest
    .replace(/,"sourcePosition":"[^"]*"/g, "")
    .replace(
      /"newState":\{/g,
      '"newState":{"sourcePosition":"project:///node_modules/x/y.js#1,2","stackTrace":[{"sourcePosition":"project:///gateway/rules.ts#7,3"}],',
    );

  it("are SARIF 2.1.0 whose results point to their rules and to the program", () => {
    const { version, runs } = JSON.parse(sarif(reviewText(placed, { now }))) as Sarif;
    expect(version).toBe("2.1.0");
    const [{ tool, results }] = runs as [Sarif["runs"][number]];
    expect(results).toHaveLength(6);
    for (const { ruleId, ruleIndex, level } of results) {
      expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
      expect(["error", "warning", "note"]).toContain(level);
    }
    // The finding is on the edge; its place is that of the rule that causes it.
    expect(results[1]!.locations[0]!.physicalLocation).toMatchObject({
      artifactLocation: { uri: "gateway/rules.ts" },
      region: { startLine: 7 },
    });
    // A deleted resource has no place in the program.
    expect(results[0]!.locations[0]!.physicalLocation.artifactLocation.uri).toBe("Pulumi.yaml");
  });

  it("are annotations with file and line, each on one line whatever the names contain", () => {
    const lines = annotations(reviewText(placed, { now })).trim().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatch(
      /^::warning file=gateway\/rules\.ts,line=7,title=access\/deny-removed::TcpEdge database: /,
    );
    const odd = annotations(reviewText(placed.replaceAll("::guests", "::gue\\nsts::error::%"), { now }));
    expect(odd.trim().split("\n")).toHaveLength(6);
    expect(odd).toContain("gue%0Asts");
  });

  it("are Markdown in which names are escaped", () => {
    const odd = "::<img src=x>|`@team`";
    const text = markdown(reviewText(pullRequest.replaceAll("::guests", odd), { now }));
    // Names are code spans; in a cell the pipe is escaped even inside of the code span.
    expect(text).toContain("| IpPolicyRule `` <img src=x>\\|`@team` `` |");
    expect(text.match(/<img/g)!.length).toBe(text.match(/`` <img src=x>\\?\|`@team` ``/g)!.length);
  });

  it("are a table of the access on a wide terminal, and paragraphs on a narrow one", () => {
    const made = reviewText(pullRequest, { now });
    const heading = /^ACCESS TO +BEFORE +AFTER +DIFFERENCE *$/m;
    expect(terminal(made)).toMatch(heading);
    expect(terminal(made, { columns: 200 })).toBe(terminal(made));
    const narrow = terminal(made, { columns: 100 });
    expect(narrow).not.toMatch(heading);
    expect(narrow).toContain(
      "access to TcpEdge database: no longer denied: 203.0.113.128/25 (128 addresses)\n" +
        "    before: 256 addresses allowed, 128 addresses denied\n" +
        "    after:  256 addresses allowed, 0 addresses denied\n\n",
    );
  });

  it("are text for a terminal without the control characters of names", () => {
    const text = terminal(reviewText(pullRequest.replaceAll("::guests", "::\\u001b[2Jx\\u202e"), { now }), {
      isColored: true,
    });
    expect(text).toContain("\\u001b[2Jx\\u202e");
    expect(text).not.toContain("\u001b[2J");
  });
});

describe("the review of 1,000 changes", () => {
  const text = thousandChanges(1000);

  it("fits a comment, which counts what it leaves out", () => {
    const comment = markdown(reviewText(text, { now }));
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_000);
    expect(Buffer.byteLength(comment)).toBeGreaterThan(65_000 * 0.8);
    expect(comment).toMatch(/… and \d+ changes more/);
    expect(comment.match(/<details>/g)!.length).toBe(comment.match(/<\/details>/g)!.length);
  });

  it.each([2_000, 5_000, 20_000])("fits another limit: %d bytes", (limit) => {
    const comment = markdown(reviewText(text, { now }), limit);
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(limit);
    expect(comment.match(/<details>/g)!.length).toBe(comment.match(/<\/details>/g)!.length);
  });
});

it("has rules with a unique id of their group, a title and help", () => {
  const ids = catalog.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, title, help } of catalog) {
    expect(id).toMatch(/^(access|flow|interruption|hygiene|cost|approval)\/[a-z-]+$/);
    expect(title.length).toBeGreaterThan(10);
    expect(help.length).toBeGreaterThan(40);
  }
});

it.each(["pull-request", "example-quickstart", "places-unguarded"])(
  "is the same in whatever order the engine works on the resources: %s",
  (name) => {
    const text = previewText(name);
    const preview = JSON.parse(text) as { steps: { urn: string }[] };
    // The steps of one resource keep their order.
    const steps = preview.steps.toSorted((a, b) => b.urn.localeCompare(a.urn));
    expect(steps).not.toEqual(preview.steps);
    const [made, other] = [text, JSON.stringify({ ...preview, steps })].map((each) => reviewText(each));
    expect(made!.changes.length).toBeGreaterThan(1);
    expect(other!.changes).toEqual(made!.changes);
    expect(other!.findings).toEqual(made!.findings);
    expect(other!.access).toEqual(made!.access);
  },
);
