import * as cel from "../schema/formats/cel";
import * as certificateRequest from "../schema/formats/certificate-request";
import { inAnyCase } from "../schema/formats/names";
import * as time from "../schema/formats/time";
import { isAbsent } from "../schema/unknown";
import { about, advisory, answered, object, ref, set, text, together } from "../schema/words";
import type { ArgsOf, ValueOf } from "../schema/words";
import { getOf, listOf, operators, resource } from "./collection";
import { described, recorded, updated } from "./shared-fields";

/** What a Kubernetes operator can do. Specification: Kubernetes operator. */
export const KubernetesOperatorFeature = {
  Bindings: "bindings",
  Ingress: "ingress",
  Gateway: "gateway",
} as const;
/** Services compare features without case, so `Ingress` is `ingress`. (`Capitalize` needs TypeScript 4.1.) */
export type KubernetesOperatorFeature =
  | "bindings"
  | "ingress"
  | "gateway"
  | "Bindings"
  | "Ingress"
  | "Gateway";

const deployment = {
  /** The name of the deployment. */
  name: text(),
  /** The namespace of the deployment. Changing it replaces the operator. */
  namespace: text().replace(),
  /** The version of the deployment. */
  version: text(),
  /** The name that you gave the cluster. Changing it replaces the operator. */
  clusterName: text().replace(),
};

/** Where a {@link KubernetesOperator} runs. Specification: Kubernetes operator, deployment. */
export interface KubernetesOperatorDeploymentArgs extends ArgsOf<typeof deployment> {}

const binding = {
  /** CEL expressions that say which endpoints are bound, in any order. */
  endpointSelectors: set(text(cel)).means("who gets in"),
  /**
   * A certificate request, usually in PEM form, from which the service makes the client certificate of the mutual-TLS
   * connection. A secret, never returned, and sent again only when it changes; taking it out sends nothing.
   */
  csr: text(certificateRequest).secret().writeOnly().serverDefault().means("who may act"),
  /** The public ingress endpoint. */
  ingressEndpoint: text().means("where traffic goes"),
};

/** What a {@link KubernetesOperator} binds. Specification: Kubernetes operator, binding. */
export interface KubernetesOperatorBindingArgs extends ArgsOf<typeof binding> {}

const bindingCert = {
  /** The certificate that the service issued for the request. */
  cert: text().required(),
  /** When its validity begins, RFC 3339. */
  notBefore: text(time).required(),
  /** The end of its validity, RFC 3339. */
  notAfter: text(time.endOf()).required(),
};

/** The client certificate of a {@link KubernetesOperator}. Specification: Kubernetes operator, binding. */
export interface KubernetesOperatorBindingCert extends ValueOf<typeof bindingCert> {}

/** The specification states the binding only "when bindings is enabled". */
const bindingEnabled = about("binding", ["enabledFeatures"], ({ enabledFeatures: features, binding }) => {
  if (isAbsent(binding) || !Array.isArray(features)) return undefined;
  const isEnabled = features.some(
    (each) => String(each).toLowerCase() === KubernetesOperatorFeature.Bindings,
  );
  return isEnabled ? undefined : 'has no effect, because enabledFeatures does not hold "bindings"';
});

const anyFeature = inAnyCase("bindings", "ingress", "gateway");

const fields = together(
  {
    /** What the operator can do: `bindings`, `ingress`, `gateway`, in any order and case. */
    enabledFeatures: set(text<KubernetesOperatorFeature>(anyFeature)).means("where traffic goes"),
    /** The region that the operator's ingress is served in; "" is the default. Default: `global`. */
    region: text().serverDefault("global").emptyIsDefault().means("where traffic goes"),
    /** Where the operator runs. An update sends its name and version together. */
    deployment: object<KubernetesOperatorDeploymentArgs>(deployment).means("none"),
    /**
     * What the operator binds. An update sends selectors and endpoint together. The output's `csr` is undefined if
     * this stack did not set it.
     */
    binding: object<KubernetesOperatorBindingArgs>(binding),
  },
  described,
  recorded,
  updated,
  {
    /** The user or bot user that created the operator. */
    principal: ref("principal"),
    /** The client certificate that the service issued for the request. Undefined until it is issued. */
    bindingCert: answered<KubernetesOperatorBindingCert>(bindingCert)
      .named("cert")
      .within("binding")
      .computed()
      .noneWhen(({ cert }) => !cert),
  },
);

/** The arguments of a {@link KubernetesOperator}. Specification: Create and update parameters. */
export interface KubernetesOperatorArgs extends ArgsOf<typeof fields> {}

/**
 * A Kubernetes operator: the service's side of an operator that runs in a cluster.
 *
 * ## Example: an operator that binds the endpoints of production
 *
 * ```typescript
 * import { KubernetesOperator } from "pulumi-tunnel-gateway";
 *
 * new KubernetesOperator("production", {
 *   enabledFeatures: ["bindings", "ingress"],
 *   deployment: { name: "operator", namespace: "tunnels", version: "1.4.0", clusterName: "production" },
 *   binding: { endpointSelectors: ["endpoint.metadata.name == 'production'"] },
 * });
 * ```
 *
 * Specification: Kubernetes operator.
 */
export class KubernetesOperator extends resource<KubernetesOperator, KubernetesOperatorArgs, typeof fields>({
  type: "KubernetesOperator",
  noun: "Kubernetes operator",
  group: operators,
  path: "/kubernetes_operators",
  grants: "its operator may connect and bind endpoints",
  listKey: "operators",
  columns: ["region", "deployment.name", "description"],
  fields,
  rules: [advisory(bindingEnabled)],
}) {}

export const [getKubernetesOperator, getKubernetesOperatorOutput] = getOf(KubernetesOperator);
export const [listKubernetesOperators, listKubernetesOperatorsOutput] = listOf(KubernetesOperator);
