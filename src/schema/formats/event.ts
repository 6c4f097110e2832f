import { quote } from "./quote";

/** An event type: a lower-case name with a version suffix ("Events" 2), such as `ip_policy_created.v0`. */
export function check(value: string): string | undefined {
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)*\.v(0|[1-9][0-9]*)$/.test(value)) return undefined;
  return `must be an event type with its version, such as ip_policy_created.v0; got ${quote(value)}`;
}

export function example(): string {
  return "ip_policy_created.v0";
}
