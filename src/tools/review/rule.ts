/** A rule of the review. Its id is public: configurations and pipelines refer to it. */
import type { Declaration } from "../../schema/declaration";
import type { Finding, Severity } from "../output/finding";
import type { AccountFacts } from "./account-facts";
import type { Family } from "../../schema/addresses/block";
import type { KeepAccess } from "../access/kept-access";
import type { Semantics } from "../access/semantics";
import type { AccessTest } from "../access/access-tests";
import type { PlaceLog } from "../access/usage";
import type { AccessChanges } from "./access/compare";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import type { Preview } from "../inventory/read-preview";
import type { Rehearsal } from "../rehearsal/rehearse";

/**
 * Makes a finding of the rule. `at` is the URN of the resource that causes it, if that is another one: its place in the program is
 * shown. The severity is given only if it differs from the rule's own.
 */
export type Find = (
  on: Pick<InventoryObject, "urn" | "name"> & { readonly declaration: Pick<Declaration, "type"> },
  message: string,
  more?: Pick<Partial<Finding>, "field" | "severity"> & { readonly at?: string },
) => Finding;

/** What a review knows beside the preview. */
export interface ReviewFacts {
  /**
   * What the state shows of the last deployment: the base URL of the default provider, if it has one, and the environment's, which a
   * provider without one uses. Default: not known, so only `baseUrls` shows whether a base URL is that of the API.
   */
  readonly deployed?: {
    readonly provider: { readonly baseUrl: string | undefined } | undefined;
    readonly environmentUrl?: string | undefined;
  };
  /** The URNs of the resources whose create was interrupted. Default: none. */
  readonly pending?: ReadonlySet<string>;
  /** The base URLs of the API; empty if the environment gives it. Default: not known. */
  readonly baseUrls?: readonly string[];
  /** The facts of the account. Default: none, so the rules about them find nothing. */
  readonly account?: AccountFacts;
  /** Why the account could not be read, although there is a key. */
  readonly unreadAccount?: string;
  /** The run of the plan on a copy of the account. Default: none, so what the deployment sends is unknown. */
  readonly rehearsal?: Rehearsal;
  /** The logs of clients. Default: none, so the rule about unused rules finds nothing. */
  readonly logs?: readonly PlaceLog[];
}

/** The input of the rules. */
export interface Context extends Preview, ReviewFacts {
  /** Nothing in the preview existed before. */
  readonly isNewStack: boolean;
  readonly access: AccessChanges;
  /** The number of addresses, per family, from which a wider access is an error. */
  readonly errorFrom: Readonly<Record<Family, bigint>>;
  readonly accessTests: readonly AccessTest[];
  readonly keepAccess: KeepAccess;
  readonly semantics: Semantics;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}

interface RuleTexts {
  readonly id: string;
  readonly severity: Severity;
  /** What the rule finds, in a few words. */
  readonly title: string;
  /** Why it matters, and what to do. Markdown. */
  readonly help: string;
  /** The rule needs the unchanged resources too; without them it would report false findings. */
  readonly needsAll?: true;
}

/** A rule about a change: it compares the state before the deployment with the one after it. */
export interface ChangeRule extends RuleTexts {
  changes(find: Find, context: Context): Iterable<Finding>;
}

/** A rule about a state: the review separates existing findings from those that the deployment causes. */
export interface StateRule extends RuleTexts {
  states(find: Find, inventory: Inventory, context: Context): Iterable<Finding>;
  /** Time alone can cause the finding: it counts even if nothing changes. */
  readonly timely?: true;
}

export type Rule = ChangeRule | StateRule;
