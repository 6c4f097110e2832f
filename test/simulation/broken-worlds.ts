/** Broken deployments of random worlds: how many could be resumed, and why the others could not. */
import { isDeepStrictEqual } from "node:util";
import { defaultOf, wireName } from "../../src/schema/field";
import { ownerInMark } from "../../src/schema/metadata";
import { membersOf } from "../../src/schema/unknown";
import type { ApprovedWrite } from "../../src/tools/approval/approval";
import { collectionAt } from "../../src/tools/broker/lost-create";
import { Chance } from "../worlds/chance";
import type { World } from "../worlds/plan";
import { continued, victims } from "./broken-deployments";
import type { Continued } from "./broken-deployments";

/** How many changes of a world are deployed. */
const mostChanges = 3;

export class BrokenWorlds {
  deployments = 0;
  /** How many deployments could not be resumed, by the known reason. */
  readonly known = new Map<string, number>();

  /** Breaks the deployments of a world, each at one write. Returns those that cannot be resumed for no known reason, as texts. */
  async add(world: World): Promise<string[]> {
    const findings: string[] = [];
    for (const [change, { program: after }] of world.rounds.slice(1, 1 + mostChanges).entries()) {
      const before = world.rounds[change]!.program;
      if ([...before, ...after].some(({ opts }) => opts?.provider)) continue;
      const victim = victims[(world.number + change) % victims.length]!;
      const chance = new Chance(world.number * 7919 + change);
      const ended = await continued({ world, before, after }, victim, (writes) => 1 + chance.below(writes));
      if (ended === undefined) continue;
      this.deployments += 1;
      const { last, refused, left, struck } = ended;
      if (last === "well" && refused.length === 0 && left.length === 0) continue;
      const reason = knownReason(ended);
      if (reason !== undefined) this.known.set(reason, (this.known.get(reason) ?? 0) + 1);
      else
        findings.push(
          `change ${change}, ${victim} at ${struck?.method} ${struck?.path}:\n${[...refused, ...left, last].join("\n")}`,
        );
    }
    return findings;
  }

  inWords(): string {
    const known = [...this.known].map(([reason, count]) => `${count} not resumed (${reason})`);
    return [`${this.deployments} broken deployments`, ...known].join(", ");
  }
}

/** Why it may be impossible to resume a deployment that broke at a write: known limits of the broker. */
function knownReason({ struck, writes, refused }: Continued): string | undefined {
  const creates = writes.filter(({ method }) => method === "POST");
  const lost = struck && withDefaults(struck);
  const alike = creates.filter((create) => isDeepStrictEqual(withDefaults(create), lost));
  if (alike.some((create) => !isDeepStrictEqual(create, struck)))
    return "a create is lost, and another one differs from it in a default alone";
  const rotates = creates.some(({ body }) => ownerInMark(membersOf(body).metadata)?.startsWith("rotation"));
  const isOfKeys = refused.length > 0 && refused.every((write) => /^(DELETE|PATCH) \/api_keys\//.test(write));
  return rotates && isOfKeys ? "a rotation was interrupted, or its overlap has ended meanwhile" : undefined;
}

/** The write with the defaults of what it leaves out: one object may result from it with and without them. */
function withDefaults(write: ApprovedWrite): ApprovedWrite {
  const defaults = Object.entries(collectionAt(write.path)?.fields ?? {}).flatMap(([name, field]) => {
    const value = defaultOf(field);
    return value === undefined ? [] : [[wireName(name, field), value] as const];
  });
  return { ...write, body: { ...Object.fromEntries(defaults), ...membersOf(write.body) } };
}
