/** Values for the parameters of the specification's tables, and the project's names for the wire's. */
import { argumentsFrom } from "../../src/schema/values";
import type { Arguments } from "../../src/schema/values";
import { makeCertificate, makeCertificateRequest } from "../support/x509";
import type { ManagedObject, Members, Type } from "./specification";

export type Json = Record<string, unknown>;

/** A parameter or response field that holds no further ones. */
export interface Leaf {
  /** Wire names with dots between them. */
  readonly path: string;
  readonly type: Type;
}

/** All leaves, once for each choice among alternatives. */
export function casesOf(members: Members, prefix = ""): Leaf[][] {
  return Object.entries(members)
    .map(([name, type]) => alternativesOf(type, prefix + name))
    .reduce<Leaf[][]>(
      (cases, choices) => cases.flatMap((leaves) => choices.map((more) => [...leaves, ...more])),
      [[]],
    );
}

function alternativesOf(type: Type, path: string): Leaf[][] {
  if (typeof type === "string" || "listOf" in type) return [[{ path, type }]];
  if ("members" in type) return casesOf(type.members, `${path}.`);
  return Object.entries(type.oneOf).flatMap(([name, member]) => alternativesOf(member, `${path}.${name}`));
}

/** The name that a program uses for a wire name or path. Design, Names. */
export function camelCase(wire: string): string {
  return wire.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An object with these values, keys being paths. */
export function nest(values: readonly (readonly [path: string, value: unknown])[]): Json {
  const whole: Json = {};
  for (const [path, value] of values) {
    const names = path.split(".");
    const last = names.pop()!;
    const holder = names.reduce<Json>((outer, name) => (outer[name] ??= {}) as Json, whole);
    holder[last] = value;
  }
  return whole;
}

/** A request body with the first sample of every leaf. */
export function bodyOf(object: ManagedObject, leaves: readonly Leaf[]): Json {
  return nest(leaves.map((leaf) => [leaf.path, sampleOf(object, leaf)[0]]));
}

/** The same as arguments, the path's added; `others` holds the values that differ, by their paths. */
export function argumentsOf(object: ManagedObject, leaves: readonly Leaf[], others: Json = {}): Arguments {
  const named = leaves.map((leaf): [string, unknown] => [
    camelCase(leaf.path),
    leaf.path in others ? others[leaf.path] : sampleOf(object, leaf)[0],
  ]);
  return { ...pathArgumentsOf(object), ...nest(named.filter(([, value]) => value !== undefined)) };
}

export function pathArgumentsOf(object: ManagedObject): Arguments {
  const names = object.pathArguments ?? [];
  return argumentsFrom(
    Object.fromEntries(
      names.map((name) => [camelCase(name), sampleOf(object, { path: name, type: "string" })[0]]),
    ),
  );
}

const authority = makeCertificate({ ca: true });
const [leaf, otherLeaf] = [makeCertificate(), makeCertificate()];
const sshKeys = [
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILX6szwYMf1AEw1D2E43cQSQCMJ5cXNSS14buGnJ2pEK one",
  "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNOK0FSk7uq02yvGIzeG6NiXR0k+QjQhaKyMa2J/cw23JpJJm66LynPAbW/elp6rOwEP8hbQ0frtrA6W7/HEcyw=",
] as const;

type Pair = readonly [one: unknown, other: unknown];

/** Two values, by class and path, by path, or by the path's last name; else those of the type do. */
const special: Readonly<Record<string, Pair>> = {
  owner_id: ["usr_1", "bot_1"],
  acl: [["bind:example.com"], ["bind:*.example.com", "bind:team=web"]],
  "SshCredential.public_key": sshKeys,
  public_key: sshKeys,
  cidr: ["203.0.113.0/24", "2001:db8::/32"],
  ip_policy_id: ["ipp_1", "ipp_2"],
  action: ["allow", "deny"],
  ssh_certificate_authority_id: ["sshca_1", "sshca_2"],
  critical_options: [{ "force-command": "uptime" }, { "source-address": "203.0.113.0/24" }],
  extensions: [{ "permit-pty": "" }, { "permit-port-forwarding": "", some_thing: "x" }],
  valid_after: ["2098-01-01T00:00:00Z", "2098-01-02T00:00:00Z"],
  valid_until: ["2099-01-01T00:00:00Z", "2099-01-02T00:00:00Z"],
  labels: [{ keyOne: "one", key_two: "two" }, { keyOne: "two" }],
  headers: [{ "X-One": "one", x_two: "two" }, { "X-One": "two" }],
  status_code: [200, 503],
  "WeightedBackend.backends": [
    { bkdtg_1: 10, bkdhr_2: 90 },
    { bkdtg_1: 20, bkdhr_2: 80 },
  ],
  "FailoverBackend.backends": [
    ["bkdtg_1", "bkdhr_2"],
    ["bkdhr_2", "bkdtg_1"],
  ],
  hostports: [["1.tcp.example.com:12345"], ["2.tcp.example.com:12345"]],
  backend_id: ["bkdtg_1", "bkdwd_2"],
  ip_policy_ids: [["ipp_1"], ["ipp_1", "ipp_2"]],
  ca_pem: [authority.pem, makeCertificate({ ca: true }).pem],
  certificate_pem: [leaf.pem, otherLeaf.pem],
  private_key_pem: [leaf.privateKeyPem, otherLeaf.privateKeyPem],
  enabled_features: [["bindings"], ["ingress", "gateway"]],
  region: ["eu", "global"],
  endpoint_selectors: [["true"], ["endpoint.name == 'one'"]],
  csr: [makeCertificateRequest().pem, makeCertificateRequest().pem],
  "CloudEndpoint.url": ["https://one.example.com", "https://two.example.com"],
  "CloudEndpoint.type": ["cloud", "edge"],
  "EventSource.type": ["ip_policy_created.v0", "ip_policy_updated.v0"],
  subscription_id: ["esb_1", "esb_2"],
  destination_ids: [["ed_1"], ["ed_1", "ed_2"]],
  "EventDestination.format": ["json", "xml"],
  logs_ingestion_uri: ["https://one.example.com", "https://two.example.com"],
  issuer: ["https://one.example.com", "https://two.example.com"],
  "HttpsEdgeRouteWebhookVerification.provider": ["ONE", "TWO"],
  email_addresses: [["one@example.com"], ["two@example.com"]],
  email_domains: [["one.example.com"], ["two.example.com"]],
  organizations: [["one"], ["two"]],
  edge_id: ["edge_1", "edge_2"],
  route_id: ["route_1", "route_2"],
  teams: [["one/team"], ["two/team"]],
};

/** Two values for a leaf that mean different things. Only the first is surely a right one. */
export function sampleOf(object: ManagedObject, { path, type }: Leaf): Pair {
  const last = path.split(".").at(-1)!;
  return special[`${object.class}.${path}`] ?? special[path] ?? special[last] ?? samplesByType(type, path);
}

function samplesByType(type: Type, path: string): Pair {
  if (typeof type === "object") {
    const members = Object.keys("listOf" in type ? type.listOf : {});
    const item = (value: string): Json =>
      Object.fromEntries(members.map((name) => [name, `${name}_${value}.v0`]));
    return [[item("one")], [item("one"), item("two")]];
  }
  const refTo = (id: string): Json => ({ id, uri: `https://api.example.com/${path}/${id}` });
  const one = `one ${path}`;
  const samples: Record<typeof type, Pair> = {
    string: [one, "another"],
    boolean: [true, false],
    int32: [1, 2],
    int64: [1, 2],
    uint32: [60, 3600],
    Ref: [refTo("x_1"), refTo("x_2")],
    "List<Ref>": [[refTo("x_1"), refTo("x_2")], []],
    "List<string>": [[one], [one, "another"]],
    "Map<string,string>": [{ one_key: one }, { one_key: "another" }],
    "Map<string,int64>": [{ one_key: 1 }, { one_key: 2 }],
  };
  return samples[type];
}
