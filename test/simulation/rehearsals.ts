/** Holds the rehearsal of each deployment of a world, and what it approves, against the deployment itself. */
import { readPreview } from "../../src/tools/inventory/read-preview";
import { rehearse } from "../../src/tools/rehearsal/rehearse";
import type { Rehearsal } from "../../src/tools/rehearsal/rehearse";
import { isRecord, mapDeep, membersOf } from "../../src/schema/unknown";
import { stepsOf } from "../../src/tools/approval/approve";
import { ApprovedWrites } from "../../src/tools/approval/approved-writes";
import type { StepPlan } from "../../src/tools/stack/preview";
import type { Snapshot } from "../../src/emulator";
import type { DoorName } from "../support/engine";
import { Chance } from "../worlds/chance";
import type { WorldResource } from "../rounds/world";
import { smallWorldOf, undisturbed, worldOf } from "../worlds/plan";
import type { World } from "../worlds/plan";
import type { Sent, Stage } from "../worlds/stage";
import { guardedWorldOf } from "./guarded-world";
import { beginning, enter } from "./machine/entropy";
import { Loop } from "./machine/loop";
import { baseUrl } from "./machine/network";
import { printedPlan } from "./plan-text";
import { difference, Recorder } from "./real/records";
import { comparedAccess } from "./deployed-access";
import { SimulatedStage } from "./stage";

export interface Rehearsed {
  readonly deployments: number;
  readonly writes: number;
  /** Deployments with a value that only they know. */
  readonly unknown: number;
  /** What IP policies guard, and policies whose rules change, of which the previews know everything. */
  readonly knownPlaces: number;
  /** What differs, for each deployment that does not do what its rehearsal did. */
  readonly differences: readonly string[];
}

/** Where a world is deployed, and the text of a preview of each program. */
export interface RehearsalStage extends Pick<Stage, "stack" | "account" | "rest"> {
  readonly planText: (program: readonly WorldResource[], targets?: readonly string[]) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly time: () => number;
}

/** A small world, a large one that nothing disturbs, or one of what decides who gets in. */
export function rehearsedWorld(seed: number, number: number): World {
  if (number % 3 === 0) return guardedWorldOf(seed, number);
  return number % 2 ? smallWorldOf(seed, number) : undisturbed(worldOf(seed, number));
}

/** A world on the small engine. */
export async function rehearseSimulated(world: World, door: DoorName): Promise<Rehearsed> {
  const seed = world.seed * 100_003 + world.number;
  const loop = new Loop(beginning, new Chance(seed));
  enter(seed, () => loop.now());
  const stage = await SimulatedStage.start(world, loop, undefined, undefined, door);
  const config = {
    "tunnel-gateway:baseUrl": baseUrl,
    "tunnel-gateway:stampMetadata": String(world.stamps),
  };
  const planText: RehearsalStage["planText"] = async (program, targets) => {
    const { operation, output } = await stage.stack.preview(program, { targets });
    if (operation === undefined) throw new Error(`The preview failed:\n${output}`);
    return printedPlan(operation, door, config);
  };
  const { stack, account } = stage;
  const rest = () => stage.rest();
  return rehearseRounds(world, { stack, account, rest, planText, time: () => loop.now() });
}

/** Deploys the programs of all rounds, each after its rehearsal. */
export async function rehearseRounds(world: World, stage: RehearsalStage): Promise<Rehearsed> {
  const differences: string[] = [];
  let [deployments, writes, unknown, knownPlaces] = [0, 0, 0, 0];
  // Before some changes, a part of them is deployed alone.
  const commands = world.rounds.flatMap(({ program, targetsFirst: targets }, round) => [
    ...(targets ? [{ program, targets, round }] : []),
    { program, targets: undefined, round },
  ]);
  for (const { program, targets, round } of commands) {
    const before = stage.account.snapshot();
    const text = await stage.planText(program, targets);
    const plan = readPreview(text).plan;
    const { entries } = stage.stack.state;
    const olds = [...entries];
    const rehearsal = await rehearse(plan, { readAccount: () => before, now: stage.time() });
    const { refusals, incomplete, unknowns } = rehearsal;
    stage.account.takeSent();
    const ending = await stage.stack.up({ program, targets });
    const sent = stage.account.takeSent();
    if (ending.how !== "well") {
      if (refusals.length === 0)
        differences.push(`round ${round}: only the deployment failed: ${ending.output}`);
      break;
    }
    deployments += 1;
    writes += sent.filter(({ method }) => method !== "GET").length;
    if (unknowns.length > 0) unknown += 1;
    const found = difference(
      recordsOf(entries, before, rehearsedStage(stage, rehearsal), sentBy(rehearsal)),
      recordsOf(entries, before, maskedStage(stage), sent.map(masked)),
    );
    // What nobody knows is named, and then the rest cannot be the same.
    const isSame = found === undefined || unknowns.length > 0;
    const wrong = [...refusals, ...incomplete].map((each) => JSON.stringify(each));
    wrong.push(...notApproved(plan, rehearsal, sent));
    const access = await comparedAccess(
      readPreview(text),
      { account: before, entries: olds },
      { account: stage.account.snapshot(), entries: stage.stack.state.entries },
    );
    knownPlaces += access.known;
    wrong.push(...access.differences);
    if (!isSame || wrong.length > 0) differences.push(`round ${round}: ${[...wrong, found].join("\n")}`);
    await stage.rest();
  }
  return { deployments, writes, unknown, knownPlaces, differences };
}

/** What the approval of a rehearsal makes of what the deployment sends. */
function notApproved(plan: StepPlan, rehearsal: Rehearsal, sent: readonly Sent[]): string[] {
  // The ids of new objects are in the answers, which the service of the real engine does not record.
  if (sent.some(({ answer }) => answer === undefined)) return [];
  const base = rehearsal.accounts[0]?.baseUrl ?? baseUrl;
  const steps = JSON.parse(JSON.stringify(stepsOf(plan, rehearsal))) as ReturnType<typeof stepsOf>;
  const approval = { approval: 3 as const, version: "", stack: "", project: "", baseUrls: [base], steps };
  const approved = new ApprovedWrites(approval);
  const refused = sent.flatMap(({ method, path, body, status, answer }) => {
    if (method === "GET") return [];
    const taken = approved.take({ baseUrl: base, method, path, body: jsonOf(body) });
    if ("refused" in taken) return [taken.refused];
    const { id } = membersOf(jsonOf(answer));
    approved.answered(
      taken,
      path,
      status === 0 ? undefined : status,
      typeof id === "string" ? id : undefined,
    );
    return [];
  });
  return [
    ...refused,
    ...approved.left.map(({ method, path }) => `${method} ${path} was approved and not sent`),
  ];
}

/** Bodies and answers are text on some stages. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value === "" ? undefined : (JSON.parse(value) as unknown);
}

type Entries = Stage["stack"]["state"]["entries"];

const labels = new Map<string, string>();

function recordsOf(entries: Entries, before: Snapshot, after: Stage, sent: readonly Sent[]) {
  const recorder = new Recorder(labels);
  recorder.onCommand("before", well, [], stageOf(entries, before));
  recorder.onCommand("up", well, sent, after);
  return recorder.records;
}

const well = { how: "well", output: "", display: "", changes: [] } as const;

function stageOf(entries: Entries, account: Snapshot): Stage {
  const state = { entries: entries.map((each) => ({ ...each, outputs: {} })), pending: [] };
  const shown = masked(account);
  return { stack: { state }, account: { snapshot: () => shown } } as unknown as Stage;
}

function maskedStage({ stack, account }: RehearsalStage): Stage {
  return stageOf(stack.state.entries, account.snapshot());
}

function rehearsedStage({ stack, account }: RehearsalStage, { made, accounts }: Rehearsal): Stage {
  const entries = stack.state.entries.map((each) => ({ ...each, id: made.get(each.urn) ?? each.id }));
  return stageOf(entries, accounts[0]?.after ?? account.snapshot());
}

function sentBy({ requests }: Rehearsal): Sent[] {
  return requests.map(({ method, path, body, status }) => masked({ method, path, body, status }));
}

/** Members that previews mask. */
const secrets = new Set([
  ...["client_secret", "secret", "api_key", "secret_access_key", "private_key_pem", "cert", "access_key_id"],
]);

/** What a change sends only if it changes, which no preview says: the approval knows it as a secret that may be left out. */
const maybeSent = "csr";

function masked<T>(value: T): T {
  return mapDeep(parsed(value), (part) => {
    if (!isRecord(part)) return part;
    if (maybeSent in part) {
      const { [maybeSent]: _, ...rest } = part;
      return masked(rest);
    }
    const hides = Object.keys(part).filter((name) => secrets.has(name) && typeof part[name] === "string");
    if (hides.length === 0) return part;
    return masked({ ...part, ...Object.fromEntries(hides.map((name) => [name, null])) });
  }) as T;
}

/** A request whose body is text. */
function parsed(value: unknown): unknown {
  const body = isRecord(value) ? value.body : undefined;
  return typeof body === "string" ? { ...(value as object), body: JSON.parse(body) as unknown } : value;
}
