/** Valid arguments of any class, made from its declaration alone. */
import { generateKeyPairSync } from "node:crypto";
import * as fc from "../../../support/fast-check";
import { checkArguments } from "../../../../src/schema/validate";
import type { Declaration } from "../../../../src/schema/declaration";
import { canonicalOf } from "../../../../src/schema/field";
import type { AnyField, Fields, Format } from "../../../../src/schema/field";
import { seedOf } from "../../../support/cases";
import { openSshKey } from "../../../support/ssh";
import { makeCertificate, makeCertificateRequest, makeKeyPair } from "../../../support/x509";

export type Json = Record<string, unknown>;

/** Every run sees the same values, but those at night. */
export const seed = seedOf(20_260_101);

/** What an emulator that is seeded with `account` has, for the arguments that refer to something. */
const ids = [
  ...["usr_ada", "usr_bob", "bot_one", "ipp_one", "ipp_two", "bkdtg_one", "bkdhr_one"],
  ...["ed_one", "ed_two", "esb_one", "sshca_one"],
];
/** The one edge and its one route, and the one TLS edge. */
const place = "place_one";

export const account = {
  users: [{ id: "usr_ada" }, { id: "usr_bob" }],
  bot_users: [{ id: "bot_one", name: "not to be generated" }],
  ip_policies: [{ id: "ipp_one" }, { id: "ipp_two" }],
  "backends/tunnel_group": [{ id: "bkdtg_one", labels: {} }],
  "backends/http_response": [{ id: "bkdhr_one" }],
  event_destinations: ["ed_one", "ed_two"].map((id) => ({ id, target: { monitoring: { api_key: id } } })),
  event_subscriptions: [{ id: "esb_one" }],
  https_edges: [{ id: place, routes: [{ id: place }] }],
  tls_edges: [{ id: place }],
};

const free = fc.string({ unit: "grapheme", maxLength: 12 });
const names = fc.constantFrom(
  "a",
  "Some_Key",
  "someKey",
  "some_key",
  "X-Y",
  "__proto__",
  "constructor",
  "toString",
);
const host = fc.domain().filter((name) => name.length < 60);
const root = makeCertificate({ ca: true });
const pairs = ["ecdsa", "ed25519"].map((keyType) =>
  makeCertificate({ issuer: root, keyType: keyType as "ecdsa", dnsNames: ["www.example.com"] }),
);
const keys = [
  ...pairs.map(({ publicKey }) => openSshKey(publicKey)),
  openSshKey(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey),
];

const now = Date.now();
const words = ["bindings", "ingress", "gateway", "force-command", "source-address"];
const times = [-400, -3, 3, 400].map((days) => new Date(now + days * 86_400_000).toISOString());

/** Texts of all the forms that a format may ask for; each field takes those that are right for it. */
const constants: readonly string[] = [
  ...ids,
  ...words,
  ...times,
  times[3]!.replace("Z", "+00:00"),
  times[2]!.replace(/\.\d+/, ""),
  ...["2001:db8::/32", "2001:0DB8:0::/48", "::/0", "203.0.113.7/32"],
  ...["https://*.example.com", "https://login.example.com"],
  ...["*", "bind:team=web", "bind:*=web", "bind:team=*", "bind:1.tcp.example.com:12345"],
  ...["example/operations", "some-org/some-team"],
  ...["ip_policy_created.v0", "ip_policy_updated.v0", "a_b.v12"],
  ...["true", "endpoint.type == 'cloud'", 'endpoint.metadata.name.startsWith("x")'],
  ...["PAYMENTS", "CODE_HOST2", "CLOUD_NOTIFICATION"],
  ...keys,
  `${keys[0]!} a comment`,
  ...pairs.map(({ publicKey }) => String(publicKey.export({ type: "spki", format: "pem" }))),
  ...["a public key", "another public key"].map((text) => Buffer.alloc(32, text).toString("base64")),
  root.pem,
  makeCertificate({ ca: true }).pem.trimEnd(),
  ...pairs.flatMap(({ pem }) => [pem, pem + root.pem]),
  ...pairs.map(({ privateKeyPem }) => privateKeyPem),
  String(makeKeyPair("ecdsa").privateKey.export({ type: "sec1", format: "pem" })),
  makeCertificateRequest().pem,
  makeCertificateRequest().pem.replace(/\n/g, "\r\n"),
];
const texts: readonly fc.Arbitrary<string>[] = [
  free,
  names,
  fc
    .tuple(fc.nat(255), fc.nat(255), fc.constantFrom(0, 8, 16))
    .map(([a, b, mask]) => `${mask < 8 ? 0 : a}.${mask < 16 ? 0 : b}.0.0/${mask}`),
  fc
    .tuple(fc.constantFrom("http", "https", "tcp", "tls"), host, fc.constantFrom("", ":443", ":8080"))
    .map(([scheme, name, port]) => `${scheme}://${name}${port}`),
  fc.tuple(host, fc.integer({ min: 1, max: 65535 })).map(([name, port]) => `${name}:${port}`),
  host,
  host.map((name) => `someone@${name}`),
  host.map((name) => `bind:*.${name}`),
];
const text = (check: (value: string) => string | undefined) => meeting(constants, texts, check);

const someNumbers = [0, 1, 2, 3.5, 23, 200, 404, 599, 3600, 10_000, 4_294_967_295];

/** The constants that meet the check, and what the arbitraries that often do so make. */
function meeting<T>(
  constants: readonly T[],
  all: readonly fc.Arbitrary<T>[],
  check: (value: T) => string | undefined,
): fc.Arbitrary<T> {
  // The same keys and certificates are drawn again and again, and reading one takes a millisecond.
  const known = new Map<T, boolean>();
  const isRight = (value: T): boolean => {
    if (!known.has(value)) known.set(value, check(value) === undefined);
    return known.get(value)!;
  };
  const fitting = all.filter((each) => fc.sample(each, { numRuns: 20, seed }).filter(isRight).length >= 5);
  const right = constants.filter(isRight);
  if (right.length > 0) fitting.push(fc.constantFrom(...right));
  if (fitting.length === 0) throw new Error(`nothing has the form that ${check.toString()} asks for`);
  return fc.oneof(...fitting).filter(isRight);
}

/** What is wrong with a value or looks wrong: services refuse some of what is a warning. */
export function usual(format: Format): (value: string) => string | undefined {
  return (value) => format.check?.(value) ?? format.advise?.(value);
}

function valueOf(field: AnyField): fc.Arbitrary<unknown> {
  const { shape, traits } = field;
  switch (shape.kind) {
    case "string": {
      const { format } = shape;
      if (format.check === undefined && format.advise === undefined) {
        // Check takes an empty text that means the default out of the arguments.
        return fc
          .oneof(free, names, fc.constant(""))
          .filter((value) => value !== "" || !traits.emptyIsDefault);
      }
      if (format.words) return fc.constantFrom(...format.words);
      const check = usual(format);
      // A path of an object that the account has.
      return traits.inPath && check(place) === undefined ? fc.constant(place) : text(check);
    }
    case "number":
      return meeting(someNumbers, [fc.nat(10_000)], shape.check);
    case "boolean":
      return fc.boolean();
    case "list": {
      const selector = (item: unknown) => JSON.stringify(item);
      return fc.uniqueArray(valueOf(shape.item), { maxLength: 4, selector });
    }
    case "map": {
      const entries = fc.uniqueArray(fc.tuple(text(usual(shape.key)), valueOf(shape.value)), {
        maxLength: 4,
        selector: ([name]) => canonicalOf(shape.key, name),
      });
      return entries.map((all) => Object.fromEntries(all));
    }
    case "object":
      return shape.alternatives ? oneMemberOf(shape.fields) : membersOf(shape.fields);
  }
}

function oneMemberOf(fields: Fields): fc.Arbitrary<Json> {
  const one = Object.entries(fields).map(([name, field]) =>
    valueOf(field).map((value): Json => ({ [name]: value })),
  );
  return fc.oneof(fc.constant({}), ...one);
}

function membersOf(fields: Fields): fc.Arbitrary<Json> {
  const given = Object.entries(fields).filter(([, { presence }]) => presence !== "computed");
  const members = Object.fromEntries(given.map(([name, field]) => [name, valueOf(field)]));
  const required = given.filter(([, { presence }]) => presence === "required").map(([name]) => name);
  return fc.record(members, { requiredKeys: required, noNullPrototype: true });
}

/** Arguments that make a new object. */
export function argumentsOf({ fields, rules }: Declaration): fc.Arbitrary<Json> {
  return membersOf(fields).filter(
    (args) => checkArguments(fields, rules, args, { olds: {}, now }).length === 0,
  );
}

/** What the specification leaves open and the emulator decides, so that no declaration can know it. */
export function isAccepted(type: string, args: Json): boolean {
  if (type === "HttpsEdgeRouteWebhookVerification") {
    const isIdentifier = /^[A-Z][A-Z0-9_]*$/.test(String(args.provider));
    return isIdentifier && (args.secret !== undefined || args.provider === "CLOUD_NOTIFICATION");
  }
  // The service's own end comes a day after now.
  if (type.startsWith("Ssh") && args.validUntil === undefined && args.validAfter !== undefined) {
    return Date.parse(args.validAfter as string) < Date.now();
  }
  return true;
}
