/**
 * Deployments of what was approved, in which the broker, the plugin or all of Pulumi dies at a write. What the log says must be
 * enough to repair the stack and to continue without another review.
 */
import type { Snapshot } from "../../src/emulator";
import { declarationOf } from "../../src/resources/registry";
import type { Approval, ApprovedWrite } from "../../src/tools/approval/approval";
import { stepsOf } from "../../src/tools/approval/approve";
import { readPreview } from "../../src/tools/inventory/read-preview";
import { rehearse } from "../../src/tools/rehearsal/rehearse";
import { pathOf } from "../rounds/requests";
import type { WorldResource } from "../rounds/world";
import { Chance } from "../worlds/chance";
import type { World } from "../worlds/plan";
import { Between } from "./between";
import { beginning, enter } from "./machine/entropy";
import { Loop } from "./machine/loop";
import { baseUrl } from "./machine/network";
import { printedPlan } from "./plan-text";
import { SimulatedStage } from "./stage";

/** Who dies at a write: the broker before or after it, the plugin alone, or all of Pulumi. */
export const victims = ["broker before", "broker after", "plugin", "Pulumi"] as const;
export type Victim = (typeof victims)[number];

/** A change of a program. */
interface Change {
  readonly world: World;
  readonly before: readonly WorldResource[];
  readonly after: readonly WorldResource[];
}

/** A deployment that was broken and continued. */
export interface Continued {
  /** How the broken one ended. */
  readonly ended: string;
  /** How many of the approved writes it sent. */
  readonly logged: number;
  /** The approved write at which it broke. */
  readonly struck: ApprovedWrite | undefined;
  readonly writes: readonly ApprovedWrite[];
  /** How the last deployment ended: `well`, or its output. */
  readonly last: string;
  readonly refused: readonly string[];
  readonly left: readonly string[];
  /** The objects of the account, and those of the rehearsed account, as texts. */
  readonly account: readonly string[];
  readonly rehearsed: readonly string[];
}

/**
 * Deploys the change with a death at a write, repairs the stack as the pages say, and continues. Undefined if the change cannot
 * be approved, or writes nothing.
 * @param atWrite which of the writes, from the number of them.
 */
export async function continued(
  { world, before, after }: Change,
  victim: Victim,
  atWrite: (writes: number) => number,
): Promise<Continued | undefined> {
  const seed = world.seed * 100_003 + world.number;
  const loop = new Loop(beginning, new Chance(seed));
  enter(seed, () => loop.now());
  const stage = await SimulatedStage.start(world, loop, undefined, undefined, "dynamic");
  const { stack, account, network } = stage;
  if ((await stack.up({ program: before })).how !== "well") return undefined;
  // The service's time is unknown to the broker, so an equal object that is a minute older may be that of a lost create.
  await stage.rest(0.1);
  const { operation, output } = await stack.preview(after);
  if (operation === undefined) throw new Error(`The preview failed:\n${output}`);
  const config = {
    "tunnel-gateway:baseUrl": baseUrl,
    "tunnel-gateway:stampMetadata": String(world.stamps),
  };
  const plan = readPreview(printedPlan(operation, "dynamic", config)).plan;
  const start = account.snapshot();
  const rehearsal = await rehearse(plan, { readAccount: () => start, now: loop.now() });
  const { refusals, incomplete, unknowns, undone } = rehearsal;
  if ([refusals, incomplete, unknowns, undone].some(({ length }) => length > 0)) return undefined;
  const steps = stepsOf(plan, rehearsal);
  const writes = steps.flatMap((step) => step.writes);
  if (writes.length === 0) return undefined;
  const write = atWrite(writes.length);
  const approval: Approval = {
    approval: 3,
    version: "",
    stack: "test",
    project: "program",
    baseUrls: [baseUrl],
    steps,
  };
  const [who, when] = victim.split(" ") as [string, "before" | "after"];
  const broker = new Between(network, account, approval, who === "broker" ? { write, when } : undefined);
  let sent = 0;
  network.strikes = ({ method }) => {
    if (method === "GET" || who === "broker" || ++sent !== write) return undefined;
    return { kind: "kill", when: "after", isAlone: who === "plugin" };
  };
  const ending = await stack.up({ program: after });
  network.strikes = () => undefined;
  const positions = broker.log.flatMap((line) => (line.event === "sent" ? [line.position] : []));

  broker.restart();
  const struck = writes[positions[write - 1] ?? -1];
  await repair(stage, ending.how === "CLI killed" ? undefined : after, start, !isSecretChange(struck));
  // In the minute after its creation, an object that is not shown does not count as gone.
  await stage.rest(0.02);
  const last = await stack.up({ program: after });
  if (last.how === "well") await broker.end();
  return {
    ...{
      ended: ending.how,
      logged: new Set(positions).size,
      last: last.how === "well" ? "well" : last.output,
    },
    ...{ struck, writes },
    ...{ refused: broker.refused, left: broker.permits.left },
    account: namedIn(account.snapshot()),
    rehearsed: namedIn(rehearsal.accounts[0]?.after ?? start),
  };
}

/** Whether only the program can send the write again, which it does not do after a refresh. */
function isSecretChange(write: ApprovedWrite | undefined): boolean {
  const { method, holes = [] } = write ?? { method: "POST" };
  return method !== "POST" && holes.some((hole) => "any" in hole);
}

/**
 * Imports what `orphans` finds, refreshes if the broken write can be sent again after that, and deletes what has a secret or is
 * left: the secret of a key is lost with its answer. A set takes over its rules.
 */
async function repair(
  { stack, network }: SimulatedStage,
  program: readonly WorldResource[] | undefined,
  start: Snapshot,
  refreshes: boolean,
): Promise<void> {
  const old = idsIn(start);
  for (;;) {
    const { orphans, imports, import: adopt } = await stack.orphans(program);
    const secret = imports.filter(({ lacksSecret }) => lacksSecret).map(({ id }) => id);
    if (secret.length > 0) {
      for (const { type, id } of orphans)
        if (secret.includes(id)) await network.ask("DELETE", pathOf(type, id));
      continue;
    }
    if (imports.length > 0) {
      // What belongs under an imported object needs a second import.
      await adopt();
      continue;
    }
    const refreshed = refreshes ? await stack.refresh({ clearsPending: true }) : undefined;
    if (refreshed && refreshed.how !== "well") throw new Error(`The refresh failed:\n${refreshed.output}`);
    for (const { type, id, driftOf } of orphans)
      if (driftOf === undefined && (declarationOf(type).style !== "collection" || !old.has(id)))
        await network.ask("DELETE", pathOf(type, id));
    return;
  }
}

const idsIn = (account: Snapshot) =>
  new Set(Object.values(account).flatMap((all) => all.map(({ id }) => String(id))));

/** The objects with names in the places of ids, in any order. */
function namedIn(account: Snapshot): string[] {
  const names = new Map<string, string>();
  for (const { id, description, cidr } of Object.values(account).flat())
    if (!String(id).endsWith("_one")) names.set(String(id), String(cidr ?? description));
  const shown = Object.entries(account).flatMap(([collection, all]) =>
    all.map(({ created_at: _, token: __, ...object }) => {
      const text = JSON.stringify(object);
      return `${collection} ${text.replace(/\w+_\w+/g, (word) => names.get(word) ?? word)}`;
    }),
  );
  return shown.sort();
}
