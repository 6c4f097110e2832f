/** What a review shows of a change: each field, from what to what. */
import { changesOf, driftOf, type Difference } from "../../../src/tools/review/differences";
import { unknown } from "../../../src/schema/unknown";
import { type ResourceChange } from "../../../src/tools/inventory/read-preview";
import { writtenPreview, type Written } from "./support";
import { readPreview } from "../../support/recorded";

type Values = Record<string, unknown>;

const firstOf = (text: string): ResourceChange => [...readPreview(text).resources.values()][0]!;
const changeOf = (type: string, more: Partial<Written>): ResourceChange =>
  firstOf(writtenPreview([{ type, name: "x", ...more }]));
const update = (type: string, before: Values, after: Values, more: Partial<Written> = {}) =>
  changesOf(changeOf(type, { op: "update", before, after, ...more }));

const text = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
/** `path: old -> next`, with what else is said of it. */
const lines = (differences: readonly Difference[]): string[] =>
  differences.map(({ path, old, next, members, secret, replaces, default: stated }) =>
    [
      `${path}: ${text(old)} -> ${text(next)}`,
      ...(stated === undefined ? [] : [`default ${text(stated)}`]),
      ...(members ? [`+${text(members.added)} -${text(members.removed)}`] : []),
      ...(secret ? ["secret"] : []),
      ...(replaces ? ["replaces"] : []),
    ].join(", "),
  );

describe("an update shows", () => {
  const cases: [string, string, Values, Values, string[]][] = [
    ["a text", "IpPolicy", { description: "a" }, { description: "b" }, [`description: "a" -> "b"`]],
    ["a new text", "IpPolicy", {}, { description: "b" }, [`description: nothing -> "b"`]],
    [
      "a text that was null",
      "IpPolicy",
      { description: null },
      { description: "b" },
      [`description: nothing -> "b"`],
    ],
    ["a removed text", "IpPolicy", { description: "a" }, {}, [`description: "a" -> nothing`]],
    [
      "a value that is not known yet",
      "IpPolicy",
      { description: "a" },
      { description: unknown },
      [`description: "a" -> ${text(unknown)}`],
    ],
    [
      "several fields, and none that stays",
      "IpPolicy",
      { description: "a", metadata: "m" },
      { description: "b", metadata: "n" },
      [`description: "a" -> "b"`, `metadata: "m" -> "n"`],
    ],
    [
      "what a list without order gains and loses",
      "CloudEndpoint",
      { url: "https://a.example.com", bindings: ["public", "internal"] },
      { url: "https://a.example.com", bindings: ["kubernetes", "public"] },
      [`bindings: ["public","internal"] -> ["kubernetes","public"], +["kubernetes"] -["internal"]`],
    ],
    [
      "all members of a new list without order",
      "CloudEndpoint",
      {},
      { bindings: ["public"] },
      [`bindings: nothing -> ["public"], +["public"] -[]`],
    ],
    [
      "a list without order that is not known yet, without members",
      "CloudEndpoint",
      { bindings: ["public"] },
      { bindings: unknown },
      [`bindings: ["public"] -> ${text(unknown)}`],
    ],
    [
      "a list with an order as a whole",
      "FailoverBackend",
      { backends: ["bkdtg_1", "bkdtg_2"] },
      { backends: ["bkdtg_2", "bkdtg_1"] },
      [`backends: ["bkdtg_1","bkdtg_2"] -> ["bkdtg_2","bkdtg_1"]`],
    ],
    [
      "the entries of a map that change, come and go",
      "TunnelGroupBackend",
      { labels: { app: "web", tier: "1", "old key": "x" } },
      { labels: { app: "web", tier: "2", new: "y" } },
      [`labels["tier"]: "1" -> "2"`, `labels["old key"]: "x" -> nothing`, `labels["new"]: nothing -> "y"`],
    ],
    [
      "an entry of a map that is not known yet",
      "WeightedBackend",
      { backends: { bkdtg_1: 1, bkdtg_2: 0 } },
      { backends: { bkdtg_1: 1, bkdtg_2: unknown } },
      [`backends["bkdtg_2"]: 0 -> ${text(unknown)}`],
    ],
    [
      "all entries of a new map",
      "TunnelGroupBackend",
      {},
      { labels: { app: "web" } },
      [`labels["app"]: nothing -> "web"`],
    ],
    [
      "a map that was none as a whole",
      "TunnelGroupBackend",
      { labels: "app=web" },
      { labels: { app: "web" } },
      [`labels: "app=web" -> {"app":"web"}`],
    ],
    [
      "the members of an object by their paths",
      "KubernetesOperator",
      { deployment: { name: "a", namespace: "n", version: "1" } },
      { deployment: { name: "a", namespace: "n", version: "2" } },
      [`deployment.version: "1" -> "2"`],
    ],
    [
      "a member of a member",
      "EventDestination",
      { target: { logsIngestion: { tenantId: "t", clientId: "a" } } },
      { target: { logsIngestion: { tenantId: "t", clientId: "b" } } },
      [`target.logsIngestion.clientId: "a" -> "b"`],
    ],
    [
      "a list in an object",
      "KubernetesOperator",
      { binding: { endpointSelectors: ["true"] } },
      { binding: { endpointSelectors: ["true", "false"] } },
      [`binding.endpointSelectors: ["true"] -> ["true","false"], +["false"] -[]`],
    ],
    [
      "the members of a new object that differ from their defaults",
      "TcpEdge",
      {},
      { ipRestriction: { enabled: true, ipPolicyIds: ["ipp_1"] } },
      [`ipRestriction.ipPolicyIds: nothing -> ["ipp_1"], +["ipp_1"] -[]`],
    ],
    [
      "an object that is not known yet as a whole",
      "TcpEdge",
      { ipRestriction: { ipPolicyIds: ["ipp_1"] } },
      { ipRestriction: unknown },
      [`ipRestriction: {"ipPolicyIds":["ipp_1"]} -> ${text(unknown)}`],
    ],
    [
      "that a secret changes, and not from what to what",
      "HttpsEdgeRouteOidc",
      { clientId: "c", clientSecret: "old text" },
      { clientId: "c", clientSecret: "new text" },
      [],
    ],
  ];

  it.each(cases)("%s", (_, type, before, after, expected) => {
    const changed = update(type, before, after);
    expect(lines(changed.differences)).toEqual(expected);
    expect(changed.hidden).toBe(expected.length === 0);
  });

  it("nothing of what it does not change: a resource that stays, or that is deleted", () => {
    const values = { description: "a" };
    const nothing = { differences: [], hidden: false, holdsSecrets: false, recordedOnly: false };
    const stays = { op: "same", before: values, after: { description: "b" } };
    expect(changesOf(changeOf("IpPolicy", stays))).toEqual(nothing);
    expect(changesOf(changeOf("IpPolicy", { op: "delete", before: values, after: values }))).toEqual(nothing);
    expect(changesOf(changeOf("IpPolicy", { op: "update", after: values }))).toEqual(nothing);
  });
});

describe("a creation shows", () => {
  it("what the program gives, without hidden arguments, and says which are secrets", () => {
    const after = {
      issuer: "https://id.example.com",
      clientSecret: "[secret]",
      __defaults: [],
    };
    const changed = changesOf(changeOf("HttpsEdgeRouteOidc", { after }));
    expect(lines(changed.differences)).toEqual([
      `issuer: nothing -> "https://id.example.com"`,
      `clientSecret: nothing -> "[secret]", secret`,
    ]);
    expect([changed.hidden, changed.holdsSecrets, changed.recordedOnly]).toEqual([false, false, false]);
  });
});

describe("a secret", () => {
  const oidc = { issuer: "https://id.example.com", clientId: "c", clientSecret: "[secret]" };

  it("may change without a visible sign: the update is hidden, or the resource only holds it", () => {
    const { hidden, holdsSecrets, recordedOnly } = update("HttpsEdgeRouteOidc", oidc, oidc);
    expect([hidden, holdsSecrets, recordedOnly]).toEqual([true, false, false]);
    const other = update("HttpsEdgeRouteOidc", oidc, { ...oidc, clientId: "d" });
    expect(lines(other.differences)).toEqual([`clientId: "c" -> "d"`]);
    expect([other.hidden, other.holdsSecrets]).toEqual([false, true]);
  });

  it("is shown as one where it comes or goes", () => {
    const { clientSecret: _, ...without } = oidc;
    const added = update("HttpsEdgeRouteOidc", without, oidc);
    expect(lines(added.differences)).toEqual([`clientSecret: nothing -> "[secret]", secret`]);
    expect([added.hidden, added.holdsSecrets]).toEqual([false, false]);
    const marked = update("IpPolicy", { description: "[secret]" }, { description: "b" });
    expect(lines(marked.differences)).toEqual([`description: "[secret]" -> "b", secret`]);
    const later = update("HttpsEdgeRouteOidc", without, { ...without, clientSecret: unknown });
    expect(lines(later.differences)).toEqual([`clientSecret: nothing -> ${text(unknown)}, secret`]);
    const both = update("HttpsEdgeRouteOidc", without, { ...oidc, clientId: "d" });
    expect(lines(both.differences)).toEqual([
      `clientId: "c" -> "d"`,
      `clientSecret: nothing -> "[secret]", secret`,
    ]);
    expect(both.holdsSecrets).toBe(false);
    const hidden = update("CloudEndpoint", { bindings: ["public"] }, { bindings: "[secret]" });
    expect(lines(hidden.differences)).toEqual([`bindings: ["public"] -> "[secret]", secret`]);
  });

  it("is the reason of a replacement that the engine names, although it looks the same", () => {
    const replaced = (reasons: string[], more: object = {}, before: object = {}) =>
      changesOf(
        changeOf("TlsCertificate", {
          ...{ op: "replace", reasons },
          before: { certificatePem: "c", privateKeyPem: "[secret]", description: "a", ...before },
          after: { certificatePem: "c", privateKeyPem: "[secret]", description: "a", ...more },
        }),
      );
    const secret = `privateKeyPem: "[secret]" -> "[secret]", secret, replaces`;
    expect(lines(replaced(["privateKeyPem"]).differences)).toEqual([secret]);
    expect(replaced(["privateKeyPem"])).toMatchObject({ hidden: false, holdsSecrets: false });
    expect(lines(replaced(["certificatePem", "privateKeyPem"], { certificatePem: "d" }).differences)).toEqual(
      [`certificatePem: "c" -> "d", replaces`, secret],
    );
    // The service does not return the key: the state has it as the program gave it, or not at all.
    const before = { certificatePem: "c", privateKeyPem: "[secret]" };
    const kept = (outputs: Values, given: Values = before) =>
      lines(
        changesOf(
          changeOf("TlsCertificate", {
            ...{ op: "replace", reasons: ["privateKeyPem"], before: given, after: before },
            outputs: { ...outputs, __accepted: { privateKeyPem: "[secret]" } },
          }),
        ).differences,
      );
    expect(kept({ privateKeyPem: null })).toEqual([secret]);
    expect(kept({ privateKeyPem: "[secret]" }, { certificatePem: "c" })).toEqual([secret]);
    // What is shown anyhow is not shown twice.
    const added = changeOf("TlsCertificate", {
      ...{ op: "replace", reasons: ["privateKeyPem"], before: { certificatePem: "c" }, after: before },
    });
    expect(lines(changesOf(added).differences)).toEqual([
      `privateKeyPem: nothing -> "[secret]", secret, replaces`,
    ]);
    const target = (service: string) => ({ target: { monitoring: { apiKey: "[secret]", service } } });
    const within = changeOf("EventDestination", {
      ...{ op: "replace", reasons: ["target"], before: target("a"), after: target("b") },
    });
    expect(lines(changesOf(within).differences)).toEqual([`target.monitoring.service: "a" -> "b", replaces`]);
    // Another reason is no secret, or no argument at all.
    for (const reason of ["certificatePem", "nothing", "__provider"])
      expect(replaced([reason])).toMatchObject({ differences: [], hidden: true });
    expect(lines(replaced(["privateKeyPem"], { privateKeyPem: undefined }).differences)).toEqual([
      `privateKeyPem: "[secret]" -> nothing, secret, replaces`,
    ]);
  });
});

describe("a replacement", () => {
  const before = { deployment: { namespace: "n", version: "1" }, region: "us" };
  const after = { deployment: { namespace: "m", version: "2" }, region: "eu" };
  const replaced = (...reasons: string[]): string[] =>
    lines(changesOf(changeOf("KubernetesOperator", { op: "replace", reasons, before, after })).differences);
  const shown = (...forcing: string[]): string[] =>
    [`region: "us" -> "eu"`, `deployment.namespace: "n" -> "m"`, `deployment.version: "1" -> "2"`].map(
      (line) => (forcing.some((path) => line.startsWith(`${path}:`)) ? `${line}, replaces` : line),
    );

  it("shows which fields force it: those that the engine names, or those of the declaration", () => {
    expect(replaced()).toEqual(shown("deployment.namespace"));
    expect(replaced("deployment.version")).toEqual(shown("deployment.version"));
    expect(replaced("deployment.version", "region")).toEqual(shown("deployment.version", "region"));
    expect(replaced("other")).toEqual(shown());
  });

  it("takes the parent of a field, or a member of it, for the field", () => {
    expect(replaced("deployment")).toEqual(shown("deployment.namespace", "deployment.version"));
    expect(replaced("region[0]")).toEqual(shown("region"));
    expect(replaced("region.name")).toEqual(shown("region"));
    expect(replaced("reg", "regional", "deployment.name")).toEqual(shown());
  });

  it("without a named reason is forced by what no documented update can change", () => {
    const described = { op: "replace", before: { description: "a" }, after: { description: "b" } };
    expect(lines(changesOf(changeOf("EventDestination", described)).differences)).toEqual([
      `description: "a" -> "b", replaces`,
    ]);
  });

  it("is none of an update", () => {
    const { differences } = update("KubernetesOperator", before, after);
    expect(lines(differences)).toEqual(shown());
  });
});

describe("a change of the record alone", () => {
  const recorded = (type: string, before: Values, after: Values, args: string[], op = "update") => {
    const { hidden, recordedOnly, holdsSecrets } = changesOf(
      changeOf(type, { op, before, after, outputs: { __args: args } }),
    );
    return { hidden, recordedOnly, holdsSecrets };
  };
  const yes = { hidden: false, recordedOnly: true, holdsSecrets: false };
  const no = { hidden: true, recordedOnly: false, holdsSecrets: false };

  it("is that of the arguments that the program sets", () => {
    const values = { description: "a" };
    expect(recorded("IpPolicy", values, values, [])).toEqual(yes);
    expect(recorded("IpPolicy", values, values, ["description"])).toEqual(no);
    expect(recorded("IpPolicy", values, values, [], "replace")).toEqual(no);
    // A secret may be what changes.
    const secret = { ...values, metadata: "[secret]" };
    expect(recorded("IpPolicy", secret, secret, [])).toEqual(no);
  });

  it("is that of an argument that had no value, and that only the service can restore", () => {
    const changed = update("HttpResponseBackend", { body: "b", statusCode: null }, { body: "b" });
    expect(changed).toMatchObject({ recordedOnly: true, differences: [] });
  });

  it("is that of a key which the service never returns", () => {
    const key = { certificatePem: "c", privateKeyPem: "[secret]" };
    const { privateKeyPem: _, ...without } = key;
    expect(recorded("TlsCertificate", without, key, ["certificatePem"])).toEqual(yes);
    expect(
      recorded("TlsCertificate", { ...without, description: "a" }, { ...key, description: "b" }, [
        "certificatePem",
        "description",
      ]),
    ).toMatchObject({ recordedOnly: false });
  });
});

describe("drift", () => {
  const drift = (type: string, recorded: Values, found: Values, args?: unknown): string[] => {
    const preview = JSON.parse(writtenPreview([{ type, name: "x", before: found, after: found }])) as {
      steps: { urn: string; oldState: { outputs: object } }[];
    };
    const { urn, oldState } = preview.steps[0]!;
    const outputs = { ...recorded, __args: args ?? Object.keys(recorded) };
    const old = { ...oldState, outputs };
    preview.steps.unshift({ op: "refresh", urn, oldState: old, newState: oldState } as never);
    return lines(driftOf(firstOf(JSON.stringify(preview))));
  };

  it("goes from the value in the state to that of the service, for what the program sets", () => {
    expect(
      drift("IpPolicy", { description: "a", metadata: "m" }, { description: "b", metadata: "n" }),
    ).toEqual([`description: "a" -> "b"`, `metadata: "m" -> "n"`]);
    expect(
      drift("IpPolicy", { description: "a", metadata: "m" }, { description: "b", metadata: "n" }, [
        "metadata",
      ]),
    ).toEqual([`metadata: "m" -> "n"`]);
    expect(drift("IpPolicy", { description: "a" }, { description: "b" }, "description")).toEqual([]);
    expect(drift("IpPolicy", { description: "a" }, { description: "a" })).toEqual([]);
    expect(drift("IpPolicy", { description: "a" }, {})).toEqual([`description: "a" -> nothing`]);
    expect(drift("IpPolicy", {}, { description: "" }, ["description"])).toEqual([]);
  });

  it("is also what decides access and the program leaves out, such as a traffic policy made by hand", () => {
    const database = { hostports: ["db.example.com:5432"] };
    const trafficPolicy = { enabled: true, value: `{"on_tcp_connect":[{"actions":[{"type":"deny"}]}]}` };
    expect(drift("TcpEdge", database, { ...database, trafficPolicy })).toEqual([
      expect.stringMatching(/^trafficPolicy.*: nothing -> /),
    ]);
    const policies = (ipPolicyIds: string[]) => ({
      ...database,
      ipRestriction: { enabled: true, ipPolicyIds },
    });
    expect(drift("TcpEdge", policies(["ipp_1"]), policies(["ipp_1", "ipp_2"]), ["hostports"])).toHaveLength(
      1,
    );
    expect(drift("TcpEdge", database, { ...database, metadata: "by hand" })).toEqual([]);
    expect(drift("TcpEdge", { ...database, trafficPolicy }, { ...database, trafficPolicy }, [])).toEqual([]);
  });

  it("names the stated default of a member that one side lacks", () => {
    const policies = { ipPolicyIds: ["ipp_1"] };
    const off = { ipRestriction: { ...policies, enabled: false } };
    expect(drift("TcpEdge", { ipRestriction: policies }, off)).toEqual([
      `ipRestriction.enabled: nothing -> false, default true`,
    ]);
    expect(drift("TcpEdge", off, { ipRestriction: policies })).toEqual([
      `ipRestriction.enabled: false -> nothing, default true`,
    ]);
    expect(drift("TcpEdge", {}, off)).toContain(`ipRestriction.enabled: nothing -> false`);
    expect(drift("TlsEdgeIpRestriction", policies, off.ipRestriction)).toEqual([
      `enabled: nothing -> false, default true`,
    ]);
  });

  it("is that of members, entries and lists", () => {
    expect(
      drift("KubernetesOperator", { deployment: { version: "1" } }, { deployment: { version: "2" } }),
    ).toEqual([`deployment.version: "1" -> "2"`]);
    expect(drift("TunnelGroupBackend", { labels: { a: "1" } }, { labels: { a: "2" } })).toEqual([
      `labels["a"]: "1" -> "2"`,
    ]);
    expect(drift("CloudEndpoint", { bindings: ["public"] }, { bindings: [] })).toEqual([
      `bindings: ["public"] -> [], +[] -["public"]`,
    ]);
  });

  it("is that of a whole where the state or the service has another form", () => {
    const guard = { ipPolicyIds: ["ipp_1"] };
    expect(drift("TcpEdge", { ipRestriction: "on" }, { ipRestriction: guard })).toEqual([
      `ipRestriction: "on" -> {"ipPolicyIds":["ipp_1"]}`,
    ]);
    expect(drift("TcpEdge", { ipRestriction: guard }, { ipRestriction: ["ipp_1"] })).toEqual([
      `ipRestriction: {"ipPolicyIds":["ipp_1"]} -> ["ipp_1"]`,
    ]);
    expect(drift("TunnelGroupBackend", { labels: { a: "1" } }, { labels: "a=1" })).toEqual([
      `labels: {"a":"1"} -> "a=1"`,
    ]);
    const more = { ...guard, other: 1 };
    expect(drift("TcpEdge", { ipRestriction: guard }, { ipRestriction: more })).toEqual([
      `ipRestriction: {"ipPolicyIds":["ipp_1"]} -> {"ipPolicyIds":["ipp_1"],"other":1}`,
    ]);
  });

  it("is not that of what only the service decides", () => {
    expect(drift("CloudEndpoint", { host: "a" }, { host: "b" })).toEqual([]);
  });

  it("is none without a refresh, and none of an object that is gone", () => {
    const values = { description: "a" };
    expect(driftOf(changeOf("IpPolicy", { before: values, after: { description: "b" } }))).toEqual([]);
    const created = JSON.parse(writtenPreview([{ type: "IpPolicy", name: "x", after: values }])) as {
      steps: { urn: string }[];
    };
    const oldState = { id: "id_x", inputs: values, outputs: { ...values, __args: ["description"] } };
    created.steps.unshift({ op: "refresh", urn: created.steps[0]!.urn, oldState } as never);
    expect(driftOf(firstOf(JSON.stringify(created)))).toEqual([]);
  });
});
