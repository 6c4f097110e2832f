import type { Operation } from "../http/app";
import { endpoints } from "../collections/endpoints";
import { kubernetesOperators } from "../collections/kubernetes-operators";
import { responseOf, find } from "../http/crud";
import type { Stored } from "../store";
import { ENDPOINTS, KUBERNETES_OPERATORS } from "../paths";
import { PAGING, page } from "../http/paging";

/** Kubernetes operator extra operation. Seeds bind endpoints to operators. */
export function boundEndpointOperations(): Operation[] {
  return [
    {
      method: "GET",
      path: `${KUBERNETES_OPERATORS}/:id/bound_endpoints`,
      status: 200,
      query: PAGING,
      handle: (c) => {
        const context = c.get("context");
        const operator = find(kubernetesOperators, context, c.req.param("id") ?? "");
        const list = {
          kind: ENDPOINTS,
          path: `${KUBERNETES_OPERATORS}/${operator.id}/bound_endpoints`,
          listKey: "endpoints",
          response: (stored: Stored) => responseOf(endpoints, context, stored),
          filter: (stored: Stored) => stored.fields.bound_to === operator.id,
        };
        return page(context, list, c.req.query());
      },
    },
  ];
}
