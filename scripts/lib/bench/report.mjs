import { fillIn } from "../markers.mjs";
import { earlierSection } from "./earlier-report.mjs";
import { table } from "./table.mjs";
import { assess, doorsTargets, ownPart, smallTargets, verdict } from "./targets.mjs";
import { inMegabytes, inPercent, inSeconds, whole } from "./units.mjs";

/** The text of docs/development/benchmarks.md. */
export function report(results) {
  const {
    machine,
    command,
    compared,
    sets,
    slow,
    limited,
    review,
    many,
    access,
    summaries,
    account,
    importing,
  } = results;
  return `# Benchmarks

<!-- Written by \`npm run bench\`. Do not edit. -->

What this package costs in addition to Pulumi itself: a policy and its rules with the real engine and the
[emulator](../../README.md) in its own process. It is compared with two dynamic providers that do nothing and send nothing, each
with the same number of resources. "Do nothing" is an ordinary one, with properties of the same sizes: Pulumi's closure
serializer writes its text into the state. "Smallest" is the least that Pulumi allows: a text of one line, and no outputs
but the inputs. All run in turns, step by step, on one machine.

- Command: \`${command}\`, ${machine.date}
- Machine: ${machine.cores} cores (${machine.processor}), ${machine.system}
- Versions: Node.js ${machine.node}, Pulumi CLI ${machine.cli}, @pulumi/pulumi ${machine.sdk}
- Figures: the median of ${times(results.runs)}; a ratio is the median of the ratios of those that took turns

## Targets

${targetTable(assess(results))}

## Time and requests

![Seconds of each step](benchmarks.svg)

The service answers immediately, so the times show the work on this machine. \`update\` changes every tenth rule.

${table(
  ["Rules", "Step", "Requests", "This package", "Do nothing", "Ratio", "Smallest", "Ratio"],
  comparedRows(compared, ["other", "smallest"]),
  2,
)}
${earlierSection(results)}${sets.length === 0 ? "" : setSection(sets)}${slow.length === 0 ? "" : slowSection(slow)}${results.small === undefined ? "" : smallSection(results)}${results.doors === undefined ? "" : doorsSection(results)}${limited === undefined ? "" : limitedSection(limited)}${review === undefined ? "" : reviewSection(review)}${many === undefined ? "" : manySection(many)}${access === undefined ? "" : accessSection(access)}${summaries === undefined ? "" : summarySection(summaries)}${account === undefined ? "" : accountSection(account)}
## Sizes

${table(
  ["", "This package", "Do nothing", "Smallest"],
  [
    ...compared.map(({ count, sizes }) => [
      `bytes of state per resource, ${count} rules`,
      sizes.stateBytes,
      sizes.otherStateBytes,
      sizes.smallestStateBytes,
    ]),
    ...sets.map(({ count, stateBytes }) => [
      `bytes of state per rule, ${count} rules as a set`,
      Math.round(stateBytes / count),
      "–",
      "–",
    ]),
    ["bytes of `__provider`", ...providerBytes(compared.at(-1).sizes)],
    ...memoryRows(compared, "rules"),
    ...memoryRows(sets, "rules as a set"),
    [`milliseconds to import, of ${importing.times} processes`, Math.round(importing.own), "–", "–"],
    ["milliseconds to import @pulumi/pulumi", Math.round(importing.pulumi), "–", "–"],
  ],
  1,
)}
`;
}

function providerBytes(sizes) {
  return [sizes.providerBytes, sizes.otherProviderBytes, sizes.smallestProviderBytes];
}

function comparedRows(all, baselines) {
  return all.flatMap(({ count, steps }) =>
    steps.map((step) => [
      count,
      step.name,
      step.requests,
      inSeconds(step.seconds),
      ...baselines.flatMap((name) => [inSeconds(step[name].seconds), step[name].ratio.toFixed(2)]),
    ]),
  );
}

const smallMarkers = ["<!-- npm run bench: small -->", "<!-- end -->"];

function smallSection(results) {
  return `
## A small stack

${smallMarkers[0]}

${smallTables(results)}

${smallMarkers[1]}
`;
}

/** The text of docs/development/benchmarks.md with other figures of a small stack. */
export function withSmall(page, results) {
  return fillIn("docs/development/benchmarks.md", page, smallMarkers, smallTables(results));
}

function smallTables({ small, machine, command }) {
  const { count, times: turns, created, deployed, start, program, plugin } = small;
  const milliseconds = whole("ms");
  const previews = (name) =>
    [created, deployed].flatMap((all) => [
      inSeconds(all[name]),
      name === "empty" ? "–" : milliseconds((all[name] - all.empty) * 1000),
    ]);
  const own = ownPart(small);
  const parts = [
    ["start of the plugin", start.native.listens, `${milliseconds(start.dynamic.listens)}, Pulumi's`],
    ["load of the package in the program", program.native.own, program.dynamic.own],
    ["load of the package in the plugin", "in its start", plugin.load],
    ["hooks: check and diff of each resource", plugin.hooks, plugin.hooks],
    ["together, without what is Pulumi's", own.native, own.dynamic],
  ];
  return `\`pulumi preview\` of a stack of ${count} resources, before its first deployment and after it, beside an empty program and as many
resources of an ordinary dynamic provider that does nothing; in turns, measured with
\`${command}\` on ${machine.date}. The median of ${turns} previews of each.

${targetTable(smallTargets(small))}

${table(
  ["Program", "New", "More than empty", "Deployed", "More than empty"],
  [
    ["empty", ...previews("empty")],
    ["do nothing, dynamic", ...previews("nothing")],
    ["this package, dynamic", ...previews("dynamic")],
    ["this package, native", ...previews("native")],
  ],
  1,
)}

What this package is of that, each part measured by itself; the median of ${turns} processes. The parts do not add up to the
difference: the engine starts the plugin of a deployed stack while the program starts.

${table(
  ["Part", "Native", "Dynamic"],
  parts.map((row) => row.map((each) => (typeof each === "number" ? milliseconds(each) : each))),
  1,
)}`;
}

const doorsMarkers = ["<!-- npm run bench: doors -->", "<!-- end -->"];

function doorsSection(results) {
  return `
## Both doors

${doorsMarkers[0]}

${doorsTables(results)}

${doorsMarkers[1]}
`;
}

/** The text of docs/development/benchmarks.md with other figures of both doors. */
export function withDoors(page, results) {
  return fillIn("docs/development/benchmarks.md", page, doorsMarkers, doorsTables(results));
}

function doorsTables({ doors, machine, command }) {
  const { runs, start, small, large } = doors;
  const rows = [small, large].flatMap(({ count, steps, stateBytes, dynamicStateBytes }) => [
    ...steps.map(({ name, requests, seconds, memory, dynamic }) => [
      ...[count, name, requests, inSeconds(seconds), inSeconds(dynamic.seconds), dynamic.ratio.toFixed(2)],
      ...[memory, dynamic.memory].map((peak) => (peak === undefined ? "–" : inMegabytes(peak))),
    ]),
    [
      ...[count, "state of each resource", "–", `${stateBytes} B`, `${dynamicStateBytes} B`],
      ...[(stateBytes / dynamicStateBytes).toFixed(2), "–", "–"],
    ],
  ]);
  const moments = { listens: "until it takes calls", answers: "until it has answered its first check" };
  const milliseconds = whole("ms");
  return `The same programs with the classes of \`pulumi-tunnel-gateway/native\` and with those of \`pulumi-tunnel-gateway\`, in turns,
measured with \`${command}\` on ${machine.date}; the median of ${times(runs)}.

${targetTable(doorsTargets(doors))}

${table(["Rules", "Step", "Requests", "Native", "Dynamic", "Ratio", "Native's memory", "Dynamic's"], rows, 2)}

The plugins, from their start by Pulumi; the median of ${start.times} processes:

${table(
  ["", "Native", "Dynamic", "Ratio"],
  Object.entries(moments).map(([moment, what]) => {
    const [native, dynamic] = [start.native[moment], start.dynamic[moment]];
    return [what, milliseconds(native), milliseconds(dynamic), (native / dynamic).toFixed(2)];
  }),
  1,
)}`;
}

function targetTable(targets) {
  return table(
    ["", "Target", "Measured", ""],
    targets.map((target) => [target.what, target.target, target.measured, verdict(target)]),
  );
}

function setSection(sets) {
  return `
The same rules as one \`IpPolicyRuleSet\`, compared with one resource with the same entries of the provider that does
nothing, and with a program without entries:

${table(
  ["Rules", "Step", "Requests", "This package", "Do nothing", "Ratio", "No entries", "Ratio"],
  comparedRows(sets, ["other", "empty"]),
  2,
)}

\`tunnel-gateway review --stack\` of the update, with the preview that it runs. The memory is that of the command without
Pulumi:

${table(
  ["Rules", "Time", "Memory"],
  sets.map(({ count, review }) => [count, inSeconds(review.seconds), inMegabytes(review.memory)]),
)}
`;
}

function slowSection(slow) {
  return `
The same with a service that takes ${slow[0].latencyMs} ms for each answer, measured once:

${table(
  ["Rules", "Step", "Requests", "This package"],
  slow.flatMap(({ count, steps }) =>
    steps.map(({ name, requests, seconds }) => [count, name, requests, inSeconds(seconds)]),
  ),
  2,
)}
`;
}

function limitedSection({ count, perMinute, create, refresh }) {
  const rows = [
    ["up", create],
    ["refresh", refresh],
  ];
  return `
## Under a rate limit

The service takes ${perMinute} requests in any 60 seconds and refuses the others. A pace of 100 % means that it
accepted the last request at the earliest possible time. Nothing failed.

${table(
  ["Rules", "Step", "Requests taken", "Refused", "Time", "Pace"],
  rows.map(([name, { taken, refused, seconds, pace }]) => [
    count,
    name,
    taken,
    refused,
    inSeconds(seconds),
    pace === undefined ? "–" : inPercent(pace),
  ]),
  2,
)}
`;
}

function reviewSection({ count, fileBytes, seconds, memory }) {
  return `
## A review

\`tunnel-gateway review\` reads the preview of a program in which the range of every rule changes, and prints the
Markdown. The time and the memory are those of the whole command.

${table(
  ["Rules", "Preview", "Time", "Memory"],
  [[count, inMegabytes(fileBytes), inSeconds(seconds), inMegabytes(memory)]],
)}
`;
}

function manySection({ stacks, resources, seconds, memory }) {
  return `
## A review of many stacks

One review of the previews of many stacks, in files, in which every rule changes; every tenth stack differs in one of them. The
time and the memory are those of the whole command.

${table(
  ["Stacks", "Resources of each", "Time", "Memory"],
  [[stacks, resources, inSeconds(seconds), inMegabytes(memory)]],
)}
`;
}

function accessSection({ count, tests, lines, testSeconds, logSeconds, logMemory }) {
  return `
## Access tests and clients

The review of a rule set that changes, with access tests, of which every tenth fails, and with the log of an edge, half of
whose lines are of clients that come once. The time of the tests is what they add to the review; the others are those of the
whole command.

${table(
  ["Ranges", "Tests", "Time of the tests", "Lines of the log", "Time", "Memory"],
  [[count, tests, inSeconds(testSeconds), lines, inSeconds(logSeconds), inMegabytes(logMemory)]],
)}
`;
}

function summarySection(summaries) {
  return `
## Summarized lists

Generated lists of the sizes and the overlap of the published IPv4 ranges of four large clouds, as one rule set with
\`summarize\` and without. The requests are those of the first deployment, and of a later one in which every hundredth range
changes; the minutes are those that 120 requests per minute make of them. The time is that of the whole review of the later
deployment, which decides the rules of both lists.

${table(
  ["Ranges", "summarize", "Rules", "Requests", "Minutes", "Requests of a change", "Minutes", "Review"],
  summaries.map(({ count, summarize, rules, first, next }) => [
    ...[count, summarize, rules, first.requests, first.waiting / 60],
    ...[next.requests, next.waiting / 60, inSeconds(next.seconds)],
  ]),
  2,
)}
`;
}

function accountSection({ count, pages, requests, seconds }) {
  return `
## An import

\`tunnel-gateway import --run\` of an account that no stack manages: it reads the account, writes the program, imports the
objects with \`pulumi import\`, checks what was deleted or changed meanwhile, and runs \`pulumi preview\`. The time is that of the
whole command. The requests are those for the lists that have the objects, of up to 100 each.

${table(["Objects", "Pages", "Requests", "Time"], [[count, pages, requests, inSeconds(seconds)]])}
`;
}

/** The peak of the plugin's memory in the step that needs the most. */
function memoryRows(all, what) {
  return all.flatMap(({ count, steps }) => {
    const own = steps.map(({ memory }) => memory).filter((peak) => peak !== undefined);
    const others = ["other", "smallest"].map((name) =>
      steps.map((step) => step[name]?.memory).filter((peak) => peak !== undefined),
    );
    if (own.length === 0) return [];
    return [
      [`MB of the plugin's memory at most, ${count} ${what}`, megabytes(own), ...others.map(megabytes)],
    ];
  });
}

const megabytes = (peaks) => (peaks.length === 0 ? "–" : Math.round(Math.max(...peaks) / 1e6));
const times = (runs) => (runs === 1 ? "one run" : `${runs} runs`);
