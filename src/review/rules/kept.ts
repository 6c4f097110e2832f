/** The rule about what leaves the stack and stays in the account. */
import { entriesOf, declaresRanges } from "../../access/policies";
import { firstOf } from "../../text/phrase";
import type { InventoryObject } from "../../inventory/inventory";
import type { ChangeRule } from "../rule";

const reasons = {
  retainOnDelete: "its resource option retainOnDelete is set",
  deletedWith:
    "its resource option deletedWith names a resource that goes too, and nobody asks the service to delete it",
} as const;

/** The number of ranges that a message names. */
const most = 3;

export const keptInAccount: ChangeRule = {
  id: "access/kept",
  severity: "warning",
  title: "An object leaves the stack and stays in the account",
  help: "With the resource options `retainOnDelete` and `deletedWith` Pulumi drops an object from the stack and does not delete it: a rule still allows its ranges, an edge still serves its addresses, a key is still valid. The review, access tests and the map count it as there after the deployment. From then on only `access --account` and [`orphans`](cli.md#orphans) show it. To delete it, remove the option first, deploy, and then remove the resource.",
  *changes({ kept }) {
    for (const { old, by } of kept)
      yield { on: old, message: `it stays in the account${effectOf(old)}: ${reasons[by]}` };
  },
};

/** What a rule or set does from then on. */
function effectOf(old: InventoryObject): string {
  const entries = declaresRanges(old) ? entriesOf(old) : [];
  const ranges = entries.flatMap((entry) => ("cidr" in entry ? [`${entry.action}s ${entry.cidr}`] : []));
  return ranges.length === 0 ? "" : ` and ${firstOf(ranges, most)}`;
}
