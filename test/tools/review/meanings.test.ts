/** What the change of each argument means, and that the review says it. */
import { declarationOf } from "../../../src/resources/registry";
import { fieldsOf } from "../../../src/schema/field";
import type { Fields } from "../../../src/schema/field";
import { isAccess } from "../../../src/schema/meaning";
import type { Meaning } from "../../../src/schema/meaning";
import { unknown } from "../../../src/schema/unknown";
import { history, type Json, type Subject } from "../../rounds/subject";
import { subjects } from "../../rounds/table";
import { reviewText, saidBy, saidOf, urnOf, writtenPreview, type Written } from "./support";

const now = Date.parse("2026-11-21T12:00:00Z");

/** The meanings of the argument at a path, and of all in it. */
function meaningsAt(fields: Fields, path: string, around: Meaning = "none"): Meaning[] {
  const [first = "", ...rest] = path.split(".");
  const field = fields[first]!;
  const meaning = field.traits.meaning ?? around;
  if (rest.length > 0) return meaningsAt(fieldsOf(field), rest.join("."), meaning);
  const members = Object.keys(fieldsOf(field));
  if (field.traits.meaning !== undefined || members.length === 0) return [meaning];
  return members.flatMap((name) => meaningsAt(fieldsOf(field), name, meaning));
}

/** The values with every module on, unless the change itself is about that: what is off decides nothing. */
function switchedOn(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, unknown] => [
    name,
    name === "enabled" ? true : switchedOn(each),
  ]);
  return Object.fromEntries(members);
}

/** What the review says about a change of the table, as `severity rule`; lifeless ids stand for other objects. */
function found(subject: Subject, before: Json, after: Json, op: string): string[] {
  const inputs = [before, after].map(
    (args) => JSON.parse(JSON.stringify(args).replaceAll("@", "id_")) as Json,
  );
  const changed = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const step = { type: subject.type, name: "own", op, before: inputs[0]!, after: inputs[1]! };
  const preview = JSON.parse(writtenPreview([step])) as { steps: Json[] };
  const steps = preview.steps.map((each) => ({ ...each, diffReasons: changed }));
  const { findings } = reviewText(JSON.stringify({ ...preview, steps }), { now });
  return findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

/** The values with a mask at a path; the same if they have none there. */
function masked(values: Json, path: string): Json {
  const [first = "", ...rest] = path.split(".");
  const value = values[first];
  if (value === undefined) return values;
  return { ...values, [first]: rest.length === 0 ? "[secret]" : masked(value as Json, rest.join(".")) };
}

const worst = (says: readonly string[]): number =>
  ["note", "warning", "error"].findLastIndex((severity) => says.some((text) => text.startsWith(severity)));

const flow = { "where data goes": "flow/where-data-goes", "where traffic goes": "flow/where-traffic-goes" };

/** A rule that reports a change of this meaning. */
function expected(meaning: Meaning): RegExp {
  if (isAccess(meaning)) return /^(error|warning) (access\/|interruption\/(access|bot|module))/;
  return new RegExp(`^warning (${flow[meaning as keyof typeof flow]}|interruption/)`);
}

/** Changes that give nobody more, or of which nothing is sent: nothing is reported. */
const less: readonly string[] = [
  "bot: active undefined",
  "response-removed: statusCode undefined",
  "endpoint-removed: poolingEnabled undefined",
  "user-certificate-removed: validAfter undefined",
  "user-certificate-removed: validUntil undefined",
  "user-certificate-removed: earlyRenewalHours 3",
  "host-certificate-removed: validAfter undefined",
  "host-certificate-removed: validUntil undefined",
  "host-certificate-removed: earlyRenewalHours 20",
  "host-certificate-removed: validForHours 100",
  "host-certificate-removed: earlyRenewalHours undefined",
  "renewed-certificate: earlyRenewalHours 3",
  "renewed-certificate: validForHours undefined",
  "renewed-certificate: earlyRenewalHours undefined",
  "oidc: optionsPassthrough false",
  "oidc-provider: enabled undefined",
  "oidc-provider: optionsPassthrough undefined",
  "oauth: optionsPassthrough false",
  "oauth: authCheckInterval 30",
  "oauth-removed: optionsPassthrough undefined",
  "oauth-kinds: enabled, provider undefined",
  "oauth-off: provider undefined",
  "webhook: enabled undefined",
];

const changes = subjects.flatMap((subject) => {
  const states = history(subject);
  return subject.changes.map(({ set, op }, i) => ({
    subject,
    set,
    op,
    before: states[i]!,
    after: states[i + 1]!,
  }));
});

describe("each change of an argument", () => {
  const all = changes.map(({ subject, set, op, before, after }) => {
    const { fields } = declarationOf(subject.type);
    const meanings = [...new Set(Object.keys(set).flatMap((path) => meaningsAt(fields, path)))].filter(
      (meaning) => meaning !== "none",
    );
    const isSwitch = Object.keys(set).some((path) => path.endsWith("enabled"));
    const [from, to] = [before, after].map((args) => (isSwitch ? args : (switchedOn(args) as Json)));
    const values = JSON.stringify(Object.values(set)[0])?.slice(0, 40);
    const name = `${subject.name}: ${Object.keys(set).join(", ")} ${values}`;
    const paths = Object.keys(set).flatMap((path) => [path, path.split(".")[0]!]);
    const saysOfHidden = paths.map((path) => found(subject, masked(from!, path), to!, op));
    return { name, meanings, says: found(subject, from!, to!, op), saysOfHidden };
  });

  it("is reported by a rule of its meaning, unless it gives nobody more", () => {
    const silent = all.filter(
      ({ meanings, says }) =>
        meanings.length > 0 && !meanings.some((meaning) => says.some((text) => expected(meaning).test(text))),
    );
    expect(silent.map(({ name }) => name)).toEqual(less);
  });

  it("is reported as seriously where its earlier value is marked as secret", () => {
    const milder = all.filter(
      ({ meanings, says, saysOfHidden }) =>
        meanings.length > 0 && saysOfHidden.some((each) => worst(each) < worst(says)),
    );
    expect(milder.map(({ name }) => name)).toEqual([]);
  });

  it("is not reported where it means nothing", () => {
    const loud = all.filter(
      ({ meanings, says }) => meanings.length === 0 && says.some((text) => /access\/|flow\//.test(text)),
    );
    expect(loud.map(({ name, says }) => [name, says])).toEqual([]);
  });
});

type Values = Readonly<Record<string, unknown>>;

const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
const change = (type: string, before: Values | undefined, after: Values | undefined, more = {}): Written => ({
  ...{ type, name: "own", before, after, ...more },
});
/** The findings with an error or warning about who has access, and where data and traffic go. */
const said = (...resources: readonly Written[]): string[] =>
  saidOf(resources)
    .filter((text) => / (access|flow)\//.test(text))
    .map((text) => text.replace(/: .*/s, ""));

describe("who signs in at a route", () => {
  const oidc = (issuer: string, more = {}) => ({ ...route, issuer, clientId: "c", ...more });
  const oauth = (provider: object, more = {}) => ({ ...route, provider, ...more });
  const corp = { searchVendor: { emailDomains: ["corp.example"] } };
  const [OIDC, OAUTH] = ["HttpsEdgeRouteOidc", "HttpsEdgeRouteOauth"] as const;

  it("is an error when another module takes the place of one that is switched off", () => {
    const found = saidOf([
      change(OAUTH, oauth(corp), oauth(corp, { enabled: false })),
      change(OIDC, undefined, oidc("https://evil.example"), { name: "new" }),
    ]);
    expect(found).toContain(
      "error access/who-signs-in HttpsEdgeRouteOidc new: sign-in by OIDC at https://evil.example takes the place of " +
        "sign-in by OAuth at searchVendor; everyone who can sign in there may pass",
    );
  });

  it("is an error when a module that was off is switched on in the place of another one", () => {
    const found = said(
      change(OAUTH, oauth(corp), undefined),
      change(OIDC, oidc("https://evil.example", { enabled: false }), oidc("https://evil.example"), {
        name: "new",
      }),
    );
    expect(found).toEqual(["error access/who-signs-in HttpsEdgeRouteOidc new"]);
  });

  it("is an error at another issuer, provider or app, whatever the module is called", () => {
    for (const after of [
      oidc("https://evil.example"),
      oidc("https://id.example.com", { clientId: "other" }),
    ]) {
      const own = oidc("https://id.example.com");
      const error = (name: string) => [`error access/who-signs-in HttpsEdgeRouteOidc ${name}`];
      expect(said(change(OIDC, own, after))).toEqual(error("own"));
      const renamed = [change(OIDC, own, undefined), change(OIDC, undefined, after, { name: "new" })];
      expect(said(...renamed)).toEqual(expect.arrayContaining(error("new")));
    }
  });

  it("is an error with more users, and a warning with fewer", () => {
    const domains = (...emailDomains: string[]) => oauth({ searchVendor: { emailDomains } });
    const found = (...to: string[]) => said(change(OAUTH, domains("a.example", "b.example"), domains(...to)));
    expect(found("a.example", "c.example")).toEqual(["error access/who-signs-in HttpsEdgeRouteOauth own"]);
    expect(found("a.example")).toEqual(["warning access/who-signs-in HttpsEdgeRouteOauth own"]);
    expect(found("b.example", "A.example")).toEqual([]);
    const limited = said(change(OAUTH, domains(), domains("a.example")));
    expect(limited).toEqual(["warning access/who-signs-in HttpsEdgeRouteOauth own"]);
  });

  it("is held against a module that stays beside the new one", () => {
    const found = said(
      change(OAUTH, oauth(corp), oauth(corp)),
      change(OIDC, undefined, oidc("https://evil.example"), { name: "new" }),
    );
    expect(found).toContain("error access/who-signs-in HttpsEdgeRouteOidc new");
  });

  it("does not repeat what is known only after the deployment", () => {
    const own = oidc("https://id.example.com");
    const found = saidOf([change(OIDC, own, { ...own, clientId: unknown })]);
    expect(found.filter((each) => each.includes("access/who-signs-in"))).toEqual([]);
  });

  it.each([
    [{ maximumDuration: 3600 }, {}, "error access/who-signs-in"],
    [{ maximumDuration: 3600 }, { maximumDuration: 0 }, "error access/who-signs-in"],
    [{ inactivityTimeout: 60 }, { inactivityTimeout: 61 }, "error access/who-signs-in"],
    [{ inactivityTimeout: 60 }, { inactivityTimeout: 59 }, undefined],
    [{}, { maximumDuration: 3600 }, undefined],
    [{}, { optionsPassthrough: true }, "error access/who-gets-in"],
    [{ optionsPassthrough: true }, {}, undefined],
  ])("may change its sessions from %j to %j: %s", (before, after, rule) => {
    const expectedFindings = rule === undefined ? [] : [`${rule} HttpsEdgeRouteOidc own`];
    const own = (more: object) => oidc("https://id.example.com", more);
    expect(said(change(OIDC, own(before), own(after)))).toEqual(expectedFindings);
  });

  it("is an error when revoked users are no longer checked", () => {
    const found = said(change(OAUTH, oauth(corp, { authCheckInterval: 60 }), oauth(corp)));
    expect(found).toEqual(["error access/who-signs-in HttpsEdgeRouteOauth own"]);
  });
});

describe("control that changes hands", () => {
  const key = (name: string) => `ssh-ed25519 AAAA${name}`;
  const certificate = { sshCertificateAuthorityId: "sshca_1", publicKey: key("a"), principals: ["ada"] };
  const restricted = { "force-command": "uptime", "source-address": "203.0.113.0/24" };
  const user = (more: object) => ({ ...certificate, ...more });

  it.each<[string, string, Values, Values]>([
    ["a bot user that is active again", "BotUser", { name: "b", active: false }, { name: "b", active: true }],
    ["another owner", "ApiKey", { ownerId: "bot_1" }, { ownerId: "usr_admin" }],
    ["no owner", "ApiKey", { ownerId: "bot_1" }, {}],
    [
      "keys that rotate later",
      "RotatingApiKey",
      { rotateAfterDays: 30, overlapDays: 1 },
      { rotateAfterDays: 36500, overlapDays: 1 },
    ],
    [
      "a longer overlap",
      "RotatingApiKey",
      { rotateAfterDays: 30, overlapDays: 1 },
      { rotateAfterDays: 30, overlapDays: 29 },
    ],
    ["another key", "SshUserCertificate", user({}), user({ publicKey: key("b") })],
    [
      "no force-command",
      "SshUserCertificate",
      user({ criticalOptions: restricted }),
      user({ criticalOptions: { "source-address": "203.0.113.0/24" } }),
    ],
    [
      "another source-address",
      "SshUserCertificate",
      user({ criticalOptions: restricted }),
      user({ criticalOptions: { ...restricted, "source-address": "0.0.0.0/0" } }),
    ],
    [
      "port forwarding",
      "SshUserCertificate",
      user({ extensions: {} }),
      user({ extensions: { "permit-port-forwarding": "" } }),
    ],
    ["an endless renewal", "SshUserCertificate", user({}), user({ earlyRenewalHours: 1 })],
    ["another certificate request", "KubernetesOperator", { binding: { csr: "[secret]" } }, { binding: {} }],
  ])("is an error: %s", (_, type, before, after) => {
    const changed = Object.keys({ ...before, ...after });
    const op = type === "ApiKey" ? { op: "replace" } : {};
    const preview = JSON.parse(writtenPreview([change(type, before, after, op)])) as { steps: Json[] };
    const steps = preview.steps.map((each) => ({ ...each, diffReasons: changed }));
    const rules = reviewText(JSON.stringify({ steps, changeSummary: {} }), { now }).findings;
    expect(rules.map(({ rule, severity }) => `${severity} ${rule}`)).toContain("error access/who-may-act");
  });

  it.each<[string, string, Values, Values]>([
    ["a bot user that is deactivated", "BotUser", { name: "b" }, { name: "b", active: false }],
    [
      "keys that rotate earlier",
      "RotatingApiKey",
      { rotateAfterDays: 30, overlapDays: 3 },
      { rotateAfterDays: 7, overlapDays: 1 },
    ],
    ["another restriction", "SshUserCertificate", user({}), user({ criticalOptions: restricted })],
    ["principals, where it was valid for all", "SshUserCertificate", user({ principals: [] }), user({})],
    ["fewer permissions", "SshUserCertificate", user({}), user({ extensions: { "permit-pty": "" } })],
  ])("is none with less: %s", (_, type, before, after) => {
    expect(said(change(type, before, after))).toEqual([]);
  });

  it.each([
    ["deactivated", { name: "b", active: false }],
    ["deleted", undefined],
  ])("is a warning with what it owns where a bot user is %s", (what, after) => {
    const owned = change("ApiKey", { ownerId: "bot_1" }, { ownerId: "bot_1" }, { name: "ci" });
    const of = (before: Values): string[] =>
      saidBy("bot-deactivated", change("BotUser", before, after, { name: "bot", id: "bot_1" }), owned);
    const text = `${what}: ApiKey "ci" stop working`;
    expect(of({ name: "b" })).toEqual([`warning interruption/bot-deactivated BotUser bot: ${text}`]);
    expect(of({ name: "b", active: false })).toEqual([]);
  });

  it("is a warning for a new key, and an error where nobody of the program gets it or nothing limits it", () => {
    const bot: Written = change("BotUser", { name: "b" }, { name: "b" }, { name: "bot", id: "bot_1" });
    const created = (type: string, args: Values): string[] => said(bot, change(type, undefined, args));
    expect(created("ApiKey", {})).toEqual(["warning access/new-actor ApiKey own"]);
    expect(created("ApiKey", { ownerId: "bot_1" })).toEqual(["warning access/new-actor ApiKey own"]);
    expect(created("ApiKey", { ownerId: "usr_admin" })).toEqual(["error access/new-actor ApiKey own"]);
    expect(created("SshCredential", { publicKey: key("a") })).toEqual([
      "error access/new-actor SshCredential own",
    ]);
    expect(created("SshCredential", { publicKey: key("a"), acl: ["bind:a.example.com"] })).toEqual([
      "warning access/new-actor SshCredential own",
    ]);
    expect(
      created("SshCredential", { publicKey: key("a"), acl: ["bind:a.example.com", "bind:*=*"] }),
    ).toEqual(["error access/new-actor SshCredential own"]);
    expect(created("SshUserCertificate", user({}))).toEqual([
      "warning access/new-actor SshUserCertificate own",
    ]);
    expect(created("SshUserCertificate", user({ principals: ["ada", "root"] }))).toEqual([
      "error access/new-actor SshUserCertificate own",
    ]);
  });
});

describe("who may act and is known only after the deployment", () => {
  const key = { publicKey: "ssh-ed25519 AAAAa" };
  const certificate = { ...key, sshCertificateAuthorityId: "sshca_1" };
  const created = (type: string, after: Values): string[] => said(change(type, undefined, after));
  const warned = (type: string): string[] => [
    `warning access/new-actor ${type} own`,
    `warning access/unknown ${type} own`,
  ];

  it.each<[string, string, Values]>([
    ["a key", "SshCredential", { publicKey: unknown, acl: ["bind:a.example.com"] }],
    [
      "an authority",
      "SshUserCertificate",
      { ...key, principals: ["ada"], sshCertificateAuthorityId: unknown },
    ],
    ["options", "SshUserCertificate", { ...certificate, principals: ["ada"], criticalOptions: unknown }],
    ["an end", "SshHostCertificate", { ...certificate, principals: ["a.example.com"], validUntil: unknown }],
  ])("is a warning of a new object: %s", (_, type, after) => {
    expect(created(type, after)).toEqual(warned(type));
  });

  it.each<[string, string, Values, string]>([
    ["an ACL", "SshCredential", { ...key, acl: unknown }, "acl is"],
    ["a rule of an ACL", "SshCredential", { ...key, acl: ["bind:a.example.com", unknown] }, "acl[1] is"],
    ["principals", "SshUserCertificate", { ...certificate, principals: unknown }, "principals is"],
    ["a host", "SshHostCertificate", { ...certificate, principals: [unknown] }, "principals[0] is"],
    ["an owner", "ApiKey", { ownerId: unknown }, "ownerId is"],
  ])("is an error of a new object that nothing known limits: %s", (_, type, after, text) => {
    expect(created(type, after)).toEqual([`error access/new-actor ${type} own`, warned(type)[1]]);
    expect(saidOf([change(type, undefined, after)])[0]).toContain(`; ${text} known after the deployment`);
  });

  it("is none for the id of a new bot user", () => {
    const bot = change("BotUser", undefined, { name: "b" }, { name: "bot" });
    const from = { ownerId: [urnOf("BotUser", "bot")] };
    expect(said(bot, change("ApiKey", undefined, { ownerId: unknown }, { from }))).toEqual([
      "warning access/new-actor ApiKey own",
    ]);
  });

  it("is an error of an object that exists, and of one in the place of another", () => {
    const before = { ...key, acl: ["bind:a.example.com"] };
    const after = { ...key, acl: unknown };
    expect(said(change("SshCredential", before, after))).toEqual(["error access/unknown SshCredential own"]);
    const renamed = [change("SshCredential", before, undefined), change("SshCredential", undefined, after)];
    expect(said(renamed[0]!, { ...renamed[1]!, name: "new" })).toContain(
      "error access/unknown SshCredential new",
    );
  });

  it("is an error of a new object where it decides who gets or signs in", () => {
    const operator = { binding: { endpointSelectors: [unknown] } };
    expect(created("KubernetesOperator", operator)).toContain("error access/unknown KubernetesOperator own");
    expect(created("CertificateAuthority", { caPem: unknown })).toContain(
      "error access/unknown CertificateAuthority own",
    );
  });
});

describe("what clients pass", () => {
  const webhook = { ...route, provider: "CODE_HOST", secret: "[secret]" };
  const policy = (text: string) => ({ url: "https://a.example.com", trafficPolicy: text });
  const deny = '{"on_http_request":[{"actions":[{"type":"restrict-ips"}]}]}';
  const log = '{"on_http_request":[{"actions":[{"type":"log"}]}]}';
  const forward = '{"on_http_request":[{"actions":[{"type":"forward-internal"}]}]}';

  it("is an error with another secret, which the engine names and does not show", () => {
    const preview = JSON.parse(
      writtenPreview([change("HttpsEdgeRouteWebhookVerification", webhook, webhook, { op: "update" })]),
    ) as { steps: Json[] };
    const steps = preview.steps.map((each) => ({ ...each, diffReasons: ["secret"] }));
    const { findings } = reviewText(JSON.stringify({ steps, changeSummary: {} }), { now });
    expect(findings).toMatchObject([
      {
        rule: "access/who-gets-in",
        severity: "error",
        field: "secret",
        message: "the hidden value of secret changes",
      },
    ]);
  });

  it("names the secrets that the engine says change, where it says more than their argument", () => {
    const creds = { accessKeyId: "[secret]", secretAccessKey: "[secret]" };
    const target = { stream: { streamRef: "s", auth: { creds } } };
    const messages = (...paths: string[]): string[] => {
      const preview = JSON.parse(
        writtenPreview([change("EventDestination", { target }, { target }, { op: "update" })]),
      ) as { steps: Json[] };
      const detailedDiff = Object.fromEntries(paths.map((path) => [path, { kind: "update" }]));
      const steps = preview.steps.map((each) => ({ ...each, diffReasons: ["target"], detailedDiff }));
      const { findings } = reviewText(JSON.stringify({ steps, changeSummary: {} }), { now });
      return findings.filter(({ rule }) => rule.startsWith("flow/")).map(({ message }) => message);
    };
    const [id, key] = ["accessKeyId", "secretAccessKey"].map(
      (name) => `the hidden value of target.stream.auth.creds.${name} changes`,
    );
    expect(messages("target.stream.auth.creds.secretAccessKey")).toEqual([key]);
    expect(messages("target.stream.auth.creds")).toEqual([`${id}; ${key}`]);
    expect(messages()).toEqual([`${id}; ${key}`]);
    // A name that only begins like it is another one.
    expect(messages("target.stream.auth.creds.accessKey")).toEqual([]);
  });

  it("is an error with another traffic policy, and a warning where another gate stays on", () => {
    const changed = (before: string, after: string) =>
      said(change("CloudEndpoint", policy(before), policy(after)));
    expect(changed(deny, log)).toEqual([
      "error access/traffic-policy-changed CloudEndpoint own",
      "error access/unguarded CloudEndpoint own",
    ]);
    expect(changed(log, forward)).toEqual(["error access/traffic-policy-changed CloudEndpoint own"]);
    expect(changed(deny, JSON.stringify(JSON.parse(deny), null, 2))).toEqual([]);
    const edge = (value: string) => ({
      hostports: ["1.tcp.example.com:1"],
      ipRestriction: { ipPolicyIds: ["ipp_1"] },
      trafficPolicy: { value },
    });
    expect(said(change("TcpEdge", edge(deny), edge(log)))).toContain(
      "warning access/traffic-policy-changed TcpEdge own",
    );
    for (const empty of [
      '{"on_http_request":[{"name":"x","actions":[]}]}',
      '{"on_http_request":[],"enabled":false}',
    ]) {
      expect(said(change("TcpEdge", edge(deny), edge(empty)))).toContain(
        "error access/traffic-policy-emptied TcpEdge own",
      );
      expect(changed(deny, empty)).toEqual(["error access/unguarded CloudEndpoint own"]);
    }
  });

  it("is an error at a new endpoint whose traffic policy restricts nobody, and a warning with one that may", () => {
    const created = (text: string): string[] => saidOf([change("CloudEndpoint", undefined, policy(text))]);
    const warning =
      "warning access/traffic-policy-changed CloudEndpoint own: it gets a traffic policy, which the review does not understand";
    expect(created(deny)).toEqual([warning]);
    for (const text of [log, "{ not closed", "deny"])
      expect(created(text)).toEqual([
        "error access/unguarded CloudEndpoint own: its traffic policy has no action that is known to restrict, so nothing restricts who gets in",
        warning,
      ]);
    for (const text of ["{}", '{"on_http_request":[{"enabled":false,"actions":[{"type":"deny"}]}]}'])
      expect(created(text)).toEqual([
        "error access/unguarded CloudEndpoint own: its traffic policy has no rules, so nothing restricts who gets in",
      ]);
    expect(said(change("CloudEndpoint", policy(log), policy(log)))).toEqual([]);
  });

  it("is a warning at a new edge with a traffic policy beside its IP restriction", () => {
    const edge = (value: string) => ({
      hostports: ["1.tcp.example.com:1"],
      ipRestriction: { ipPolicyIds: ["ipp_1"] },
      trafficPolicy: { value },
    });
    for (const text of [deny, log])
      expect(said(change("TcpEdge", undefined, edge(text)))).toContain(
        "warning access/traffic-policy-changed TcpEdge own",
      );
  });

  it("is an error with other endpoint selectors, with rules beside a set, and with another binding", () => {
    const operator = (...endpointSelectors: string[]) => ({ binding: { endpointSelectors } });
    expect(said(change("KubernetesOperator", operator("false"), operator("true")))).toEqual([
      "error access/who-gets-in KubernetesOperator own",
    ]);
    const set = { ipPolicyId: "ipp_1", rules: { "203.0.113.0/24": "allow" } };
    expect(said(change("IpPolicyRuleSet", set, { ...set, exclusive: false }))).toContain(
      "error access/who-gets-in IpPolicyRuleSet own",
    );
    const bound = (bindings?: string[]) => ({ ...policy(deny), ...(bindings && { bindings }) });
    for (const before of [bound(), bound(["internal"])])
      expect(said(change("CloudEndpoint", before, bound(["public"])))).toEqual([
        "error access/binding-public CloudEndpoint own",
      ]);
    expect(said(change("CloudEndpoint", bound(["internal", "public"]), bound(["internal"])))).toEqual([]);
  });
});

describe("where data and traffic go", () => {
  it.each<[string, string, Values | undefined, Values | undefined]>([
    [
      "data",
      "EventDestination",
      { target: { monitoring: { apiKey: "[secret]" } } },
      { target: { monitoring: { apiKey: "[secret]", ddsite: "eu" } } },
    ],
    ["data", "EventSubscription", { destinationIds: ["ed_1"] }, { destinationIds: ["ed_1", "ed_2"] }],
    ["data", "EventSubscription", undefined, { destinationIds: ["ed_2"] }],
    ["data", "EventSubscription", { destinationIds: ["ed_1"] }, undefined],
    ["data", "EventSource", undefined, { subscriptionId: "esb_1", type: "ip_policy_created.v0" }],
    ["traffic", "TunnelGroupBackend", { labels: { team: "web" } }, { labels: { team: "evil" } }],
    ["traffic", "HttpResponseBackend", { body: "sorry" }, { body: "sign in here" }],
    [
      "traffic",
      "WeightedBackend",
      { backends: { bkdtg_1: 1, bkdtg_2: 99 } },
      { backends: { bkdtg_1: 99, bkdtg_2: 1 } },
    ],
    [
      "traffic",
      "FailoverBackend",
      { backends: ["bkdtg_1", "bkdtg_2"] },
      { backends: ["bkdtg_2", "bkdtg_1"] },
    ],
    [
      "traffic",
      "KubernetesOperator",
      { binding: { ingressEndpoint: "a.example.com" } },
      { binding: { ingressEndpoint: "b.example.com" } },
    ],
    [
      "traffic",
      "CloudEndpoint",
      undefined,
      { url: "https://a.example.com", trafficPolicy: "deny", poolingEnabled: true },
    ],
  ])("is a warning: %s of %s from %j to %j", (what, type, before, after) => {
    expect(said(change(type, before, after))).toContain(`warning flow/where-${what}-goes ${type} own`);
  });

  it.each<[string, string, object]>([
    ["TunnelGroupBackend", "labels", { team: "web" }],
    ["HttpResponseBackend", "headers", { "x-team": "web" }],
  ])(
    "is a warning for %s, of which %s are hidden as a whole: they let nobody in",
    (type, argument, value) => {
      const more = type === "HttpResponseBackend" ? { body: "sorry" } : {};
      const values = (of: unknown): Values => ({ ...more, [argument]: of });
      const [shown, hidden] = [values(value), values("[secret]")];
      const all = [change(type, shown, hidden), change(type, hidden, shown)].map((each) =>
        said(each).filter((text) => !text.includes("hygiene/")),
      );
      expect(all).toEqual(Array(2).fill([`warning flow/where-traffic-goes ${type} own`]));
    },
  );

  it("names what it has been and will be where all of it is hidden, or was", () => {
    const backends = (value: unknown): Values => ({ backends: value });
    const [shown, hidden] = [backends({ bkdtg_1: 5 }), backends("[secret]")];
    const changes = (before: Values, after: Values): string[] =>
      saidOf([change("WeightedBackend", before, after)]).filter((text) => text.includes("flow/"));
    expect([changes(shown, hidden), changes(hidden, shown)]).toEqual([
      [
        "warning flow/where-traffic-goes WeightedBackend own: backends changes from bkdtg_1 with the weight 5 to a hidden value",
      ],
      [
        "warning flow/where-traffic-goes WeightedBackend own: backends changes from a hidden value to bkdtg_1 with the weight 5",
      ],
    ]);
  });

  it("does not change with the id of an object that is replaced, and does with another object", () => {
    const group = (name: string, op: string): Written => ({
      ...change("TunnelGroupBackend", op === "create" ? undefined : { labels: {} }, { labels: {} }),
      ...{ name, op, id: `bkdtg_${name}` },
    });
    const edge = (...from: Written[]): Written =>
      change(
        "TcpEdge",
        { backend: { backendId: "bkdtg_web" } },
        { backend: { backendId: unknown } },
        { from: { backend: from.map(({ type, name }) => urnOf(type, name)) } },
      );
    const [web, other] = [group("web", "replace"), group("other", "create")];
    expect(said(web, edge(web)).filter((text) => text.includes("TcpEdge"))).not.toContain(
      "warning flow/where-traffic-goes TcpEdge own",
    );
    expect(saidOf([group("web", "same"), other, edge(other)])).toContain(
      'warning flow/where-traffic-goes TcpEdge own: backend.backendId changes from TunnelGroupBackend "web" to TunnelGroupBackend "other"',
    );
  });
});
