/** Who gets in, as plain data for JSON and tables. */
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { compareTexts, sortedBy } from "../../schema/text/compare-texts";
import { durationText, most3, firstOf, later, second } from "../../schema/text/phrase";
import type { AddressSet } from "../../schema/addresses/address-set";
import { families } from "../../schema/addresses/block";
import { sumOf } from "./range-text";
import { unknownSemantics } from "./semantics";
import { causesOf, isResource, placesIn } from "./place";
import type { Place, VerdictCause } from "./place";

export type ShownIdentity = ReturnType<typeof shownIdentity>;
export type ResourceAccess = ReturnType<typeof resourceAccess>;
type AccessPiece = ResourceAccess["pieces"][number];
type AccessGate = ResourceAccess["gates"][number];

/** Who gets in at each place, for the addresses of a query, or for all addresses. The verdicts rely on `semantics`. */
export function accessAnswer(inventory: Inventory, query?: AddressSet, semantics = unknownSemantics) {
  const resources = placesIn(inventory, semantics).map((place) => resourceAccess(place, query));
  return { query: query?.cidrs().join(", "), semantics, resources: byIdentity(resources) };
}

/** How an answer identifies an object. */
export function shownIdentity({ declaration: { type }, name, urn, id }: InventoryObject) {
  return { type, name, urn, id };
}

/** The objects in the order of an answer. */
export function byIdentity<T extends ShownIdentity>(objects: readonly T[]): T[] {
  return sortedBy(objects, ({ type, name, urn, id }) => JSON.stringify([type, name, urn, id]));
}

function resourceAccess(place: Place, query: AddressSet | undefined) {
  const { on, gates, access } = place;
  const pieces = access.pieces(query).map((piece) => ({ piece, causes: causesOf(place, piece) }));
  return {
    ...shownIdentity(on),
    /** One for each verdict; together they cover the query. */
    pieces: pieces.map(({ piece, causes }) => ({
      verdict: piece.verdict,
      ranges: piece.addresses.cidrs(),
      by: causes.map(nameOf).sort(compareTexts),
    })),
    /** What a client must pass in addition to the IP policies. */
    gates: gates.map(({ on: gate, argument: _, ...state }) => ({ resource: nameOf(gate), ...state })),
    /** The known places of the rules in the program. */
    places: Object.fromEntries(pieces.flatMap(({ causes }) => causes.flatMap(sourcePosition))),
  };
}

/** `IpPolicyRuleSet office` */
export function nameOf(cause: VerdictCause): string {
  return isResource(cause) ? `${cause.declaration.type} ${cause.name}` : `IpPolicy ${cause.outside}`;
}

function sourcePosition(cause: VerdictCause): [string, string][] {
  const position = isResource(cause) ? lineText(cause) : undefined;
  return position === undefined ? [] : [[nameOf(cause), position]];
}

/** The place of a resource in the program: `index.ts:12`. */
export function lineText({ record }: InventoryObject): string | undefined {
  return record?.programLine && `${record.programLine.file}:${record.programLine.line}`;
}

/**
 * The rows of a table: resource, verdict, addresses, the rules that cause the verdict, the other gates. Without a query,
 * the row of the addresses that no rule covers reads "all other addresses".
 */
export function answerRows({ query, resources }: ReturnType<typeof accessAnswer>): string[][] {
  return resources.flatMap((resource) => {
    const { type, name, pieces, gates, places } = resource;
    const areOthers = ({ verdict }: AccessPiece): boolean =>
      query === undefined && verdict === "unmatched" && pieces.length > 1;
    return pieces.map((piece) => [
      `${type} ${name}`,
      piece.verdict,
      areOthers(piece) ? "all other addresses" : addressesText(piece),
      firstOf(
        piece.by.map((rule) => (places[rule] === undefined ? rule : `${rule} (${places[rule]})`)),
        most3,
        "rule",
      ),
      gates.flatMap((gate) => gateText(gate) ?? []).join(", "),
    ]);
  });
}

function addressesText({ ranges }: AccessPiece): string {
  const isEvery = ranges.length === families.length && ranges.every((range) => range.endsWith("/0"));
  return isEvery ? "every address" : firstOf(sumOf(ranges), most3, "range");
}

/** "sign-in by OIDC (https://login.example.com, sessions of 8 hours)"; undefined for a gate that was never set. */
function gateText(gate: AccessGate): string | undefined {
  const { what, by, isOn, isSet, detail, sessionSeconds } = gate;
  if (by === "address" ? isOn === true : !isSet) return undefined;
  const remarks = [
    ...(isOn === "unknown" ? [later] : isOn ? [] : ["off"]),
    ...(gate.restrictsNobody ? ["restricts nobody"] : []),
    ...(detail === undefined ? [] : [detail]),
    ...(sessionSeconds === undefined ? [] : [`sessions of ${durationText(sessionSeconds * second)}`]),
  ];
  return remarks.length === 0 ? what : `${what} (${remarks.join(", ")})`;
}
