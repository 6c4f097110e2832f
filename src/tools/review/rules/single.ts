/** Checks of one resource by itself, shared by the review and the policy pack. */
import { X509Certificate } from "node:crypto";
import type { Flaw } from "../../access/open-gates";
import { AddressSet } from "../../../schema/addresses/address-set";
import { blockOf, families } from "../../../schema/addresses/block";
import type { Family } from "../../../schema/addresses/block";
import { addressesWith, entriesOf } from "../../access/policies";
import type { InventoryObject } from "../../inventory/inventory";
import type { Declaration } from "../../../schema/declaration";
import { day, durationText } from "../../../schema/text/phrase";
import { textOf, toInstant } from "../../../schema/formats/time";
import { isEmptyList, isRecord } from "../../../schema/unknown";
import type { Json } from "../../../schema/json";
import { ownedTypes } from "../../../resources/registry";

/** How long before its expiry a certificate is reported. */
const soon = 30 * day;

/** The object of a resource by itself. */
export function alone(declaration: Declaration, args: Json): InventoryObject {
  return { declaration, id: undefined, name: "", args, values: args };
}

/** An IP policy rule, or a set of rules, that allows every address of a family. */
export function openRange(on: InventoryObject): Flaw | undefined {
  const allowed = allowedRanges(on);
  const family = families.findLast((each) => allowed.coversFamily(each));
  if (family === undefined) return undefined;
  const message = on.declaration.setOf
    ? `its rules together allow every IPv${family} address`
    : wholeFamily(String(on.values.cidr), family);
  return { message };
}

/** A rule, or one range of a set, with the addresses that it allows. */
interface Source<T> {
  readonly of: T;
  readonly allowed: AddressSet;
}

/** The families whose every address the sources allow together and none by itself, with the sources that take part. */
export function openedTogether<T>(sources: readonly Source<T>[]): { family: Family; by: readonly T[] }[] {
  const all = AddressSet.unionOf(sources.map(({ allowed }) => allowed));
  return families.flatMap((family) => {
    const isAlone = sources.some(({ allowed }) => allowed.coversFamily(family));
    const by = sources.flatMap(({ of, allowed }) => (allowed.size(family) > 0n ? [of] : []));
    return all.coversFamily(family) && !isAlone ? [{ family, by }] : [];
  });
}

/** The message about a range that is, or embeds, every address of a family. */
export function wholeFamily(cidr: string, family: Family): string {
  const verb = blockOf(cidr)?.family === family ? "is" : "embeds";
  return `it allows ${cidr}, which ${verb} every IPv${family} address`;
}

/** The known ranges that a rule or a set of rules allows, with the IPv4 ranges that they embed. */
export function allowedRanges(on: InventoryObject): AddressSet {
  return addressesWith("allow", entriesOf(on));
}

/** An SSH certificate without principals. */
export function noPrincipals({ declaration, values: { principals } }: InventoryObject): Flaw | undefined {
  const { withoutPrincipals } = declaration;
  const isNone = principals === undefined || isEmptyList(principals);
  return withoutPrincipals !== undefined && isNone
    ? { field: "principals", message: `it has no principals, so ${withoutPrincipals}` }
    : undefined;
}

/** A key or credential without an owner and a description. */
export function unidentified({ declaration, args }: InventoryObject): Flaw | undefined {
  if (!ownedTypes.includes(declaration.type)) return undefined;
  const given = [args.ownerId, args.description].some((value) => value !== undefined && value !== "");
  const message = "it has neither an owner nor a description: its purpose is unknown";
  return given ? undefined : { field: "description", message };
}

/**
 * A certificate that expires within 30 days, such as the client certificate of a Kubernetes operator. Not reported:
 * certificates with a validity of at most 30 days, and those that the program or the service renews.
 */
export function expiringSoon(on: InventoryObject, now: number): Flaw | undefined {
  const { what = "it", from, until } = validityOf(on.values);
  if (until === undefined || until - now > soon || isRenewed(on)) return undefined;
  if (from !== undefined && until - from <= soon) return undefined;
  const days = durationText(Math.floor((until - now) / day) * day, "day");
  const verb = until <= now ? "expired" : "expires";
  return { message: `${what} ${verb} at ${textOf(until)}${until <= now ? "" : `, in ${days}`}` };
}

function isRenewed({ declaration, values }: InventoryObject): boolean {
  return (declaration.renews?.(values) ?? []).length > 0;
}

interface Validity {
  /** The words for a certificate that is only a part of the resource. */
  readonly what?: string;
  readonly from?: number;
  readonly until?: number;
}

function validityOf(args: Json): Validity {
  if (isRecord(args.bindingCert)) return bindingValidity(args.bindingCert);
  const pem = args.certificatePem ?? args.caPem;
  // The argument describes the new certificate, the outputs the old one.
  if (typeof pem === "string") return validityIn(pem);
  const from = toInstant(args.notBefore) ?? toInstant(args.validAfter) ?? toInstant(args.createdAt);
  return { from, until: toInstant(args.notAfter) ?? toInstant(args.validUntil) };
}

/** A service may answer times of the year 1 while an operator has no certificate. */
function bindingValidity({ notBefore, notAfter }: Json): Validity {
  const [from, until] = [toInstant(notBefore), toInstant(notAfter)];
  return until === undefined || until <= 0 ? {} : { what: "its binding certificate", from, until };
}

function validityIn(pem: string): Validity {
  try {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return { from: validFromDate.getTime(), until: validToDate.getTime() };
  } catch {
    return {}; // not known yet, or invalid, which the check of the arguments reports
  }
}
