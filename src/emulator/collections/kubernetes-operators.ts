import { z } from "zod";
import { operatorAuthorityKey } from "../keys/authorities";
import { timestamp } from "../clock";
import type { Context } from "../context";
import { ref } from "../context";
import { membersSet, moduleSet, refId } from "../copied";
import { invalid } from "../http/errors";
import { BOT_USERS, KUBERNETES_OPERATORS, USERS } from "../paths";
import { described, strings, text } from "../http/validation";
import { issue, readRequest } from "../keys/x509";
import { collection } from "./collection";

const FEATURES = ["bindings", "ingress", "gateway"];
const DAY_MS = 24 * 3600 * 1000;
const CERTIFICATE_LIFETIME_MS = 90 * DAY_MS;
/** The dates of a missing certificate in services of this kind. */
const NEVER = "0001-01-01T00:00:00Z";

const bindingSent = z.strictObject({
  endpoint_selectors: strings.optional(),
  csr: text.optional(),
  ingress_endpoint: text.optional(),
});

const common = {
  ...described,
  enabled_features: z
    .array(
      text.refine((value) => FEATURES.includes(value.toLowerCase()), {
        error: `must be one of ${FEATURES.join(", ")}`,
      }),
    )
    .optional(),
  region: text.optional(),
  binding: bindingSent.optional(),
};

interface Binding extends Omit<z.output<typeof bindingSent>, "csr"> {
  cert?: { cert: string; not_before: string; not_after: string } | undefined;
}

export const kubernetesOperators = collection({
  path: KUBERNETES_OPERATORS,
  prefix: "k8sop_",
  listKey: "operators",
  noun: "Kubernetes operator",
  create: z.strictObject({
    ...common,
    deployment: z
      .strictObject({
        name: text.optional(),
        namespace: text.optional(),
        version: text.optional(),
        cluster_name: text.optional(),
      })
      .optional(),
  }),
  update: z.strictObject({
    ...common,
    deployment: z.strictObject({ name: text.optional(), version: text.optional() }).optional(),
  }),
  build: ({ binding, ...input }, context) => ({
    ...input,
    deployment: input.deployment,
    principal: context.principal.id,
    updated_at: context.clock.stamp(),
    binding: bind(binding, undefined, context),
  }),
  // The specification does not show how deployment and binding merge: omitted members keep their values.
  change: ({ binding, deployment, ...input }, context, { fields }) => ({
    ...fields,
    ...input,
    deployment: deployment === undefined ? fields.deployment : { ...fields.deployment, ...deployment },
    binding: binding === undefined ? fields.binding : bind(binding, fields.binding, context),
    updated_at: context.clock.stamp(),
  }),
  copied: (answer) => {
    const { principal, binding, ...members } = membersSet(answer);
    return { ...members, principal: refId(principal), binding: moduleSet(binding, (each) => each) };
  },
  response: (fields, context) => ({
    updated_at: fields.updated_at,
    principal: ref(context, fields.principal.startsWith("bot_") ? BOT_USERS : USERS, fields.principal),
    enabled_features: context.normalise
      ? (fields.enabled_features ?? []).map((feature) => feature.toLowerCase())
      : (fields.enabled_features ?? null),
    region: fields.region === undefined || fields.region === "" ? "global" : fields.region,
    deployment: {
      name: fields.deployment?.name ?? "",
      namespace: fields.deployment?.namespace ?? "",
      version: fields.deployment?.version ?? "",
      cluster_name: fields.deployment?.cluster_name ?? "",
    },
    binding: showBinding(fields.binding, context),
  }),
});

function bind(
  input: z.output<typeof bindingSent> | undefined,
  kept: Binding | undefined,
  context: Context,
): Binding | undefined {
  if (input === undefined) return kept;
  const { csr, ...members } = input;
  return {
    ...kept,
    ...members,
    ...(csr === undefined || csr === "" ? {} : { cert: clientCertificate(csr, context) }),
  };
}

function clientCertificate(csr: string, context: Context) {
  const from = context.clock.now();
  const to = new Date(from.getTime() + CERTIFICATE_LIFETIME_MS);
  if (context.isOpaque(csr)) return { cert: csr, not_before: timestamp(from), not_after: timestamp(to) };
  const request = readRequest(csr);
  if (request === undefined) throw invalid("binding.csr", "must be a certificate signing request");
  const cert = issue(request, operatorAuthorityKey(context), "Emulated operator authority", from, to);
  return { cert, not_before: timestamp(from), not_after: timestamp(to) };
}

/** The specification has the binding when bindings is enabled, services of this kind always. */
function showBinding(binding: Binding | undefined, { normalise }: Context) {
  if (binding === undefined && !normalise) return null;
  return {
    endpoint_selectors: binding?.endpoint_selectors ?? [],
    cert: binding?.cert ?? { cert: "", not_before: NEVER, not_after: NEVER },
    ingress_endpoint: binding?.ingress_endpoint ?? "",
  };
}
