/** The ranges of an access list: which are invalid, which repeat and which lie inside another one. */
import type * as pulumi from "@pulumi/pulumi";
import { blockOf } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";
import { canonical, problem } from "../../schema/formats/cidr";
import type { Problem } from "../../schema/validate";
import type { RuleAction } from "../../schema/rule-set";

/** One range as the program gives it. */
export interface GivenRange {
  readonly action: RuleAction;
  /** The path of the argument: `allow[3]` or `deny[0].cidr`. */
  readonly path: string;
  readonly cidr: string;
  readonly description?: pulumi.Input<string>;
  readonly until?: pulumi.Input<string>;
}

/** A valid range. */
export interface ValidRange extends GivenRange {
  readonly canonical: string;
  readonly block: Block;
}

/** The valid ranges in the program's order, each once, and what is wrong with the others. */
export function validate(entries: readonly GivenRange[]): { valid: ValidRange[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<string, ValidRange>();
  for (const entry of entries) {
    const { path, cidr, action } = entry;
    const block = blockOf(cidr);
    if (block === undefined) {
      problems.push({
        path,
        clause: `must be a network address in CIDR notation or an IP address; ${problem(cidr) ?? ""}`,
      });
      continue;
    }
    const spelling = canonical(cidr);
    const twin = first.get(spelling);
    if (twin === undefined) first.set(spelling, { ...entry, canonical: spelling, block });
    else problems.push({ path, clause: repeated(action, spelling, twin) });
  }
  return { valid: [...first.values()], problems };
}

function repeated(action: RuleAction, spelling: string, twin: GivenRange): string {
  return twin.action === action
    ? `repeats ${spelling}, which is already at ${twin.path}`
    : `${spelling} is also at ${twin.path}; a range is either allowed or denied`;
}
