/** Edges and the modules of edges and routes: what the account holds of them. */
import { httpsEdgeRouteOauth } from "../resources/https-edge-route-oauth";
import type { HttpsEdgeRouteOauth } from "../resources/https-edge-route-oauth";
import { httpsEdgeRouteOidc } from "../resources/https-edge-route-oidc";
import type { HttpsEdgeRouteOidc } from "../resources/https-edge-route-oidc";
import { httpsEdgeRouteWebhookVerification } from "../resources/https-edge-route-webhook-verification";
import type { HttpsEdgeRouteWebhookVerification } from "../resources/https-edge-route-webhook-verification";
import { tcpEdge } from "../resources/tcp-edge";
import type { TcpEdge } from "../resources/tcp-edge";
import { tlsEdgeIpRestriction } from "../resources/tls-edge-ip-restriction";
import type { TlsEdgeIpRestriction } from "../resources/tls-edge-ip-restriction";
import { functionsAt, functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const tcpEdges = functionsOf<ResultOf<TcpEdge>>(tcpEdge);
/** A TCP edge by its id, or the only one that a filter means. Specification: TCP edge. */
export const getTcpEdge = tcpEdges.get;
/** {@link getTcpEdge} with Outputs as arguments and as result. */
export const getTcpEdgeOutput = tcpEdges.getOutput;
/** All TCP edges. Specification: TCP edge. */
export const listTcpEdges = tcpEdges.list;
/** {@link listTcpEdges} with Outputs as arguments and as result. */
export const listTcpEdgesOutput = tcpEdges.listOutput;

export const httpsEdgeRouteOidcModule = functionsAt<ResultOf<HttpsEdgeRouteOidc>>(httpsEdgeRouteOidc);
/** The OIDC module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route OIDC module. */
export const getHttpsEdgeRouteOidc = httpsEdgeRouteOidcModule.get;
/** {@link getHttpsEdgeRouteOidc} with Outputs as arguments and as result. */
export const getHttpsEdgeRouteOidcOutput = httpsEdgeRouteOidcModule.getOutput;

export const httpsEdgeRouteWebhookVerificationModule = functionsAt<
  ResultOf<HttpsEdgeRouteWebhookVerification>
>(httpsEdgeRouteWebhookVerification);
/** The webhook verification module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route webhook verification module. */
export const getHttpsEdgeRouteWebhookVerification = httpsEdgeRouteWebhookVerificationModule.get;
/** {@link getHttpsEdgeRouteWebhookVerification} with Outputs as arguments and as result. */
export const getHttpsEdgeRouteWebhookVerificationOutput = httpsEdgeRouteWebhookVerificationModule.getOutput;

export const httpsEdgeRouteOauthModule = functionsAt<ResultOf<HttpsEdgeRouteOauth>>(httpsEdgeRouteOauth);
/** The OAuth module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route OAuth module. */
export const getHttpsEdgeRouteOauth = httpsEdgeRouteOauthModule.get;
/** {@link getHttpsEdgeRouteOauth} with Outputs as arguments and as result. */
export const getHttpsEdgeRouteOauthOutput = httpsEdgeRouteOauthModule.getOutput;

export const tlsEdgeIpRestrictionModule = functionsAt<ResultOf<TlsEdgeIpRestriction>>(tlsEdgeIpRestriction);
/** The IP restriction module of a TLS edge, by `<edge id>`. Specification: TLS edge IP restriction module. */
export const getTlsEdgeIpRestriction = tlsEdgeIpRestrictionModule.get;
/** {@link getTlsEdgeIpRestriction} with Outputs as arguments and as result. */
export const getTlsEdgeIpRestrictionOutput = tlsEdgeIpRestrictionModule.getOutput;
