/**
 * Hours pass between the rounds of a world: entries of sets and lists end, keys rotate, and certificates are renewed. The real engine
 * takes no such worlds, because its time is real.
 */
import { hour } from "../../src/schema/text/phrase";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import type { WorldResource } from "../rounds/world";
import { Chance } from "../worlds/chance";
import { accessList, type Round, type World } from "../worlds/plan";
import { beginning } from "./machine/entropy";

/** The world; hours pass in two of five of them. */
export function inTime(world: World): World {
  return world.number % 5 < 2 ? throughTime(world) : world;
}

/** Random arguments have a certificate that ends three days after the beginning, which nobody can deploy after that. */
const most = 60;
const pauses = [1.5, 7, 26];

function throughTime(world: World): World {
  const chance = new Chance(world.seed * 100_003 + world.number + 1);
  let hours = 0;
  const rounds = world.rounds.map((round, index) => {
    const program = round.program.map((each) => passing(each, index));
    const pause = pauses[chance.below(2 * pauses.length)] ?? 0;
    if (index === 0 || hours + pause > most || pause === 0) return { ...round, program };
    hours += pause;
    return { ...round, ...onItsOwn, program, hours: pause };
  });
  return { ...world, rounds };
}

/** What is tried before a change expects that nothing else is to be done, and time brings more. */
const onItsOwn = {
  isRefusedFirst: false,
  isProtectedFirst: false,
  surprise: undefined,
  targetsFirst: undefined,
} satisfies Partial<Round>;

/** The resource with times that are over within hours. */
function passing(resource: WorldResource, index: number): WorldResource {
  const { type, args } = resource;
  if (type === "IpPolicyRuleSet") return { ...resource, args: { ...args, rules: endingRules(args, index) } };
  if (type === accessList) return { ...resource, args: { ...args, ...endingLists(args, index) } };
  return { ...resource, args: soon(args) };
}

function soon(args: Json): Json {
  const changed: Record<string, number> = {};
  const { rotateAfterDays: days, overlapDays: overlap, validForHours: life, earlyRenewalHours: early } = args;
  if (typeof days === "number") changed.rotateAfterDays = 0.25 * (1 + (Math.floor(days) % 7));
  if (typeof overlap === "number")
    changed.overlapDays = overlap === 0 ? 0 : changed.rotateAfterDays! / (2 + (Math.floor(overlap) % 3));
  if (typeof life === "number") changed.validForHours = 2 + (Math.floor(life) % 48);
  if (typeof life === "number" && typeof early === "number")
    changed.earlyRenewalHours = changed.validForHours! / (2 + (Math.floor(early) % 3));
  return { ...args, ...changed };
}

function endingRules({ rules }: Json, index: number): Json {
  const entries = Object.entries(rules as Record<string, string | object>);
  return Object.fromEntries(entries.map(([range, rule]) => [range, ending(rule, "action", range, index)]));
}

function endingLists(args: Json, index: number): Json {
  const all = (entries: unknown): unknown =>
    (entries as (string | { cidr: string })[]).map((entry) =>
      ending(entry, "cidr", typeof entry === "string" ? entry : entry.cidr, index),
    );
  return { allow: all(args.allow), deny: all(args.deny) };
}

/** The entry with its end, if it has one. A plain text is its member with the name. */
function ending(entry: string | object, name: "action" | "cidr", range: string, index: number): unknown {
  const until = endOf(range, index);
  if (until === undefined) return entry;
  return { ...(typeof entry === "string" ? { [name]: entry } : entry), until };
}

/** When the entry ends in this round's program: some never, and some ends are later from the fourth round on. */
function endOf(range: string, index: number): string | undefined {
  const sum = [...range].reduce((all, letter) => all + letter.charCodeAt(0), 0);
  if (sum % 3 > 0) return undefined;
  const hours = 0.5 + (sum % 24) + (index > 2 && sum % 2 === 0 ? 6 : 0);
  return new Date(beginning + hours * hour).toISOString();
}
