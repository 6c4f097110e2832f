import { planFor } from "../../../src/tools/import/objects/plan";
import { newStatement } from "../../../src/tools/import/program/statement";
import { accountObject } from "../../../src/tools/inventory/account-contents";
import { withSets } from "../../../src/tools/import/objects/sets";
import { parseSource } from "../../../src/tools/import/program/typescript";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { makeCertificate } from "../../support/x509";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;

describe("the statement of a TLS certificate", () => {
  const { pem } = makeCertificate();
  const textFor = (issued_at: string | null): string => {
    const answer = { id: "cert_1", uri: "u", certificate_pem: pem, issued_at };
    const object = accountObject(declarationOf("TlsCertificate"), "cert_1", answer);
    const [resource] = planFor([object], { settings, now: Date.now() }).resources;
    return newStatement(resource!, { protect: true, refer: () => undefined }).text;
  };

  it("says that the service issued it, and ignores its renewals", () => {
    const text = textFor("2026-01-01T00:00:00Z");
    expect(text).toContain(
      "// The service issued it and renews it: changes of certificatePem are ignored.\n",
    );
    expect(text).toContain('{ protect: true, ignoreChanges: ["certificatePem"] },');
  });

  it("manages the certificate where a user uploaded it", () => {
    expect(textFor(null)).not.toMatch(/ignoreChanges|issued/);
  });
});

it("says of an API key that a program which uses the token fails", () => {
  const object = accountObject(declarationOf("ApiKey"), "ak_1", { id: "ak_1", uri: "u", description: "ci" });
  const [resource] = planFor([object], { settings, now: Date.now() }).resources;
  expect(newStatement(resource!, { protect: true, refer: () => undefined }).text).toContain(
    "// Its token was shown only when it was created: a program that uses the output fails.\n",
  );
});

describe("the statement of a rule set", () => {
  const rules = Array.from({ length: 25 }, (_, i) => ({
    id: `ipr_${i}`,
    cidr: `10.${30 - i}.0.0/16`,
    action: "allow",
    ip_policy: { id: "ipp_1", uri: "u" },
  }));
  const rule = declarationOf("IpPolicyRule");
  const objects = [
    accountObject(declarationOf("IpPolicy"), "ipp_1", { id: "ipp_1", description: "office" }),
    ...rules.map((answer) => accountObject(rule, answer.id, answer)),
  ];
  const { resources } = planFor(
    withSets(objects, () => true),
    { settings, now: Date.now() },
  );
  const set = resources.find(({ declaration }) => declaration.style === "ruleSet")!;
  const statement = newStatement(set, { protect: true, refer: () => undefined });

  it("asks for no secret", () => {
    expect(statement).toMatchObject({ secrets: [], missingSecrets: 0 });
    expect(statement.text).not.toMatch(/exclusive|secret/i);
  });

  it("is laid out in a few copies of its text, however many ranges it has", () => {
    const slice = jest.spyOn(String.prototype, "slice");
    const { text } = newStatement(set, { protect: true, refer: () => undefined });
    const copied = slice.mock.results.reduce((sum, { value }) => sum + (value as string).length, 0);
    slice.mockRestore();
    expect(copied).toBeLessThan(5 * text.length);
  });

  it("is named after its policy, and its ranges in order", () => {
    expect(set.name).toBe("office-rules");
    const ranges = [...statement.text.matchAll(/"(10\.\d+)\.0\.0\/16"/g)].map(([, range]) => range);
    expect(ranges).toEqual(Array.from({ length: 25 }, (_, i) => `10.${i + 6}`));
  });
});

it("gives each secret of a program a configuration key of its own", () => {
  const declaration = declarationOf("HttpsEdgeRouteOidc");
  const webhook = declarationOf("HttpsEdgeRouteWebhookVerification");
  const options = { protect: true, refer: () => undefined };
  const common = { id: "edghts_1/edghtsrt_1", name: "login", values: {} };
  const oidc = { issuer: "https://id.example.com", clientId: "c", clientSecret: "one" };
  const statements = [
    newStatement({ ...common, declaration, variable: "login", args: oidc }, options),
    newStatement(
      { ...common, declaration: webhook, variable: "loginClient", args: { provider: "X", secret: "two" } },
      options,
    ),
  ];
  expect(statements.flatMap(({ secrets }) => secrets)).toEqual([
    { key: "login_clientSecret", value: "one" },
    { key: "loginClient_secret", value: "two" },
  ]);
});

it.each(["\n", "\r", "\u2028", "\u2029"])(
  "keeps an id with a line break (%j) inside of its comment",
  (end) => {
    const id = `ipp_1${end}globalThis.ran = true;`;
    const resource = {
      declaration: declarationOf("IpPolicy"),
      id,
      name: "office",
      variable: "office",
      args: {},
      values: {},
    };
    const { text } = newStatement(resource, { protect: true, refer: () => undefined });
    const { statements } = parseSource(text);
    expect(statements).toHaveLength(1);
    expect(text.split(/[\n\r\u2028\u2029]/)[0]).toMatch(/^\/\/ ipp_1\\.*ran = true;$/);
  },
);
