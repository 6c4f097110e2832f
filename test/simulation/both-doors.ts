/** A world through both doors: until something disturbs it, the same commands end in the same way and write the same. */
import { isDisturbed } from "../worlds/plan";
import type { World } from "../worlds/plan";
import type { Tally } from "../worlds/tally";
import { Finding, runWorld, type Ended, type SimulationOptions } from "./world-run";
import type { DoorName } from "../support/engine";
import { madeId } from "./real/records";

/**
 * Runs the world through the door of dynamic resources and then through the native provider. Throws a Finding where one of
 * them does not end as it should, or where they differ.
 */
export async function runBoth(world: World, options: SimulationOptions = {}): Promise<Ended> {
  const [dynamic, native] = [
    await recorded(world, options, "dynamic"),
    await recorded(world, options, "native"),
  ];
  const length = Math.max(dynamic.lines.length, native.lines.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => dynamic.lines[i] !== native.lines[i]);
  if (at === undefined) return dynamic.ended;
  const [one, other] = [dynamic, native].map(({ lines }) => (lines[at] ?? "nothing").slice(0, 500));
  const message = `The doors differ.\nDynamic: ${one}\nNative: ${other}`;
  throw new Finding(message, world.rounds.length - 1, dynamic.ended.trace);
}

/**
 * What a world does through a door, line by line, until the first round in which something is disturbed: which step a fault or a
 * kill meets depends on the order of those that are ready at the same moment, and that on the number of promises of a door. So
 * do the number of reads, and the pauses. The two runs of a world count as one.
 */
async function recorded(
  world: World,
  options: SimulationOptions,
  door: DoorName,
): Promise<{ lines: readonly string[]; ended: Ended }> {
  const lines: string[] = [];
  const tally: Tally | undefined = door === "dynamic" ? options.tally : undefined;
  const disturbed = world.rounds.findIndex(isDisturbed);
  const ended = await runWorld(world, {
    ...options,
    tally,
    door,
    onCommand: (what, { how, changes }, sent, _, index) => {
      if (disturbed >= 0 && index >= disturbed) return;
      const writes = sent.filter(({ method }) => method !== "GET");
      lines.push(`${what} ended ${how}`);
      lines.push(...changes.map(({ op, name }) => `${op} ${name}`).sort());
      lines.push(
        ...writes.map(({ method, path, body }) => masked(JSON.stringify([method, path, body]))).sort(),
      );
    },
  });
  return { lines, ended };
}

/** Without ids that the emulator made, and without times. */
function masked(request: string): string {
  return request.replace(madeId, "…").replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
}
