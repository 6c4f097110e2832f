import { endpoints } from "../collections/endpoints";
import { kubernetesOperators } from "../collections/kubernetes-operators";
import { find, listOf } from "../http/crud";
import { paged } from "../http/paging";
import { KUBERNETES_OPERATORS } from "../paths";

/** Kubernetes operator extra operation. Seeds bind endpoints to operators. */
export const boundEndpoints = paged(`${KUBERNETES_OPERATORS}/:id/bound_endpoints`, ({ context, params }) => {
  const { id } = find(kubernetesOperators, context, params.id);
  return {
    ...listOf(endpoints, context),
    path: `${KUBERNETES_OPERATORS}/${id}/bound_endpoints`,
    filter: ({ fields }) => fields.bound_to === id,
  };
});
