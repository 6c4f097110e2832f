import { z } from "zod";
import type { Context } from "../context";
import { ref } from "../context";
import { membersSet, refId } from "../copied";
import { HttpError, invalid } from "../http/errors";
import { endpointUrl } from "../http/normalise";
import { BOT_USERS, ENDPOINTS, USERS } from "../paths";
import type { Fields } from "../store";
import { described, flag, strings, text } from "../http/validation";
import { collection } from "./collection";

const SCHEMES = ["http", "https", "tcp", "tls"];
const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443, tls: 443 };

const address = text.superRefine((value, check) => {
  if (readUrl(value) === undefined) {
    check.addIssue({
      code: "custom",
      message: `must be a URL with the scheme ${SCHEMES.join(", ")} and a host`,
    });
  }
});

const updateBody = z.strictObject({
  ...described,
  traffic_policy: text.optional(),
  bindings: strings.optional(),
  pooling_enabled: flag.optional(),
  url: address.optional(),
});

export const endpoints = collection({
  path: ENDPOINTS,
  prefix: "ep_",
  listKey: "endpoints",
  noun: "endpoint",
  create: updateBody.extend({ url: address, type: z.enum(["cloud"]).optional() }),
  update: updateBody,
  build: ({ type, ...input }, context): Endpoint => ({
    ...input,
    type: type ?? "cloud",
    principal: context.principal.id,
    updated_at: context.clock.stamp(),
  }),
  beforeUpdate: (_body, _context, { fields }) => requireCloud(fields),
  change: (input, context, { fields }) => {
    const isKnown = input.url !== undefined && !context.isOpaque(input.url);
    if (isKnown && readUrl(input.url ?? "")?.scheme !== readUrl(fields.url ?? "")?.scheme) {
      throw invalid("url", "the scheme cannot change");
    }
    return { ...fields, ...input, updated_at: context.clock.stamp() };
  },
  beforeDelete: (_context, { fields }) => requireCloud(fields),
  copied: (answer) => {
    const members = membersSet(answer);
    const names = ["description", "metadata", "url", "traffic_policy", "bindings", "pooling_enabled"];
    const known = Object.entries(members).filter(([name]) => names.includes(name));
    const { type, principal, updated_at } = members;
    return {
      ...Object.fromEntries(known),
      type,
      updated_at,
      principal: principal === undefined ? "" : refId(principal),
    };
  },
  response: (fields, context) => {
    const { url, type, principal, updated_at, seeded, ...rest } = fields;
    const at = readUrl(url ?? "");
    return {
      region: "global",
      updated_at,
      public_url: shown(url, context),
      proto: at?.scheme ?? null,
      scheme: at?.scheme ?? null,
      host: at?.host ?? null,
      hostport: at?.port == null ? null : `${at.host}:${at.port}`,
      port: at?.port ?? null,
      type,
      domain: null,
      tcp_addr: null,
      tunnel: null,
      edge: null,
      upstream_url: null,
      upstream_protocol: null,
      url: shown(url, context),
      principal: ref(context, principal.startsWith("bot_") ? BOT_USERS : USERS, principal),
      traffic_policy: rest.traffic_policy ?? null,
      bindings: rest.bindings ?? null,
      tunnel_session: null,
      name: null,
      pooling_enabled: rest.pooling_enabled ?? false,
      ...seeded,
    };
  },
});

interface Endpoint extends z.output<typeof updateBody> {
  type: string;
  principal: string;
  updated_at: string;
  /** Any other field of the table, from the seed. */
  seeded?: Fields;
  /** The operator it is bound to, from the seed. */
  bound_to?: string;
}

/** The stored fields of an endpoint that a seed defines. */
export function seededEndpoint(context: Context, object: Fields): Fields {
  const { bound_to, type, url, principal, ...seeded } = object;
  return {
    ...(typeof url === "string" ? { url } : {}),
    type: typeof type === "string" ? type : "ephemeral",
    principal: typeof principal === "string" ? principal : context.principal.id,
    updated_at: context.clock.stamp(),
    seeded,
    ...(bound_to === undefined ? {} : { bound_to }),
  };
}

function requireCloud({ type }: Endpoint): void {
  if (type !== "cloud")
    throw new HttpError(400, "ERR_UNSUPPORTED", "type: only cloud endpoints can be updated or deleted");
}

function shown(url: string | undefined, { normalise }: Context): string | null {
  return url === undefined ? null : normalise ? endpointUrl(url) : url;
}

function readUrl(url: string): { scheme: string; host: string; port: number | null } | undefined {
  const parts = /^([a-z]+):\/\/(\[[0-9A-Fa-f:.]+\]|[^\s/:@?#]+)(?::(\d{1,5}))?(?:[/?#]\S*)?$/i.exec(url);
  const [, name = "", host = "", port] = parts ?? [];
  const scheme = name.toLowerCase();
  if (parts === null || !SCHEMES.includes(scheme) || Number(port ?? 0) > 65535) return undefined;
  return { scheme, host, port: port === undefined ? (DEFAULT_PORTS[scheme] ?? null) : Number(port) };
}
