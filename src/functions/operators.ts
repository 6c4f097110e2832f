/** Kubernetes operators: what the account holds of them. */
import { kubernetesOperator } from "../resources/kubernetes-operator";
import type { KubernetesOperator } from "../resources/kubernetes-operator";
import { functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const kubernetesOperators = functionsOf<ResultOf<KubernetesOperator>>(kubernetesOperator);
/** A Kubernetes operator by its id, or the only one that a filter means. Specification: Kubernetes operator. */
export const getKubernetesOperator = kubernetesOperators.get;
/** {@link getKubernetesOperator} with Outputs as arguments and as result. */
export const getKubernetesOperatorOutput = kubernetesOperators.getOutput;
/** All Kubernetes operators. Specification: Kubernetes operator. */
export const listKubernetesOperators = kubernetesOperators.list;
/** {@link listKubernetesOperators} with Outputs as arguments and as result. */
export const listKubernetesOperatorsOutput = kubernetesOperators.listOutput;
