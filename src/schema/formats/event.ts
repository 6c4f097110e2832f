import { quote } from "./quote";

/** An event type: any name with a version suffix ("Events" 2), such as `ip_policy_created.v0`. */
export function check(value: string): string | undefined {
  if (/^[^\s\p{Cc}]+\.v[0-9]+$/u.test(value)) return undefined;
  return `must be an event type with its version, such as ip_policy_created.v0; got ${quote(value)}`;
}

export function example(): string {
  return "ip_policy_created.v0";
}
