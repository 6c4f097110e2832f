/** What makes random arguments fit for many resources of one account. */
import type { Fields } from "../../src/schema/field";
import { account, usual, type Json } from "../provider/life-cycle/properties/arbitraries";
import { needle } from "../rounds/coverage";
import { sshLine } from "../support/ssh";
import type { WorldResource } from "../rounds/world";

interface OutsideOptions {
  readonly rounds: readonly { readonly program: readonly WorldResource[] }[];
  /** More objects: their ids. */
  readonly also?: readonly string[];
}

/** What stands in the account beside the programs of a world: the places of their modules among it. */
export function outsideOf({ rounds, also = [] }: OutsideOptions): typeof account {
  const programs = rounds.flatMap(({ program }) => program);
  const named = (argument: "routeId" | "edgeId") =>
    [...new Set(["place_one", ...programs.map(({ args }) => args[argument])])].filter(
      (id) => typeof id === "string",
    );
  const outside = {
    ...account,
    https_edges: [{ id: "place_one", routes: named("routeId").map((id) => ({ id })) }],
    tls_edges: named("edgeId").map((id) => ({ id })),
  };
  // Each like the one with the same prefix.
  const prefixOf = (id: unknown) => String(id).split("_")[0];
  const all = Object.entries(outside as Record<string, readonly { id?: unknown }[]>).map(
    ([name, objects]) => {
      const more = also.flatMap((id) => {
        const like = objects.find((object) => prefixOf(object.id) === prefixOf(id));
        return like === undefined ? [] : [{ ...like, id }];
      });
      return [name, [...objects, ...more]];
    },
  );
  return Object.fromEntries(all) as typeof account;
}

/** Objects of the account that random arguments refer to, and the class whose resources may take their places. */
export const outsideIds: readonly { readonly id: string; readonly type: string }[] = [
  { id: "ipp_one", type: "IpPolicy" },
  { id: "ipp_two", type: "IpPolicy" },
  { id: "bot_one", type: "BotUser" },
  { id: "bkdtg_one", type: "TunnelGroupBackend" },
  { id: "bkdhr_one", type: "HttpResponseBackend" },
  { id: "ed_one", type: "EventDestination" },
  { id: "ed_two", type: "EventDestination" },
  { id: "esb_one", type: "EventSubscription" },
];

/** Values and keys that are ids, with a reference to the resource that takes the object's place. */
export function withReferences(value: unknown, refs: Readonly<Record<string, string>>): unknown {
  // A random text must not look like a reference.
  const put = (text: string) => (Object.hasOwn(refs, text) ? `@${refs[text]}` : text.replace(/^@/, "at "));
  if (typeof value === "string") return put(value);
  if (Array.isArray(value)) return value.map((item) => withReferences(item, refs));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [put(key), withReferences(item, refs)]),
  );
}

/** What no two objects of an account may share, made from a number that no other arguments of the world have. */
const uniqueValues: Readonly<Record<string, (count: number) => Json>> = {
  IpPolicyRule: (count) => ({ cidr: `172.${16 + (count >> 8)}.${count & 255}.0/24` }),
  BotUser: (count) => ({ name: `bot ${count}` }),
  SshCredential: (count) => ({ publicKey: sshKey(count) }),
  EventSource: (count) => ({ type: `soak_${count}.v0` }),
  HttpsEdgeRouteOidc: (count) => ({ routeId: `route_${count}` }),
  HttpsEdgeRouteOauth: (count) => ({ routeId: `route_${count}` }),
  HttpsEdgeRouteWebhookVerification: (count) => ({ routeId: `route_${count}` }),
  TlsEdgeIpRestriction: (count) => ({ edgeId: `tls_${count}` }),
};

export function withUniqueValues(type: string, args: Json, count: number): Json {
  return { ...args, ...uniqueValues[type]?.(count) };
}

/** An ed25519 key of this number: any 32 bytes are one. */
function sshKey(count: number): string {
  return sshLine("ssh-ed25519", Buffer.alloc(32, `key ${count} `));
}

/** Every secret that may be any text is one that stands nowhere else; the others are keys and certificate requests. */
export function withDistinctSecrets(fields: Fields, args: Json, count: number): Json {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, unknown] => {
      const field = fields[name]!;
      if (field.traits.secret && field.shape.kind === "string") {
        const distinct = `SOAK-SECRET-${count}-${name}`;
        return [name, usual(field.shape.format)(distinct) === undefined ? distinct : value];
      }
      if (field.traits.secret) return [name, value];
      const isObject = field.shape.kind === "object" && typeof value === "object" && value !== null;
      if (!isObject || field.shape.kind !== "object") return [name, withoutSecretForms(value, count)];
      return [name, withDistinctSecrets(field.shape.fields, value as Json, count)];
    }),
  );
}

/** A private key or a request in a public text, such as a description or a key of a map, may be the one of a secret. */
function withoutSecretForms(value: unknown, count: number): unknown {
  const put = (text: string) =>
    /PRIVATE KEY|CERTIFICATE REQUEST/.test(text) ? `public text ${count}` : text;
  if (typeof value === "string") return put(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecretForms(item, count));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [put(name), withoutSecretForms(item, count)]),
  );
}

/** What to look for, so that none of the secrets of these arguments is shown. */
export function needlesIn(fields: Fields, args: Json): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const field = fields[name]!;
    if (field.traits.secret) return typeof value === "string" ? [needle(value).trim()] : [];
    if (field.shape.kind !== "object" || typeof value !== "object" || value === null) return [];
    return needlesIn(field.shape.fields, value as Json);
  });
}
