/** Who gets in at the objects of a stack, as the account itself decides it: from answers of the service, and no preview. */
import type { Snapshot } from "../../src/emulator";
import { declarationOf } from "../../src/resources/registry";
import { inventoryOfAccount, readAccount } from "../../src/tools/inventory/account-contents";
import { accountKey } from "../../src/tools/inventory/inventory";
import type { Inventory } from "../../src/tools/inventory/inventory";
import type { Preview } from "../../src/tools/inventory/read-preview";
import { RehearsedAccount } from "../../src/tools/rehearsal/rehearsed-account";
import { VirtualClock } from "../../src/tools/rehearsal/virtual-clock";
import { accessReport } from "../../src/tools/review/access/access-report";
import type { AccessItem } from "../../src/tools/review/access/access-report";
import { compareAccess } from "../../src/tools/review/access/compare";
import type { Kind } from "../../src/tools/review/access/range-differences";
import { parseSettings } from "../../src/provider/settings/read-settings";

/** A resource in the state of a stack. */
interface Entry {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
}

/** An account at one time, and the resources of the stack at that time. */
export interface Moment {
  readonly account: Snapshot;
  readonly entries: readonly Entry[];
}

export interface Compared {
  /** The places and policies that differ: what the preview says of them, and what the account decides. */
  readonly differences: readonly string[];
  /** The number of places and policies of which the preview knows everything: the others are not compared. */
  readonly known: number;
}

/** Holds what a review says of access against two accounts: before the deployment, and after it. */
export async function comparedAccess(preview: Preview, before: Moment, after: Moment): Promise<Compared> {
  const [old, next] = await Promise.all([before, after].map(inventoryAt));
  return comparedWorlds(preview, { before: old!, after: next!, resources: new Map() } as unknown as Preview);
}

function comparedWorlds(preview: Preview, real: Preview): Compared {
  const [said, found] = [itemsOf(preview), itemsOf(real)];
  const differences: string[] = [];
  let known = 0;
  // With --target the preview leaves out the others.
  for (const urn of preview.resources.keys()) {
    const [own, actual] = [said.get(urn) ?? [], found.get(urn) ?? []];
    if (own.some(isUnknown)) continue;
    known += own.length;
    const [text, other] = [own, actual].map(textOf);
    if (text !== other) differences.push(`the review says of ${urn}\n${text}\nand the account\n${other}`);
  }
  return { differences, known };
}

function itemsOf(world: Preview): ReadonlyMap<string | undefined, readonly AccessItem[]> {
  const { guarded, policies } = accessReport(compareAccess(world));
  // A policy has an item for its differences alone, a place also without any.
  const compared = policies.filter(({ differences }) => !differences.every(isInTime));
  return Map.groupBy([...guarded, ...compared], ({ urn }) => urn);
}

function isUnknown({ before, after }: AccessItem): boolean {
  return [before, after].some((side) => side && side.unknown.length > 0);
}

/** Whether only the end of a rule makes the difference: no service gets the ends. */
function isInTime({ kind }: AccessItem["differences"][number]): boolean {
  return (["allowed for longer", "denied for a shorter time"] satisfies Kind[] as string[]).includes(kind);
}

/** Without causes, which an account does not know, and without the ends of rules, which no service gets. */
function textOf(items: readonly AccessItem[]): string {
  const texts = items.flatMap((item) => {
    const sides = [item.before, item.after].map(sideOf);
    if (sides.every((side) => side === undefined)) return [];
    const differences = item.differences.filter((each) => !isInTime(each));
    return JSON.stringify([sides, differences.map(({ causes: _, ...each }) => each)]);
  });
  return texts.sort().join("\n");
}

/** What restricts nobody is as good as nothing: an account shows no module without policies. */
const sideOf = (side: AccessItem["before"]) =>
  side?.restricted
    ? { ...side, policies: side.policies.map(({ urn, name }) => urn ?? name).sort() }
    : undefined;

async function inventoryAt({ account, entries }: Moment): Promise<Inventory> {
  const clock = new VirtualClock(0);
  const copy = await RehearsedAccount.start("https://account.example", account, clock, {
    ...{ requests: [], urn: "", step: 0 },
  });
  const own = entries.map(({ urn, type, id }) => ({ urn, declaration: declarationOf(type), id }));
  const modulesBelow = (path: string): string[] =>
    own.flatMap(({ declaration, id }) =>
      declaration.style === "singleton" && declaration.path.startsWith(path) ? [id] : [],
    );
  const { settings } = parseSettings({ get: () => undefined }, {});
  const { objects } = await readAccount({
    client: copy.connect(settings),
    isChosen: () => true,
    modules: { httpsRoutes: modulesBelow("/edges/https/"), tlsEdges: modulesBelow("/edges/tls/") },
  });
  const urns = new Map(own.map(({ urn, ...object }) => [accountKey(object), urn]));
  return inventoryOfAccount(objects.map((each) => ({ ...each, urn: urns.get(accountKey(each)) })));
}
