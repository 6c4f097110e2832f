/** Routing backends: what the account holds of them. */
import { failoverBackend } from "../resources/failover-backend";
import type { FailoverBackend } from "../resources/failover-backend";
import { httpResponseBackend } from "../resources/http-response-backend";
import type { HttpResponseBackend } from "../resources/http-response-backend";
import { tunnelGroupBackend } from "../resources/tunnel-group-backend";
import type { TunnelGroupBackend } from "../resources/tunnel-group-backend";
import { weightedBackend } from "../resources/weighted-backend";
import type { WeightedBackend } from "../resources/weighted-backend";
import { functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const tunnelGroupBackends = functionsOf<ResultOf<TunnelGroupBackend>>(tunnelGroupBackend);
/** A tunnel group backend by its id, or the only one that a filter means. Specification: Tunnel group backend. */
export const getTunnelGroupBackend = tunnelGroupBackends.get;
/** {@link getTunnelGroupBackend} with Outputs as arguments and as result. */
export const getTunnelGroupBackendOutput = tunnelGroupBackends.getOutput;
/** All tunnel group backends, such as those with a label with `filter: { labels: { service: "web" } }`. Specification: Tunnel group backend. */
export const listTunnelGroupBackends = tunnelGroupBackends.list;
/** {@link listTunnelGroupBackends} with Outputs as arguments and as result. */
export const listTunnelGroupBackendsOutput = tunnelGroupBackends.listOutput;

export const httpResponseBackends = functionsOf<ResultOf<HttpResponseBackend>>(httpResponseBackend);
/** An HTTP response backend by its id, or the only one that a filter means. Specification: HTTP response backend. */
export const getHttpResponseBackend = httpResponseBackends.get;
/** {@link getHttpResponseBackend} with Outputs as arguments and as result. */
export const getHttpResponseBackendOutput = httpResponseBackends.getOutput;
/** All HTTP response backends. Specification: HTTP response backend. */
export const listHttpResponseBackends = httpResponseBackends.list;
/** {@link listHttpResponseBackends} with Outputs as arguments and as result. */
export const listHttpResponseBackendsOutput = httpResponseBackends.listOutput;

export const weightedBackends = functionsOf<ResultOf<WeightedBackend>>(weightedBackend);
/** A weighted backend by its id, or the only one that a filter means. Specification: Weighted backend. */
export const getWeightedBackend = weightedBackends.get;
/** {@link getWeightedBackend} with Outputs as arguments and as result. */
export const getWeightedBackendOutput = weightedBackends.getOutput;
/** All weighted backends. Specification: Weighted backend. */
export const listWeightedBackends = weightedBackends.list;
/** {@link listWeightedBackends} with Outputs as arguments and as result. */
export const listWeightedBackendsOutput = weightedBackends.listOutput;

export const failoverBackends = functionsOf<ResultOf<FailoverBackend>>(failoverBackend);
/** A failover backend by its id, or the only one that a filter means. Specification: Failover backend. */
export const getFailoverBackend = failoverBackends.get;
/** {@link getFailoverBackend} with Outputs as arguments and as result. */
export const getFailoverBackendOutput = failoverBackends.getOutput;
/** All failover backends. Specification: Failover backend. */
export const listFailoverBackends = failoverBackends.list;
/** {@link listFailoverBackends} with Outputs as arguments and as result. */
export const listFailoverBackendsOutput = failoverBackends.listOutput;
