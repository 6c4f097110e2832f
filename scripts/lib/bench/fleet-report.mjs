import { fillIn } from "../markers.mjs";
import { table } from "./table.mjs";
import { fleetTargets, verdict } from "./targets.mjs";
import { asRatio, inMegabytes, inPercent, inSeconds } from "./units.mjs";

/** The tables of docs/fleet.md, by the names of their places. */
export function fleetTables(results) {
  const { fleet, shared, backend, machine, command } = results;
  const measured = `Measured with \`${command}\` on ${machine.date}: ${machine.cores} cores (${machine.processor}), ${machine.system},
Node.js ${machine.node}, Pulumi CLI ${machine.cli}.`;
  return {
    targets: `${measured}

${table(
  ["", "Target", "Measured", ""],
  fleetTargets(results).map((target) => [target.what, target.target, target.measured, verdict(target)]),
)}`,
    accounts: `${measured}

${table(
  ["Accounts", "At once", "Step", "Time", "Over one by one", "Processor time", "Memory at most", "Requests"],
  fleet.rows.flatMap((row) => [
    rowOf(row, "up", row.up, fleet.rows[0].up),
    rowOf(row, "up without changes", row.again, fleet.rows[0].again),
  ]),
  3,
)}`,
    ...(shared === undefined ? {} : { shared: sharedTable(shared) }),
    ...(backend === undefined ? {} : { backend: backendTable(backend) }),
  };
}

function rowOf({ count, atOnce }, name, { seconds, processor, memory, total }, one) {
  return [
    count,
    atOnce,
    name,
    inSeconds(seconds),
    asRatio(seconds / (count * one.seconds)),
    inSeconds(processor),
    memory === undefined ? "–" : inMegabytes(memory),
    total,
  ];
}

function sharedTable({ count, rules, taken, refused, failed, median, slowest, pace }) {
  return table(
    ["Processes", "Rules of each", "Requests taken", "Refused", "Failed", "Median", "Slowest", "Pace"],
    [[count, rules, taken, refused, failed, inSeconds(median), inSeconds(slowest), inPercent(pace)]],
    1,
  );
}

function backendTable({ steps, rows }) {
  return table(
    ["Backend", "Steps", "Writes", "Bytes", "Bytes of a step", "Time"],
    rows.map(({ name, writes, bytes, seconds }) => [
      name,
      steps,
      writes,
      `${(bytes / 1e6).toFixed(1)} MB`,
      `${Math.round(bytes / steps / 1000)} kB`,
      inSeconds(seconds),
    ]),
    1,
  );
}

/** The text of docs/fleet.md with the tables in their places. */
export function withTables(page, tables) {
  return Object.entries(tables).reduce(
    (text, [name, content]) =>
      fillIn("docs/fleet.md", text, [`<!-- npm run bench: ${name} -->`, "<!-- end -->"], content),
    page,
  );
}
