import { resourceValues } from "../../../src/provider/existing/resource-values";
import type { ResourceValues } from "../../../src/provider/existing/resource-values";
import { notReturned } from "../../../src/schema/secrets";
import { checkArguments } from "../../../src/schema/validate";
import type { Json } from "../../../src/schema/json";
import { toWire } from "../../../src/provider/life-cycle/wire";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { argumentsFrom } from "../../../src/schema/values";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;
const uri = "https://api.example.com/x";
const created_at = "2026-01-01T00:00:00Z";

function imported(type: string, answer: Json, id = "x_1", with_: Partial<Settings> = {}): ResourceValues {
  const result = resourceValues(
    { declaration: declarationOf(type), id, answer },
    {
      settings: { ...settings, ...with_ },
      now: Date.parse("2026-06-01T00:00:00Z"),
    },
  );
  if ("reason" in result) throw new Error(result.reason);
  return result;
}

function reason(type: string, answer: Json): string {
  try {
    imported(type, answer);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

it("leaves out what equals a default, and keeps what does not", () => {
  const edge = { id: "e", uri, created_at, description: "", metadata: null, hostports: null };
  expect(
    imported("TcpEdge", { ...edge, backend: null, ip_restriction: null, traffic_policy: null }).args,
  ).toEqual({});
  const off = { enabled: false, ip_policies: [] };
  expect(
    imported("TcpEdge", {
      ...edge,
      ip_restriction: off,
      backend: { enabled: true, backend: { id: "bkdtg_1", uri } },
    }).args,
  ).toEqual({ ipRestriction: { enabled: false }, backend: { backendId: "bkdtg_1" } });
  expect(imported("BotUser", { id: "bot_1", uri, created_at, name: "b", active: false }).args).toEqual({
    name: "b",
    active: false,
  });
});

it("lists no extensions where the object has none, because leaving them out would restore the default", () => {
  const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILX6szwYMf1AEw1D2E43cQSQCMJ5cXNSS14buGnJ2pEK";
  const certificate = {
    id: "sucrt_1",
    uri,
    created_at,
    public_key: publicKey,
    key_type: "ed25519",
    ssh_certificate_authority_id: "sshca_1",
    valid_after: created_at,
    valid_until: "2026-01-02T00:00:00Z",
    certificate: "x",
  };
  expect(imported("SshUserCertificate", { ...certificate, extensions: null }).args).toEqual({
    publicKey,
    sshCertificateAuthorityId: "sshca_1",
    extensions: {},
  });
  const longer = { ...certificate, valid_until: "2026-09-01T00:00:00Z" };
  expect(imported("SshUserCertificate", longer).args).toHaveProperty("validUntil", "2026-09-01T00:00:00Z");
  // Its life of 24 hours counts from its creation.
  const later = { ...certificate, valid_after: "2026-01-01T02:00:00Z" };
  expect(imported("SshUserCertificate", later).args).toMatchObject({ validAfter: "2026-01-01T02:00:00Z" });
  expect(imported("SshUserCertificate", later).args).not.toHaveProperty("validUntil");
});

it("gives notReturned for secrets that are redacted or absent, also where it hides which alternative is set", () => {
  const destination = (target: Json): Json => ({ id: "ed_1", uri, created_at, format: "json", target });
  const targetOf = (target: Json): unknown => imported("EventDestination", destination(target)).args.target;
  expect(targetOf({ monitoring: { api_key: "*****", ddtags: null } })).toEqual({
    monitoring: { apiKey: notReturned },
  });
  const creds = { accessKeyId: notReturned, secretAccessKey: notReturned };
  expect(targetOf({ stream: { stream_ref: "s", auth: { role: null, creds: null } } })).toEqual({
    stream: { streamRef: "s", auth: { creds } },
  });
  expect(reason("EventDestination", destination({}))).toMatch(/does not show/);
});

it("gives notReturned for a secret that a rule requires", () => {
  const answer = {
    enabled: true,
    provider: { code_host: { client_id: "c", client_secret: null, scopes: ["s"] } },
  };
  expect(imported("HttpsEdgeRouteOauth", answer, "e/r").args.provider).toEqual({
    codeHost: { clientId: "c", clientSecret: notReturned, scopes: ["s"] },
  });
});

it("gives the reason why an object cannot be managed", () => {
  expect(reason("CloudEndpoint", { id: "ep", uri, url: "https://x.example.com", type: "edge" })).toMatch(
    /"cloud", not "edge"/,
  );
  expect(reason("IpPolicyRule", { id: "ipr_1", uri, cidr: "10.0.0.0/8", action: "allow" })).toMatch(
    /no ipPolicyId/,
  );
});

it("gives empty metadata where a stamp would change an object without metadata", () => {
  const policy = { id: "ipp_1", uri, created_at };
  expect(imported("IpPolicy", policy, "ipp_1", { stampMetadata: true }).args).toEqual({ metadata: "" });
});

it("never sends notReturned, and refuses it for a new object", () => {
  const { fields, rules } = declarationOf("EventDestination");
  const args = argumentsFrom({ target: { monitoring: { apiKey: notReturned } } });
  const problems = (olds?: Json): string[] =>
    checkArguments(fields, rules, args, { olds, now: 0 }).map(({ path }) => path);
  expect(problems({})).toEqual(["target.monitoring.apiKey"]);
  expect([problems(), problems(args)]).toEqual([[], []]);
  expect(() => toWire(fields, args)).toThrow(/apiKey.*set it in the program/);
});

describe("what the service fills in", () => {
  const key = { id: "ak_1", uri, created_at, description: "ci", metadata: "", token: null };
  const oauth = { enabled: true, options_passthrough: false, inactivity_timeout: 0, maximum_duration: 0 };
  const signIn = {
    ...oauth,
    issuer: "https://i.example.com",
    client_id: "c",
    client_secret: null,
    scopes: [],
  };
  const moduleArgs = (cookie_prefix: string): Json =>
    imported("HttpsEdgeRouteOidc", { ...signIn, cookie_prefix }, "edghts_1/edghtsrt_1").args;

  it("is no argument: the owner of the key, and the name of the service as prefix of cookies", () => {
    expect(imported("ApiKey", { ...key, owner_id: "usr_1" }).args).toEqual({ description: "ci" });
    expect(moduleArgs("gateway.")).not.toHaveProperty("cookiePrefix");
  });

  it("is not what somebody else chose: a bot user as owner, and another prefix", () => {
    expect(imported("ApiKey", { ...key, owner_id: "bot_1" }).args).toHaveProperty("ownerId", "bot_1");
    expect(moduleArgs("shop-")).toHaveProperty("cookiePrefix", "shop-");
  });
});
