/** The texts about access that findings and tables share. */
import { counted } from "../../text/plural";
import { past } from "../../stack/preview";
import type { AccessCause, AccessDifference, RangeList } from "./report";

/** The number of ranges and of causes that a sentence names. */
export const mostNamed = 3;

/** "198.51.0.0/16 (65,536 addresses) is newly allowed by IpPolicy "vpn" (added)". */
export function differenceSentence(difference: AccessDifference, isAboutPolicy = false): string {
  const { cidrs, kind, causes } = difference;
  const verb = cidrs.length === 1 ? "is" : "are";
  const names = causesText(causes, isAboutPolicy);
  return `${rangesText(difference)} ${verb} ${kind}${names === "" ? "" : ` by ${names}`}`;
}

/** "198.51.0.0/16 and 2 more ranges (66,048 addresses)"; "no address" for an empty list. */
export function rangesText(list: RangeList): string {
  if (list.cidrs.length === 0) return "no address";
  return `${listText(list.cidrs, "range")} (${addressCount(list)})`;
}

/** The first few items, and the number of the others. */
function listText(items: readonly string[], noun: string): string {
  const rest = items.length - mostNamed;
  const texts = rest > 0 ? [...items.slice(0, mostNamed), counted(rest, `more ${noun}`)] : items;
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

/** "65,536 addresses", "256 IPv4 and 2^80 IPv6 addresses". */
export function addressCount({ ipv4Addresses, ipv6Addresses }: RangeList): string {
  const [four, six] = [BigInt(ipv4Addresses), BigInt(ipv6Addresses)];
  if (four > 0n && six > 0n) return `${numberText(four)} IPv4 and ${numberText(six)} IPv6 addresses`;
  const count = four + six;
  return `${numberText(count)} ${count === 1n ? "address" : "addresses"}`;
}

/** A number; from 10^12 on as a power of two, which is how large ranges are known. */
function numberText(count: bigint): string {
  if (count < 10n ** 12n) return count.toLocaleString("en-US");
  const exponent = count.toString(2).length - 1;
  return count === 1n << BigInt(exponent) ? `2^${exponent}` : `more than 2^${exponent}`;
}

const changes: Readonly<Record<AccessCause["change"], string>> = {
  ...past,
  add: "added",
  remove: "removed",
};

/** `IpPolicy "office" (IpPolicyRule "lan" updated)`; without the policy if the sentence is about it. */
function causesText(causes: readonly AccessCause[], isAboutPolicy: boolean): string {
  const byPolicy = Map.groupBy(causes, ({ policy: { urn, name } }) =>
    urn === undefined ? `IP policy ${name}` : `IpPolicy ${JSON.stringify(name)}`,
  );
  const texts = [...byPolicy].map(([policy, group]) => {
    const whats = group.map(
      ({ rule, change }) => `${rule ? `${rule.type} ${JSON.stringify(rule.name)} ` : ""}${changes[change]}`,
    );
    const text = listText(whats, "rule");
    return isAboutPolicy ? text : `${policy} (${text})`;
  });
  return listText(texts, "policy");
}
