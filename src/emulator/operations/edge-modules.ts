import { z } from "zod";
import { checkPolicies, copiedRestriction, ipRestriction } from "../collections/tcp-edges";
import type { Context } from "../context";
import { membersSet, shownModule } from "../copied";
import { HttpError, invalid, notFound } from "../http/errors";
import type { AcceptedRequest, Operation } from "../http/operation";
import { HTTPS_EDGES, HTTPS_ROUTES, TLS_EDGES } from "../paths";
import type { Fields, Stored } from "../store";
import { flag, id, nonEmpty, parse, strings, text, uint32, url } from "../http/validation";

/** Default of cookie_prefix: the service's name followed by a period. */
const COOKIE_PREFIX = "tunnel-gateway.";

/** One singleton of the specification's Edge route and edge modules. It is stored with its edge or route. */
interface Module<M = Fields> {
  /** Last segment of its path, and the field that stores it. */
  name: string;
  path: string;
  /** Kind of its edge or route. */
  kind: string;
  /** Name of its edge or route in messages. */
  owner: string;
  schema: z.ZodType<M>;
  /** The fields to store of a module that is copied from an answer. */
  copied(answer: Fields): Fields;
  check(module: M, context: Context, owner: Stored): void;
  response(module: M, context: Context): object;
}

const singleton = <M>(definition: Omit<Module<M>, "copied"> & Partial<Pick<Module, "copied">>) =>
  ({ copied: membersSet, ...definition }) as unknown as Module;

const route = { kind: HTTPS_ROUTES, owner: "HTTPS edge route" };
const common = {
  enabled: flag.optional(),
  options_passthrough: flag.optional(),
  cookie_prefix: text.optional(),
  inactivity_timeout: uint32.optional(),
  maximum_duration: uint32.optional(),
};

const oidc = singleton({
  ...route,
  name: "oidc",
  path: "/edges/https/:edge_id/routes/:id/oidc",
  schema: z.strictObject({
    ...common,
    issuer: url.optional(),
    client_id: nonEmpty.optional(),
    client_secret: nonEmpty.optional(),
    scopes: strings.optional(),
  }),
  check: (sent, _context, owner) => {
    for (const name of ["issuer", "client_id", "client_secret"] as const) {
      if (sent.enabled !== false && sent[name] === undefined) throw invalid(name, "is required");
    }
    rejectSecondAuthentication(sent, owner, "oauth");
  },
  response: (kept) => ({
    ...session(kept),
    issuer: kept.issuer ?? "",
    client_id: kept.client_id ?? "",
    client_secret: kept.client_secret ?? "",
    scopes: kept.scopes ?? [],
  }),
});

const webhookVerification = singleton({
  ...route,
  name: "webhook_verification",
  path: "/edges/https/:edge_id/routes/:id/webhook_verification",
  schema: z.strictObject({
    enabled: flag.optional(),
    provider: text.regex(/^[A-Z][A-Z0-9_]*$/, { error: "must be a provider's identifier in upper case" }),
    secret: text.optional(),
  }),
  check: ({ provider, secret }, { options }) => {
    if (options.webhookProviders !== undefined && !options.webhookProviders.includes(provider)) {
      throw invalid("provider", `must be one of ${options.webhookProviders.join(", ")}`);
    }
    const exempt = options.exemptWebhookProvider ?? "CLOUD_NOTIFICATION";
    if (secret === "" || (secret === undefined && provider !== exempt)) {
      throw invalid("secret", "a secret is required for this provider");
    }
  },
  response: ({ enabled, provider, secret }) => ({
    enabled: enabled ?? true,
    provider,
    secret: secret ?? null,
  }),
});

const identity = {
  client_id: nonEmpty.optional(),
  client_secret: nonEmpty.optional(),
  scopes: strings.optional(),
  email_addresses: strings.optional(),
  email_domains: strings.optional(),
};
const team = text.regex(/^[^/\s\p{Cc}]+\/[^/\s\p{Cc}]+$/u, { error: "must be <org-slug>/<team-slug>" });
const plainProvider = z.strictObject(identity).nullish();

/** EndpointOAuthProvider. Unused members may be null, as the specification's own type has them. */
const providers = z.strictObject({
  code_host: z
    .strictObject({ ...identity, teams: z.array(team).optional(), organizations: strings.optional() })
    .nullish(),
  social: plainProvider,
  software_vendor: plainProvider,
  search_vendor: plainProvider,
  professional: plainProvider,
  source_control: plainProvider,
  streaming: plainProvider,
  retail: plainProvider,
});

type Providers = z.output<typeof providers>;

/** The providers with rules 1 and 2 of the specification; rule 3, in the Errors table, holds for all. */
const WITH_CREDENTIAL_RULES = ["code_host", "social", "software_vendor", "search_vendor"];

const oauth = singleton({
  ...route,
  name: "oauth",
  path: "/edges/https/:edge_id/routes/:id/oauth",
  schema: z.strictObject({
    ...common,
    provider: providers.nullish(),
    auth_check_interval: uint32.optional(),
  }),
  check: (sent, _context, owner) => {
    const used = usedProviders(sent.provider);
    if (used.length > 1) throw invalid("provider", "at most one identity provider is allowed");
    if (used.length === 0 && sent.enabled !== false)
      throw invalid("provider", "an identity provider is required");
    for (const [name, provider] of used) {
      if (WITH_CREDENTIAL_RULES.includes(name) && provider.client_id && !provider.client_secret) {
        throw invalid(`provider.${name}.client_secret`, "is required with client_id");
      }
      if (provider.scopes?.length && !(provider.client_id && provider.client_secret)) {
        throw invalid(`provider.${name}.scopes`, "scopes may not be set without client_id and client_secret");
      }
    }
    rejectSecondAuthentication(sent, owner, "oidc");
  },
  response: (kept) => ({
    ...session(kept),
    auth_check_interval: kept.auth_check_interval ?? 0,
    provider: Object.fromEntries(
      Object.keys(providers.shape).map((name) => [
        name,
        showProvider(name, kept.provider?.[name as keyof Providers]),
      ]),
    ),
  }),
});

const tlsIpRestriction = singleton({
  name: "ip_restriction",
  path: "/edges/tls/:id/ip_restriction",
  kind: TLS_EDGES,
  owner: "TLS edge",
  schema: z.strictObject({ enabled: flag.optional(), ip_policy_ids: z.array(id("ipp_")).optional() }),
  copied: copiedRestriction,
  check: ({ ip_policy_ids }, context) => checkPolicies(context, ip_policy_ids, "ip_policy_ids"),
  response: (kept, context) => ipRestriction(kept, context),
});

export const MODULES = [oidc, webhookVerification, oauth, tlsIpRestriction];

type Identity = NonNullable<Providers["code_host"]>;

function usedProviders(value: Providers | null | undefined): [string, Identity][] {
  return Object.entries(value ?? {}).filter((entry): entry is [string, Identity] => !!entry[1]);
}

function showProvider(name: string, provider: Identity | null | undefined) {
  if (!provider) return null;
  return {
    client_id: provider.client_id ?? null,
    client_secret: provider.client_secret ?? null,
    scopes: provider.scopes ?? [],
    email_addresses: provider.email_addresses ?? [],
    email_domains: provider.email_domains ?? [],
    ...(name === "code_host"
      ? { teams: provider.teams ?? [], organizations: provider.organizations ?? [] }
      : {}),
  };
}

const isSet = (value: string | undefined) => value !== undefined && value !== "";

/** The members that OIDC and OAuth share, with their defaults. */
function session(kept: z.output<z.ZodObject<typeof common>>) {
  return {
    enabled: kept.enabled ?? true,
    options_passthrough: kept.options_passthrough ?? false,
    cookie_prefix: isSet(kept.cookie_prefix) ? kept.cookie_prefix : COOKIE_PREFIX,
    inactivity_timeout: kept.inactivity_timeout ?? 0,
    maximum_duration: kept.maximum_duration ?? 0,
  };
}

/** Only one authentication module of a route can be enabled. */
function rejectSecondAuthentication(
  sent: { enabled?: boolean | undefined },
  owner: Stored,
  other: string,
): void {
  const kept = owner.fields[other] as { enabled?: boolean } | undefined;
  if (sent.enabled !== false && kept !== undefined && kept.enabled !== false) {
    throw new HttpError(
      409,
      "ERR_CONFLICT",
      `enabled: the route's ${other} module is enabled; a route has one authentication module`,
    );
  }
}

export function put(module: Module, context: Context, owner: Stored, body: unknown): object {
  const sent = parse(module.schema, body, context.isOpaque);
  module.check(sent, context, owner);
  context.store.update(module.kind, owner, { ...owner.fields, [module.name]: sent });
  return moduleResponse(module, context, owner);
}

/** The response about a module that is set. */
export function moduleResponse(module: Module, context: Context, owner: Stored): object {
  return shownModule(module.name, owner, (kept) => module.response(kept, context));
}

export const moduleOperations = MODULES.flatMap((module): Operation[] => {
  const { name, path, kind } = module;
  const set = (request: AcceptedRequest): Stored => {
    const owner = ownerOf(module, request);
    if (owner.fields[name] === undefined) throw notFound(`${name} module`);
    return owner;
  };
  return [
    {
      method: "PUT",
      path,
      handle: (request) => put(module, request.context, ownerToChange(module, request), request.body),
    },
    {
      method: "GET",
      path,
      handle: (request) => moduleResponse(module, request.context, set(request)),
    },
    {
      method: "DELETE",
      path,
      handle: (request) => {
        const owner = set(request);
        const { [name]: _removed, ...others } = owner.fields;
        request.context.store.update(kind, owner, others);
      },
    },
  ];
});

function ownerOf(module: Module, { context, params: { id = "", edge_id } }: AcceptedRequest): Stored {
  const owner = context.store.get(module.kind, id);
  if (owner === undefined || (edge_id !== undefined && owner.fields.edge_id !== edge_id)) {
    throw notFound(module.owner);
  }
  return owner;
}

/**
 * The edge or route whose module is set. No list contains edges or routes, so the copy of an account has only those with modules.
 * In a copy, each one that a request names therefore exists.
 */
function ownerToChange(module: Module, request: AcceptedRequest): Stored {
  const { store, clock, isCopy } = request.context;
  const { id = "", edge_id } = request.params;
  if (!isCopy || store.get(module.kind, id) !== undefined) return ownerOf(module, request);
  if (edge_id === undefined) return store.create(module.kind, id, clock.stamp(), {});
  if (store.get(HTTPS_EDGES, edge_id) === undefined) store.create(HTTPS_EDGES, edge_id, clock.stamp(), {});
  return store.create(module.kind, id, clock.stamp(), { edge_id });
}
