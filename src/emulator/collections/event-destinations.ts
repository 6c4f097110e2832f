import { z } from "zod";
import type { Context } from "../context";
import { invalid } from "../http/errors";
import { EVENT_DESTINATIONS, EVENT_SUBSCRIPTIONS } from "../paths";
import { described, nonEmpty, text } from "../http/validation";
import { collection } from "./collection";

/** CloudAuth: exactly one of role and creds. */
const auth = z
  .strictObject({
    role: z.strictObject({ role_ref: nonEmpty }).nullish(),
    creds: z.strictObject({ access_key_id: nonEmpty, secret_access_key: nonEmpty }).nullish(),
  })
  .refine((value) => members(value).length === 1, { error: "exactly one of role and creds is required" });

/** EventTarget. Unused members may be null, as the specification's own type has them. */
const target = z.strictObject({
  stream: z.strictObject({ auth, stream_ref: nonEmpty }).nullish(),
  delivery_stream: z.strictObject({ auth, delivery_stream_ref: nonEmpty }).nullish(),
  log_group: z.strictObject({ auth, log_group_ref: nonEmpty }).nullish(),
  monitoring: z
    .strictObject({
      api_key: nonEmpty,
      ddtags: text.optional(),
      service: text.optional(),
      ddsite: text.optional(),
    })
    .nullish(),
  logs_ingestion: z
    .strictObject({
      tenant_id: nonEmpty,
      client_id: nonEmpty,
      client_secret: nonEmpty,
      logs_ingestion_uri: nonEmpty,
      data_collection_rule_id: nonEmpty,
      data_collection_stream_name: nonEmpty,
    })
    .nullish(),
});

type Target = z.output<typeof target>;
type Auth = z.output<typeof auth>;

const format = z.enum(["json"]).optional();

export const eventDestinations = collection({
  path: EVENT_DESTINATIONS,
  prefix: "ed_",
  listKey: "event_destinations",
  noun: "event destination",
  create: z.strictObject({ ...described, format, target }),
  undocumentedUpdate: z.strictObject({ ...described, format, target: target.optional() }),
  check: ({ target: sent }, context) => sent && requireOneTarget(sent, context),
  change: ({ target: sent, ...input }, _context, { fields }) => {
    if (sent && members(sent)[0] !== members(fields.target)[0])
      throw invalid("target", "its kind cannot change");
    return { ...fields, ...input, target: sent ?? fields.target };
  },
  response: (fields, context) => ({
    format: fields.format ?? "json",
    target: showTarget(fields.target, context),
  }),
  inUseBy: [EVENT_SUBSCRIPTIONS],
});

function members(object: object): string[] {
  return Object.entries(object)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key]) => key);
}

/** A seed may have a target without known members: the specification does not show one kind's fields. */
function requireOneTarget(value: Target, { seeding }: Context): void {
  const count = members(value).length;
  if (count > 1 || (count === 0 && !seeding)) throw invalid("target", "exactly one member is required");
}

/** Secrets of destinations come back redacted or not at all, never twice in the same way. */
const REDACTED = "**********";

function showTarget(value: Target, { normalise }: Context) {
  const { stream, delivery_stream, log_group, monitoring, logs_ingestion } = value;
  const withAuth = <T extends { auth: Auth }>(shown: T | null | undefined) =>
    shown ? { ...shown, auth: showAuth(shown.auth, normalise) } : null;
  return {
    stream: withAuth(stream),
    delivery_stream: withAuth(delivery_stream),
    log_group: withAuth(log_group),
    monitoring: monitoring
      ? {
          api_key: normalise ? REDACTED : monitoring.api_key,
          ddtags: monitoring.ddtags ?? null,
          service: monitoring.service ?? null,
          ddsite: monitoring.ddsite ?? null,
        }
      : null,
    logs_ingestion: logs_ingestion
      ? { ...logs_ingestion, client_secret: normalise ? null : logs_ingestion.client_secret }
      : null,
  };
}

function showAuth({ role, creds }: Auth, normalise: boolean) {
  if (!creds) return { role: role ?? null, creds: null };
  return { role: null, creds: normalise ? { access_key_id: creds.access_key_id } : creds };
}
