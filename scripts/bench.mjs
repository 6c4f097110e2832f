// Measures what the package costs and writes docs/development/benchmarks.md. No result makes it fail.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, tmpdir, type } from "node:os";
import { join } from "node:path";
import {
  importOfAccount,
  loadOfPackage,
  reviewOfLog,
  reviewOfRules,
  reviewOfStacks,
  throughBroker,
} from "./lib/bench/commands.mjs";
import { earlierSources, makeProject } from "./lib/bench/project.mjs";
import { assess, report } from "./lib/bench/report.mjs";
import { ofNothing, ofRules, ofSet } from "./lib/bench/stacks.mjs";
import { formatted } from "./lib/format.mjs";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { readOptions, text, wholeNumber, wholeNumbers } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { progress } from "./lib/progress.mjs";
import { ensurePulumi } from "./pulumi-cli.mjs";

const table = {
  counts: wholeNumbers("5,100,300", "how many rules of a policy; 0 skips this part", 0),
  sets: wholeNumbers("1000,10000", "how many rules as one rule set; 0 skips this part", 0),
  review: wholeNumber("10000", "how many changed rules in a preview that is reviewed; 0 skips this part", 0),
  stacks: wholeNumber("100", "how many previews of 50 resources are one review; 0 skips this part", 0),
  broker: wholeNumber("300", "how many rules are deployed through the broker; 0 skips this part", 0),
  log: wholeNumber(
    "10000",
    "how many ranges are compared with a log of a million lines; 0 skips this part",
    0,
  ),
  account: wholeNumber("1000", "how many objects an account has that is imported; 0 skips this part", 0),
  loads: wholeNumber("15", "how many processes load the package; 0 skips this part", 0),
  runs: wholeNumber("3", "how often each is measured; the result is the median"),
  against: text("<commit>", "compares with the package as it was at this commit, too"),
  out: text("<folder>", "the folder of benchmarks.md; default docs/development"),
};

export async function bench(args) {
  const options = readOptions("bench", args, table);
  if (options === undefined) return 2;
  const { against, out = join(root, "docs/development") } = options;
  mkdirSync(out, { recursive: true });
  const cli = await ensurePulumi();
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const sources = { own: root, earlier: against && (await earlierSources(folder, against)) };
  const places = {
    ...{ cli, folder, sources },
    own: makeProject(folder, "gateway"),
    nothing: makeProject(folder, "nothing"),
    earlier: sources.earlier && makeProject(folder, "earlier", sources.earlier),
  };
  const measured = await measure(places, options);
  const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const all = { ...measured, against, command, machine: machine(cli), runs: options.runs };
  const page = join(out, "benchmarks.md");
  writeFileSync(page, await formatted(page, report(all)));
  for (const [what, target, value, verdict] of assess([...all.stacks, ...all.commands]))
    console.log(`${verdict.padEnd(12)}  ${what}: ${value} (${target})`);
  console.log(`Written: ${page}`);
  return 0;
}

/** Measures one part after the other. */
async function measure(places, options) {
  const { counts, sets, runs } = options;
  const line = progress("Benchmark");
  const { note } = line;
  const results = { stacks: [], commands: [] };
  const part = (kind, name, count, run) =>
    count > 0 ? [{ kind, name, run: () => run(places, count, runs, note) }] : [];
  const parts = [
    ...part("commands", "the load of the package", options.loads, loadOfPackage),
    ...part("commands", `the review of ${options.review} rules`, options.review, reviewOfRules),
    ...part("commands", `the review of ${options.stacks} stacks`, options.stacks, reviewOfStacks),
    ...part("commands", `the review of ${options.log} ranges`, options.log, reviewOfLog),
    ...part("commands", `the import of ${options.account} objects`, options.account, importOfAccount),
    ...part("commands", "the broker", options.broker, throughBroker),
    ...part("stacks", "an empty program", Math.max(...counts), (bench) => ofNothing(bench, runs, note)),
    ...counts.flatMap((count) => part("stacks", `${count} rules`, count, ofRules)),
    ...sets.flatMap((count) => part("stacks", `${count} rules as a set`, count, ofSet)),
  ];
  const left = parts.map(({ name }) => name);
  whenInterrupted(
    () =>
      `The benchmark was interrupted and has written nothing. Left out or unfinished: ${left.join(", ")}.`,
  );
  for (const { kind, name, run } of parts) {
    note(name);
    results[kind].push(...(await run()));
    left.shift();
  }
  whenInterrupted(() => "The benchmark was interrupted while it wrote its results.");
  line.end("done");
  return results;
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
