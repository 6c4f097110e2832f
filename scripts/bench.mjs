// Measures what the package costs and writes docs/development/benchmarks.md. No result makes it fail.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, type } from "node:os";
import { join } from "node:path";
import { accessCost } from "./lib/bench/access.mjs";
import { importCost } from "./lib/bench/account-import.mjs";
import { chart } from "./lib/bench/chart.mjs";
import { doorsCost } from "./lib/bench/doors.mjs";
import { earlierSources } from "./lib/bench/earlier.mjs";
import { importTimes } from "./lib/bench/import-time.mjs";
import { underLimit } from "./lib/bench/limited.mjs";
import { asSet, compareAtOnce, withLatency } from "./lib/bench/measure.mjs";
import { benchFolder, commandIn, makeProject } from "./lib/bench/project.mjs";
import { report, withDoors, withSmall } from "./lib/bench/report.mjs";
import { manyCost, reviewCost } from "./lib/bench/review.mjs";
import { smallCost } from "./lib/bench/small.mjs";
import { summaryCost } from "./lib/bench/summary.mjs";
import { assess, doorsTargets, smallTargets, verdict } from "./lib/bench/targets.mjs";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { oneOf, readOptions, text, wholeNumber, wholeNumbers } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { progress } from "./lib/progress.mjs";
import { ensurePulumi } from "./pulumi-cli.mjs";

const table = {
  counts: wholeNumbers("100,300,1000", "how many rules"),
  runs: wholeNumber("3", "how often each is measured; the result is the median"),
  sets: wholeNumbers("1000,10000", "how many rules as one rule set; 0 skips this part", 0),
  latency: wholeNumber("20", "the service's latency in milliseconds in the second table; 0 skips it", 0),
  limited: wholeNumber("300", "how many rules under 120 requests per minute; 0 skips this part", 0),
  review: wholeNumber("10000", "how many changed rules in a preview that is reviewed; 0 skips this part", 0),
  many: wholeNumber("100", "how many previews of 50 resources are one review; 0 skips this part", 0),
  access: wholeNumber(
    "10000",
    "how many ranges access tests and a log of a million lines are held against; 0 skips this part",
    0,
  ),
  summaries: wholeNumber("1", "whether lists of the sizes of real ones are summarized; 0 skips this part", 0),
  account: wholeNumber("1000", "how many objects an account has that is imported; 0 skips this part", 0),
  doors: wholeNumber("300", "how many rules both doors deploy; 0 skips this part", 0),
  small: wholeNumber("6", "how many resources a small stack has that is previewed; 0 skips this part", 0),
  only: oneOf(["doors", "small"], "measures both doors, or a small stack, and writes nothing else"),
  against: text(
    "<commit>",
    "compares with the package as it was at this commit, too: rules, sets, reviews, access, imports",
  ),
  imports: wholeNumber("15", "how many processes measure the import"),
  out: text("<folder>", "the folder of benchmarks.md and benchmarks.svg; default docs/development"),
};

export async function bench(args) {
  const options = readOptions("bench", args, table);
  if (options === undefined) return 2;
  const { counts, out = join(root, "docs/development") } = options;
  counts.sort((a, b) => a - b);
  mkdirSync(out, { recursive: true });
  const cli = await ensurePulumi();
  const folder = benchFolder();
  const sources = { own: root, earlier: options.against && (await earlierSources(folder, options.against)) };
  const places = {
    ...{ cli, sources },
    gateway: makeProject(folder, "gateway"),
    nothing: makeProject(folder, "nothing"),
    earlier: sources.earlier && makeProject(folder, "earlier", sources.earlier),
  };
  const results = await measure({ ...places, folder }, options);

  const of = { ...results, machine: machine(cli), command: commandOf(args) };
  if (options.only === "doors") writePart(out, withDoors, of, doorsTargets(results.doors));
  if (options.only === "small") writePart(out, withSmall, of, smallTargets(results.small));
  if (options.only !== undefined) return 0;
  const all = {
    ...results,
    against: options.against,
    machine: machine(cli),
    runs: options.runs,
    command: commandOf(args),
  };
  const [page, picture] = [join(out, "benchmarks.md"), join(out, "benchmarks.svg")];
  writeFileSync(page, report(all));
  writeFileSync(picture, chart(all.compared));
  print([
    ...assess(all),
    ...(all.small === undefined ? [] : smallTargets(all.small)),
    ...(all.doors === undefined ? [] : doorsTargets(all.doors)),
  ]);
  console.log(`Written: ${page}, ${picture}`);
  return 0;
}

/** Puts what was measured into its part of the page. */
function writePart(out, withPart, results, targets) {
  const file = join(out, "benchmarks.md");
  writeFileSync(file, withPart(readFileSync(file, "utf8"), results));
  print(targets);
  console.log(`Written: ${file}`);
}

function print(targets) {
  for (const target of targets)
    console.log(`${verdict(target).padEnd(7)}  ${target.what}: ${target.measured} (${target.target})`);
}

/** Measures one part after the other. */
async function measure(places, options) {
  const { counts, runs, latency, imports } = options;
  const results = { compared: [], sets: [], slow: [] };
  const projects = { own: places.gateway, earlier: places.earlier };
  const commands = {
    own: commandIn(projects.own),
    earlier: projects.earlier && commandIn(projects.earlier),
  };
  const line = progress("Benchmark");
  const { note } = line;
  const ofDoors = partsOf(
    [options.doors],
    (count) => `both doors with ${count} rules`,
    async (count) => (results.doors = await doorsCost(places, count, runs, note)),
  );
  const ofSmall = partsOf(
    [options.small],
    (count) => `a small stack of ${count} resources`,
    async (count) => (results.small = await smallCost(places, count, runs, note)),
  );
  const ofRules = [
    { name: "import", run: async () => (results.importing = await importTimes(projects, imports)) },
    ...partsOf(
      [options.review],
      (count) => `the review of ${count} rules`,
      async (count) => (results.review = await reviewCost(commands, places.folder, count, runs)),
    ),
    ...partsOf(
      [options.many],
      (count) => `the review of ${count} stacks`,
      async (count) => (results.many = await manyCost(commands, places.folder, count, 50, runs)),
    ),
    ...partsOf(
      [options.access],
      (count) => `access tests and clients on ${count} ranges`,
      async (count) => (results.access = await accessCost(commands, places.folder, count, runs)),
    ),
    ...partsOf(
      [options.summaries],
      () => "summarized lists",
      async () => (results.summaries = await summaryCost(commands.own, places.folder, runs)),
    ),
    ...partsOf(
      [options.account],
      (count) => `the import of ${count} objects`,
      async (count) => (results.account = await importCost(places, count, runs)),
    ),
    ...partsOf(
      counts,
      (count) => `${count} rules`,
      async (count) => results.compared.push(await compareAtOnce(places, count, runs, note)),
    ),
    ...partsOf(
      options.sets,
      (count) => `${count} rules as one set`,
      async (count) => results.sets.push(await asSet(places, count, runs, note)),
    ),
    ...partsOf(
      latency > 0 ? counts : [],
      (count) => `${count} rules at ${latency} ms`,
      async (count) => results.slow.push(await withLatency(places, count, latency, note)),
    ),
    ...partsOf(
      [options.limited],
      (count) => `${count} rules under a rate limit`,
      async (count) => (results.limited = await underLimit(places, count, note)),
    ),
  ];
  const parts = { doors: ofDoors, small: ofSmall }[options.only] ?? [...ofRules, ...ofSmall, ...ofDoors];
  const left = parts.map(({ name }) => name);
  whenInterrupted(
    () =>
      `The benchmark was interrupted and has written nothing. Left out or unfinished: ${left.join(", ")}.`,
  );
  for (const { name, run } of parts) {
    note(name);
    await run();
    left.shift();
  }
  whenInterrupted(() => "The benchmark was interrupted while it wrote its results.");
  line.end("done");
  return results;
}

/** A part for each count above 0. */
function partsOf(counts, name, run) {
  return counts.filter((count) => count > 0).map((count) => ({ name: name(count), run: () => run(count) }));
}

function machine({ version }) {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    processor: processors[0]?.model.trim() ?? "unknown",
    system: `${type()} ${release()}`,
    node: process.versions.node,
    cli: version,
    sdk: JSON.parse(readFileSync(join(root, "node_modules/@pulumi/pulumi/package.json"), "utf8")).version,
  };
}

function commandOf(args) {
  return ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
}
