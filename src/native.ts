/**
 * `pulumi-tunnel-gateway/native`: the same classes with the same arguments, over the native provider. The rest is that of
 * the package.
 */
import * as own from "./index";
import { doorKey, nativeDoor } from "./program/door";
import { classOf } from "./program/resource-class";
import { declarationBehind } from "./schema/declaration";

export * from "./index";

/** The class over the native provider. */
function nativeClass<Class>(dynamic: Class): Class {
  return classOf<Class>(declarationBehind(dynamic)!, nativeDoor);
}

// generated:classes

export class BotUser extends nativeClass(own.BotUser) {}
export class ApiKey extends nativeClass(own.ApiKey) {}
export class RotatingApiKey extends nativeClass(own.RotatingApiKey) {}
export class SshCredential extends nativeClass(own.SshCredential) {}
export class CertificateAuthority extends nativeClass(own.CertificateAuthority) {}
export class TlsCertificate extends nativeClass(own.TlsCertificate) {}
export class SshUserCertificate extends nativeClass(own.SshUserCertificate) {}
export class SshHostCertificate extends nativeClass(own.SshHostCertificate) {}
export class IpPolicy extends nativeClass(own.IpPolicy) {}
export class IpPolicyRule extends nativeClass(own.IpPolicyRule) {}
export class IpPolicyRuleSet extends nativeClass(own.IpPolicyRuleSet) {}
export class TunnelGroupBackend extends nativeClass(own.TunnelGroupBackend) {}
export class HttpResponseBackend extends nativeClass(own.HttpResponseBackend) {}
export class WeightedBackend extends nativeClass(own.WeightedBackend) {}
export class FailoverBackend extends nativeClass(own.FailoverBackend) {}
export class TcpEdge extends nativeClass(own.TcpEdge) {}
export class HttpsEdgeRouteOidc extends nativeClass(own.HttpsEdgeRouteOidc) {}
export class HttpsEdgeRouteOauth extends nativeClass(own.HttpsEdgeRouteOauth) {}
export class HttpsEdgeRouteWebhookVerification extends nativeClass(own.HttpsEdgeRouteWebhookVerification) {}
export class TlsEdgeIpRestriction extends nativeClass(own.TlsEdgeIpRestriction) {}
export class CloudEndpoint extends nativeClass(own.CloudEndpoint) {}
export class EventDestination extends nativeClass(own.EventDestination) {}
export class EventSubscription extends nativeClass(own.EventSubscription) {}
export class EventSource extends nativeClass(own.EventSource) {}
export class KubernetesOperator extends nativeClass(own.KubernetesOperator) {}

// /generated:classes

/** An explicit provider: another account, or a key that is another resource's output. */
export class Provider extends own.Provider {
  /** @internal */
  static readonly [doorKey] = nativeDoor;
}

/** An IP policy and its rules, from lists of ranges. */
export class IpAccessList extends own.IpAccessList {
  /** @internal */
  static override readonly parts = { policy: IpPolicy, ruleSet: IpPolicyRuleSet };
}
