import type { Operation } from "./app";
import { endpoints } from "./collections/endpoints";
import { kubernetesOperators } from "./collections/kubernetes-operators";
import { answer, find } from "./crud";
import type { Stored } from "./store";
import { ENDPOINTS, KUBERNETES_OPERATORS } from "./paths";
import { PAGING, page } from "./paging";

/** Kubernetes operator extra operation. What is bound is for the seed to say. */
export function boundEndpointOperations(): Operation[] {
  return [
    {
      method: "GET",
      path: `${KUBERNETES_OPERATORS}/:id/bound_endpoints`,
      status: 200,
      query: PAGING,
      handle: (hop) => {
        const context = hop.get("context");
        const operator = find(kubernetesOperators, context, hop.req.param("id") ?? "");
        const list = {
          kind: ENDPOINTS,
          path: `${KUBERNETES_OPERATORS}/${operator.id}/bound_endpoints`,
          listKey: "endpoints",
          answer: (stored: Stored) => answer(endpoints, context, stored),
          among: (stored: Stored) => stored.fields.bound_to === operator.id,
        };
        return page(context, list, hop.req.query());
      },
    },
  ];
}
