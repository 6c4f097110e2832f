/** Ranges that a published list of internet addresses should not contain, by kind (IANA's registries of special addresses). */
import { AddressSet } from "../../schema/addresses/address-set";
import { blockOf, widths } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";

const special = {
  private: ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  loopback: ["127.0.0.0/8", "::1"],
  linkLocal: ["169.254.0.0/16", "fe80::/10"],
  documentation: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  // These include the IPv6 forms that embed an IPv4 address.
  reserved: [
    ...["0.0.0.0/8", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "::/96", "::ffff:0:0/96"],
    ...["::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64"],
    ...["2001::/23", "2002::/16", "5f00::/16"],
  ],
};

/** Ranges with a shorter mask are of the kind "default": half of all addresses is as dangerous as all of them. */
const shortestMask = { 4: 8, 6: 16 } as const;

type SpecialKind = keyof typeof special | "default";
export const specialKinds = ["default", ...(Object.keys(special) as (keyof typeof special)[])] as const;

const setOf = (cidrs: readonly string[]): AddressSet =>
  AddressSet.ofBlocks(cidrs.map((cidr) => blockOf(cidr)!));

const sets = Object.entries(special).map(([kind, cidrs]) => {
  // ::1 is in the range of IPv4-compatible addresses, but is not one.
  const others = kind === "reserved" ? setOf(special.loopback) : AddressSet.empty;
  return [kind as SpecialKind, setOf(cidrs).difference(others)] as const;
});

/** The kinds of special ranges that overlap the block. */
export function kindsOf(block: Block): readonly SpecialKind[] {
  const { family, first, last } = block;
  const largest = 1n << BigInt(widths[family] - shortestMask[family]);
  if (last - first + 1n > largest) return ["default"];
  return sets.filter(([, set]) => set.overlaps(block)).map(([kind]) => kind);
}
