/** The tables of who can reach what: a row for each resource and policy whose access changes. */
import { isWider } from "../access/range-differences";
import type { AccessDifference, AccessItem, ReportedAccess } from "../access/access-report";
import { kindText } from "../access/access-report";
import { addressCount, rangesText } from "../../access/range-text";
import { subjectOf } from "../../output/document";
import type { Cell, Row, Statement, TableBlock } from "../../output/document";
import { declarationOf } from "../../../resources/registry";
import { most3 } from "../../../schema/text/phrase";
import type { Review } from "../review";
import { remarkOf } from "./blocks";

/** The resources and policies whose access changes. Those that fewer stacks have come first. */
export function changedAccess({ access }: Review): AccessItem[] {
  const items = access === undefined ? [] : [...access.guarded, ...access.policies];
  const changed = items.filter((item) => differenceStatements(item).length > 0);
  return changed.sort((a, b) => (a.stacks?.length ?? 0) - (b.stacks?.length ?? 0));
}

/** `group`: the text before the stacks of a table, if not all rows have the same stacks. */
export function accessTable(
  items: readonly AccessItem[],
  review: Review,
  { group = "Access in", share }: Pick<TableBlock, "group" | "share"> = {},
): TableBlock {
  const rows = items.map((item): Row => ({
    name: subjectOf(item),
    cells: [accessCell(item.before), accessCell(item.after), { statements: differenceStatements(item) }],
    remark: remarkOf(item, review),
  }));
  const columns = ["Access to", "Before", "After", "Difference"];
  return { kind: "table", columns, rows, noun: "resource", group, share, isWide: true };
}

/**
 * Addresses are newly allowed or no longer denied, the resource is new, the restriction ends, or it is not known who gains
 * access.
 */
export function widens({ type, before, after, differences }: AccessItem): boolean {
  if (differences.some(({ kind }) => isWider(kind))) return true;
  if (before === undefined) return true;
  if (after === undefined) return declarationOf(type).style === "singleton";
  return (before.restricted && !after.restricted) || after.unknown.length > 0;
}

function accessCell(access: ReportedAccess | undefined): Cell {
  if (access === undefined) return { statements: ["does not exist"] };
  const { restricted, allowed, denied } = access;
  if (!restricted) return { statements: ["not restricted"] };
  const unknown = access.unknown.length === 0 ? [] : [`unknown: ${access.unknown.join(", ")}`];
  const counts = `${addressCount(allowed)} allowed, ${addressCount(denied)} denied`;
  return {
    statements: [`allows ${rangesText(allowed)}`, `denies ${rangesText(denied)}`, ...unknown],
    brief: [counts, ...unknown].join("; "),
  };
}

function differenceStatements({ before, after, differences }: AccessItem): Statement[] {
  if (differences.length > 0) return differences.map(differenceStatement);
  if (!before) return ["new"];
  if (!after) return ["deleted"];
  if (before.restricted !== after.restricted)
    return [after.restricted ? "newly restricted" : "no longer restricted"];
  const isSame = before.unknown.join() === after.unknown.join();
  return isSame ? [] : ["unknown"];
}

/** The difference, and the ranges that it counts but does not name. */
function differenceStatement(difference: AccessDifference): Statement {
  const { cidrs } = difference;
  const text = `${kindText(difference)}: ${rangesText(difference)}`;
  return cidrs.length <= most3 ? text : { text, all: { title: `all ${cidrs.length} ranges`, items: cidrs } };
}
