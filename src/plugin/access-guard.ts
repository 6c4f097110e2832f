/**
 * The guard of the setting keepAccess: it refuses a write before it is sent if a kept range would lose access. It sees one
 * write at a time, and the account as it is at that moment.
 */
import { addressGate } from "../access/gates";
import { certainLosses, unusedPolicyLosses } from "../access/kept";
import type { KeepAccess, KeptLoss } from "../access/kept";
import { declaresRanges, entriesOf, policyPrefix, reachOf } from "../access/policies";
import { unknownSemantics } from "../access/semantics";
import { AddressSet } from "../addresses/address-set";
import { inventoryOfAccount, readAccount } from "../inventory/account-contents";
import { Inventory, accountKey, named } from "../inventory/inventory";
import type { InventoryObject } from "../inventory/inventory";
import type { Connection, GuardedWrite } from "../provider/connection";
import { GatewayError } from "../provider/errors";
import type { ForeseenChange, ForeseenObject } from "../provider/objects/object-client";
import { nameOfSetting } from "../provider/read-settings";
import type { Declaration } from "../schema/declaration";
import { few, firstLines } from "../text/phrase";
import type { RuleAction } from "../schema/rule-set";

/** @public It is loaded by require. */
export class AccessGuard {
  private readonly keep: KeepAccess;
  private readonly keptRanges: AddressSet;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly connection: Connection) {
    this.keep = connection.settings.keepAccess ?? {};
    this.keptRanges = AddressSet.ofRanges(Object.values(this.keep).flat());
  }

  /**
   * Sends a write unless it would take access from a kept range. Writes that decide access are sent one after the other: of
   * two rules that allow the same range, one can be deleted, and the other one then not.
   */
  async send<T>(write: GuardedWrite, send: () => Promise<T>): Promise<T> {
    if (!decidesAccess(write.declaration)) return send();
    const done = this.turn.then(async () => {
      await this.check(write);
      return send();
    });
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async check(write: GuardedWrite): Promise<void> {
    const refusal = this.refusal(write.declaration);
    const losses = await this.lossesOf(write).catch((error: unknown) => {
      if (error instanceof GatewayError)
        error.message = `${refusal}, because it is not known who would lose access: ${error.message}`;
      throw error;
    });
    if (losses.length === 0) return;
    const lines = losses.map(({ on, message }) => `${named(on)}: ${message}`);
    const wayOut = "Keep them allowed. To deploy anyway, remove the setting for one deployment";
    throw new GatewayError(
      [
        `${refusal}, because ranges that it names would lose access:`,
        ...[...firstLines(lines, few, "place"), wayOut].map((line) => `  ${line}`),
      ].join("\n"),
    );
  }

  private refusal({ noun }: Declaration): string {
    const { provider } = this.connection.settings;
    return `the change of the ${noun} was not sent: ${nameOfSetting("keepAccess", provider)} refuses it`;
  }

  private async lossesOf({ isDeletion, foresee }: GuardedWrite): Promise<KeptLoss[]> {
    const change = await foresee();
    if (!this.mayTakeAccess(change)) return [];
    const { all, isGone } = await this.account();
    const [olds, news] = [change.before.map(objectOf), change.after.map(objectOf)];
    const changed = new Set([...olds, ...news].map(accountKey));
    const others = [...all.values()].filter((each) => !changed.has(accountKey(each)));
    const before = new Inventory([...others, ...olds], isGone);
    const after = new Inventory([...others, ...news], isGone);
    // What is deleted may go with its policy, which no place uses any more.
    const ways = isDeletion ? [certainLosses] : [certainLosses, unusedPolicyLosses];
    return ways.flatMap((find) => find(before, after, this.keep, unknownSemantics));
  }

  /** Whether a change can take access from a kept range, whatever else the account holds. It saves reading the account. */
  private mayTakeAccess({ before, after }: ForeseenChange): boolean {
    const [olds, news] = [before.map(objectOf), after.map(objectOf)];
    const lost = reachIn(olds, "allow").difference(reachIn(news, "allow"));
    const denied = reachIn(news, "deny").difference(reachIn(olds, "deny"));
    if (!lost.union(denied).intersection(this.keptRanges).isEmpty()) return true;
    if (news.length === 0) return olds.some(({ declaration }) => isPolicy(declaration));
    // A new edge takes access from nobody; a new module restricts an edge that is there.
    return news.some((next) => {
      const [old] = olds;
      return (
        (old ?? next.declaration.style === "singleton") && restrictionOf(next) !== (old && restrictionOf(old))
      );
    });
  }

  private async account(): Promise<Inventory> {
    const { objects } = await readAccount({
      client: this.connection,
      isChosen: decidesAccess,
      findsEdges: true,
    });
    const unreadable = objects.find(({ problem }) => problem !== undefined);
    if (unreadable) throw new GatewayError(`${accountKey(unreadable)}: ${unreadable.problem}`);
    return inventoryOfAccount(objects);
  }
}

/** Whether objects of the declaration decide who gets in by address: rules, policies, and what has a gate by address. */
function decidesAccess(declaration: Declaration): boolean {
  return (
    declaresRanges({ declaration }) || isPolicy(declaration) || addressGate(declaration.gates) !== undefined
  );
}

function isPolicy({ idPrefix }: Declaration): boolean {
  return idPrefix === policyPrefix;
}

/** What an object says of who gets in, as text; undefined where it says nothing. */
function restrictionOf({ declaration, outputs }: InventoryObject): string | undefined {
  const gate = addressGate(declaration.gates);
  if (gate === undefined) return undefined;
  return JSON.stringify(gate.argument === undefined ? outputs : outputs[gate.argument]);
}

/** The addresses that rules with an action count for. What cannot be read may be every address. */
function reachIn(rules: readonly InventoryObject[], action: RuleAction): AddressSet {
  const entries = rules.filter(declaresRanges).flatMap(entriesOf);
  const own = entries.filter((entry) => (entry.action ?? action) === action);
  if (own.some(({ block }) => block === undefined)) return AddressSet.everything;
  return AddressSet.ofBlocks(own.flatMap(({ block }) => reachOf(action, block!)));
}

function objectOf({ declaration, id, values }: ForeseenObject, index: number): InventoryObject {
  const [unique = ""] = declaration.unique ?? [];
  const name = [values.description, values.name, values[unique], id].find(
    (each): each is string => typeof each === "string" && each !== "",
  );
  const own = { declaration, id: id ?? `new ${index}`, name: name ?? `new ${declaration.noun}` };
  return { ...own, args: values, outputs: values };
}
