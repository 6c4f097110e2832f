import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as cel from "../schema/formats/cel";
import * as certificateRequest from "../schema/formats/certificate-request";
import * as pem from "../schema/formats/pem";
import * as time from "../schema/formats/time";
import { Field } from "../schema/field";
import type { Format } from "../schema/field";
import { quote } from "../schema/formats/quote";
import { object, ref, set, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { about, advisory } from "../schema/rules";
import { isAbsent } from "../schema/unknown";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { operators } from "./groups";
import { described, recorded, updated } from "./shared-fields";

/** What a Kubernetes operator can do. Specification: Kubernetes operator. */
export const KubernetesOperatorFeature = {
  Bindings: "bindings",
  Ingress: "ingress",
  Gateway: "gateway",
} as const;
/** Services compare features without case, so `Ingress` is `ingress`. (`Capitalize` needs TypeScript 4.1.) */
export type KubernetesOperatorFeature =
  "bindings" | "ingress" | "gateway" | "Bindings" | "Ingress" | "Gateway";

const names: readonly string[] = Object.values(KubernetesOperatorFeature);
const feature: Format = {
  check: (value) =>
    names.includes(value.toLowerCase())
      ? undefined
      : `must be ${names.map((name) => JSON.stringify(name)).join(" or ")}, not ${quote(value)}`,
  canonical: (value) => value.toLowerCase(),
  example: () => names[0]!,
};

/** Where a {@link KubernetesOperator} runs. Specification: Kubernetes operator, deployment. */
export interface KubernetesOperatorDeploymentArgs {
  /** The name of the deployment. Default: left to the service. If removed: cleared. */
  name?: pulumi.Input<string>;
  /**
   * The namespace of the deployment. Changing it replaces the operator. Default: left to the service. If removed:
   * replaced.
   */
  namespace?: pulumi.Input<string>;
  /** The version of the deployment. Default: left to the service. If removed: cleared. */
  version?: pulumi.Input<string>;
  /**
   * The name that you gave the cluster. Changing it replaces the operator. Default: left to the service. If removed:
   * replaced.
   */
  clusterName?: pulumi.Input<string>;
}

/** What a {@link KubernetesOperator} binds. Specification: Kubernetes operator, binding. */
export interface KubernetesOperatorBindingArgs {
  /**
   * CEL expressions that say which endpoints are bound, in any order. Default: left to the service. If removed:
   * cleared.
   */
  endpointSelectors?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * A certificate request, usually in PEM form, from which the service makes the client certificate of the mutual-TLS
   * connection. A secret, never returned, and sent again only when it changes; taking it out sends nothing. Default:
   * left to the service. If removed: stays as it is.
   */
  csr?: pulumi.Input<string>;
  /** The public ingress endpoint. Default: left to the service. If removed: cleared. */
  ingressEndpoint?: pulumi.Input<string>;
}

/** The client certificate of a {@link KubernetesOperator}. Specification: Kubernetes operator, binding. */
export interface KubernetesOperatorBindingCert {
  /** The certificate that the service issued for the request. */
  cert: string;
  /** When its validity begins, RFC 3339. */
  notBefore: string;
  /** The end of its validity, RFC 3339. */
  notAfter: string;
}

/** The arguments of a {@link KubernetesOperator}. Specification: Create and update parameters, /kubernetes_operators. */
export interface KubernetesOperatorArgs {
  /**
   * What the operator can do: `bindings`, `ingress`, `gateway`, in any order and case. Default: left to the service.
   * If removed: cleared.
   */
  enabledFeatures?: pulumi.Input<pulumi.Input<KubernetesOperatorFeature>[]>;
  /**
   * The region that the operator's ingress is served in; "" is the default. Default: `global`. If removed: its
   * default again.
   */
  region?: pulumi.Input<string>;
  /**
   * Where the operator runs. An update sends its name and version together. Default: left to the service. If removed:
   * as its members.
   */
  deployment?: pulumi.Input<KubernetesOperatorDeploymentArgs>;
  /**
   * What the operator binds. An update sends selectors and endpoint together. Default: left to the service. If
   * removed: as its members.
   */
  binding?: pulumi.Input<KubernetesOperatorBindingArgs>;
  /** What the operator is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

/** The specification states the binding only "when bindings is enabled". */
const bindingEnabled = about("binding", ["enabledFeatures"], ({ enabledFeatures: features, binding }) => {
  if (isAbsent(binding) || !Array.isArray(features)) return undefined;
  const isEnabled = features.some(
    (each) => String(each).toLowerCase() === KubernetesOperatorFeature.Bindings,
  );
  return isEnabled ? undefined : 'has no effect, because enabledFeatures does not hold "bindings"';
});

/** The time that services of this kind answer while there is no certificate. */
const noTime = "0001-01-01T00:00:00Z";

const kubernetesOperator: Declaration = collection<KubernetesOperatorArgs, KubernetesOperator>({
  type: "KubernetesOperator",
  noun: "Kubernetes operator",
  group: operators,
  path: "/kubernetes_operators",
  grants: "its operator may connect and bind endpoints",
  listKey: "operators",
  columns: ["region", "deployment.name", "description"],
  fields: {
    enabledFeatures: set(
      new Field<KubernetesOperatorFeature>({ kind: "string", format: feature }, "optional"),
    ).means("where traffic goes"),
    region: text().serverDefault("global").emptyIsDefault().means("where traffic goes"),
    deployment: object({
      name: text(),
      namespace: text().replace(),
      version: text(),
      clusterName: text().replace(),
    }).means("none"),
    binding: object({
      endpointSelectors: set(text(cel)).means("who gets in"),
      csr: text({
        check: certificateRequest.check,
        advise: certificateRequest.advise,
        canonical: pem.canonical,
      })
        .secret()
        .writeOnly()
        .onlyWhenChanged()
        .serverDefault()
        .means("who may act"),
      ingressEndpoint: text().means("where traffic goes"),
    }),
    ...described(),
    ...recorded(),
    ...updated(),
    principal: ref("principal"),
    bindingCert: object({
      cert: text().required(),
      notBefore: text(time).required(),
      notAfter: text({ ...time, example: time.exampleEnd }).required(),
    })
      .named("cert")
      .within("binding")
      .noneWhen(({ cert, notBefore }) => !cert || notBefore === noTime)
      .computed(),
  },
  rules: [advisory(bindingEnabled)],
});

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
export class KubernetesOperator extends resource<KubernetesOperator, KubernetesOperatorArgs>(
  kubernetesOperator,
) {
  /** What the operator can do. */
  declare readonly enabledFeatures: pulumi.Output<KubernetesOperatorFeature[] | undefined>;
  /** The region that the operator's ingress is served in. */
  declare readonly region: pulumi.Output<string>;
  /** Where the operator runs. */
  declare readonly deployment: pulumi.Output<pulumi.Unwrap<KubernetesOperatorDeploymentArgs> | undefined>;
  /** The binding of the operator. Its `csr` is a secret, and undefined if this stack did not set it. */
  declare readonly binding: pulumi.Output<pulumi.Unwrap<KubernetesOperatorBindingArgs> | undefined>;
  /** What the operator is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the operator was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the operator last changed, RFC 3339. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** The user or bot user that created the operator. */
  declare readonly principal: pulumi.Output<Ref>;
  /** The client certificate that the service issued for the request. Undefined until it is issued. */
  declare readonly bindingCert: pulumi.Output<KubernetesOperatorBindingCert | undefined>;
}

const readers = readersOf<ResultOf<KubernetesOperator>>(kubernetesOperator);
/** Reads a Kubernetes operator by its id, or the only one that a filter matches. Specification: Kubernetes operator. */
export const getKubernetesOperator = readers.get;
/** {@link getKubernetesOperator} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getKubernetesOperatorOutput = readers.getOutput;
/** Lists all Kubernetes operators. Specification: Kubernetes operator. */
export const listKubernetesOperators = readers.list;
/** {@link listKubernetesOperators} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listKubernetesOperatorsOutput = readers.listOutput;
