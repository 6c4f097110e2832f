// Measures what the package costs and writes docs/development/benchmarks.md. No result makes it fail.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accessCost } from "./lib/bench/access.mjs";
import { importCost } from "./lib/bench/account-import.mjs";
import { backendCost } from "./lib/bench/backend.mjs";
import { chart } from "./lib/bench/chart.mjs";
import { earlierProject } from "./lib/bench/earlier.mjs";
import { fleetCost } from "./lib/bench/fleet.mjs";
import { fleetTables, withTables } from "./lib/bench/fleet-report.mjs";
import { importTimes } from "./lib/bench/import-time.mjs";
import { underLimit } from "./lib/bench/limited.mjs";
import { asSet, compareAtOnce, withLatency } from "./lib/bench/measure.mjs";
import { benchFolder, makeProject } from "./lib/bench/project.mjs";
import { report } from "./lib/bench/report.mjs";
import { manyCost, reviewCost } from "./lib/bench/review.mjs";
import { sharedLimit } from "./lib/bench/shared.mjs";
import { assess, fleetTargets, verdict } from "./lib/bench/targets.mjs";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { root } from "./lib/paths.mjs";
import { progress } from "./lib/progress.mjs";
import { ensurePulumi } from "./pulumi-cli.mjs";

const usage = `npm run bench -- [options]
  --counts 100,300,1000  how many rules
  --runs 3               how often each is measured; the result is the median
  --sets 1000,10000      how many rules as one rule set; 0 skips this part
  --latency 20           the service's latency in milliseconds in the second table; 0 skips it
  --limited 300          how many rules under 120 requests per minute; 0 skips this part
  --review 10000         how many changed rules in a preview that is reviewed; 0 skips this part
  --many 100             how many previews of 50 resources are one review; 0 skips this part
  --access 10000         how many ranges access tests and a log of a million lines are held against; 0 skips this part
  --account 1000         how many objects an account has that is imported; 0 skips this part
  --fleet 100            how many accounts the example fleet deploys to at most; 0 skips this part
  --processes 10         how many processes share the limit of one account; 0 skips this part
  --only fleet           measures these two parts and a backend alone, and writes docs/fleet.md alone
  --against <commit>     compares the rules with the package as it was at this commit, too
  --imports 15           how many processes measure the import
  --out <folder>         the folder of benchmarks.md and benchmarks.svg; default docs/development`;

export async function bench(args) {
  const options = optionsOf(args);
  if (options === undefined) {
    console.log(usage);
    return 2;
  }
  const cli = await ensurePulumi();
  const folder = benchFolder();
  const places = {
    cli,
    gateway: makeProject(folder, "gateway"),
    nothing: makeProject(folder, "nothing"),
    earlier: options.against === "" ? undefined : await earlierProject(folder, options.against),
  };
  const results = await measure({ ...places, folder }, options);

  if (results.fleet !== undefined)
    writeFleet({ ...results, machine: machine(cli), command: commandOf(args) });
  if (options.only === "fleet") return 0;
  const all = {
    ...results,
    against: options.against,
    machine: machine(cli),
    runs: options.runs,
    command: commandOf(args),
  };
  writeFileSync(join(options.out, "benchmarks.md"), report(all));
  writeFileSync(join(options.out, "benchmarks.svg"), chart(all.compared));
  for (const target of assess(all)) {
    console.log(`${verdict(target).padEnd(7)}  ${target.what}: ${target.measured} (${target.target})`);
  }
  console.log(`Written: ${join(options.out, "benchmarks.md")}, ${join(options.out, "benchmarks.svg")}`);
  return 0;
}

/** Puts what was measured of fleets into docs/fleet.md. */
function writeFleet(results) {
  const file = join(root, "docs/fleet.md");
  writeFileSync(file, withTables(readFileSync(file, "utf8"), fleetTables(results)));
  for (const target of fleetTargets(results)) {
    console.log(`${verdict(target).padEnd(7)}  ${target.what}: ${target.measured} (${target.target})`);
  }
  console.log(`Written: ${file}`);
}

/** Measures one part after the other. */
async function measure(places, options) {
  const {
    counts,
    sets,
    runs,
    latency,
    limited,
    review,
    many,
    access,
    account,
    imports,
    fleet,
    processes,
    only,
  } = options;
  const results = { compared: [], sets: [], slow: [] };
  const command = join(places.gateway, "node_modules/pulumi-tunnel-gateway/dist/cli/index.js");
  const line = progress("Benchmark");
  const { note } = line;
  const ofFleet = [
    ...(fleet > 0 ? [fleet] : []).map((count) => ({
      name: `${count} accounts`,
      run: async () => (results.fleet = await fleetCost(places, count, note)),
    })),
    ...(processes > 0 ? [processes] : []).map((count) => ({
      name: `${count} processes under a rate limit`,
      run: async () => (results.shared = await sharedLimit(places, count, note)),
    })),
    ...(fleet > 0 ? [100] : []).map((count) => ({
      name: `a backend with ${count} rules`,
      run: async () => (results.backend = await backendCost(places, count, note)),
    })),
  ];
  const ofRules = [
    { name: "import", run: async () => (results.importing = await importTimes(places.gateway, imports)) },
    ...(review > 0 ? [review] : []).map((count) => ({
      name: `the review of ${count} rules`,
      run: async () => (results.review = await reviewCost(command, places.folder, count, runs)),
    })),
    ...(many > 0 ? [many] : []).map((count) => ({
      name: `the review of ${count} stacks`,
      run: async () => (results.many = await manyCost(command, places.folder, count, 50, runs)),
    })),
    ...(access > 0 ? [access] : []).map((count) => ({
      name: `access tests and clients on ${count} ranges`,
      run: async () => (results.access = await accessCost(command, places.folder, count, runs)),
    })),
    ...(account > 0 ? [account] : []).map((count) => ({
      name: `the import of ${count} objects`,
      run: async () => (results.account = await importCost(places, count, runs)),
    })),
    ...counts.map((count) => ({
      name: `${count} rules`,
      run: async () => results.compared.push(await compareAtOnce(places, count, runs, note)),
    })),
    ...sets.map((count) => ({
      name: `${count} rules as one set`,
      run: async () => results.sets.push(await asSet(places, count, runs, note)),
    })),
    ...(latency > 0 ? counts : []).map((count) => ({
      name: `${count} rules at ${latency} ms`,
      run: async () => results.slow.push(await withLatency(places, count, latency, note)),
    })),
    ...(limited > 0 ? [limited] : []).map((count) => ({
      name: `${count} rules under a rate limit`,
      run: async () => (results.limited = await underLimit(places, count, note)),
    })),
  ];
  const parts = only === "fleet" ? ofFleet : [...ofRules, ...ofFleet];
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

function optionsOf(args) {
  const text = (value) => ({ type: "string", default: value });
  try {
    const { values } = parseArgs({
      args,
      options: {
        counts: text("100,300,1000"),
        sets: text("1000,10000"),
        runs: text("3"),
        latency: text("20"),
        limited: text("300"),
        review: text("10000"),
        many: text("100"),
        access: text("10000"),
        account: text("1000"),
        fleet: text("100"),
        processes: text("10"),
        only: text(""),
        against: text(""),
        imports: text("15"),
        out: text(join(root, "docs/development")),
      },
    });
    const counts = values.counts.split(",").map(Number);
    const sets = values.sets
      .split(",")
      .map(Number)
      .filter((count) => count !== 0);
    const [runs, latency, limited, review, many, access, account, imports, fleet, processes] = [
      "runs",
      "latency",
      "limited",
      "review",
      "many",
      "access",
      "account",
      "imports",
      "fleet",
      "processes",
    ].map((name) => Number(values[name]));
    const isRight = (number, least) => Number.isInteger(number) && number >= least;
    if (
      ![...counts, ...sets].every((count) => isRight(count, 1)) ||
      !isRight(runs, 1) ||
      !isRight(imports, 1)
    )
      return undefined;
    if (!["", "fleet"].includes(values.only)) return undefined;
    if (
      ![latency, limited, review, many, access, account, fleet, processes].every((number) =>
        isRight(number, 0),
      )
    )
      return undefined;
    return {
      counts: counts.sort((a, b) => a - b),
      sets,
      runs,
      latency,
      limited,
      review,
      many,
      access,
      account,
      fleet,
      processes,
      only: values.only,
      against: values.against,
      imports,
      out: values.out,
    };
  } catch {
    return undefined;
  }
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
