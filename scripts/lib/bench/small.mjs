import { capture } from "../process.mjs";
import { importTimes } from "./import-time.mjs";
import { doNothingProgram, emptyProgram, gatewayProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { startTimes } from "./start.mjs";
import { median } from "./statistics.mjs";

/**
 * What a preview of a small stack costs more than that of an empty program, and which part of it is this package's: it is
 * loaded in the program and in the plugin, and its hooks check and compare each resource.
 */
export async function smallCost(bench, count, runs, note) {
  const times = 3 * runs;
  const { created, deployed } = await previewTimes(bench, count, times, note);
  note("a small stack: parts");
  return {
    ...{ count, times, created, deployed },
    start: await startTimes(bench.gateway, times),
    program: {
      native: await importTimes({ own: bench.gateway }, times, "/native"),
      dynamic: await importTimes({ own: bench.gateway }, times),
    },
    plugin: await pluginTimes(bench.gateway, count, times),
  };
}

/** Seconds of the preview of each program on a new stack, and on one that it has deployed, in turns. */
async function previewTimes(bench, count, times, note) {
  // One of the resources is the policy of the others.
  const programs = {
    empty: [bench.nothing, emptyProgram()],
    nothing: [bench.nothing, doNothingProgram(count - 1)],
    native: [bench.gateway, gatewayProgram(count - 1, 0, "/native")],
    dynamic: [bench.gateway, gatewayProgram(count - 1)],
  };
  const service = await startService(bench.gateway);
  try {
    const stacks = [];
    for (const [name, [project, text]] of Object.entries(programs)) {
      stacks.push({ name, text, stack: await makeStack(bench.cli, project, service) });
    }
    const created = await inTurns(stacks, "a new small stack", ["preview"], times, note);
    await inTurns(stacks, "the up of a small stack", ["up", "--yes", "--skip-preview"], 1, note);
    const unchanged = ["preview", "--expect-no-changes"];
    return { created, deployed: await inTurns(stacks, "a deployed small stack", unchanged, times, note) };
  } finally {
    await service.stop();
  }
}

/** The median seconds of one command of each stack. Every second turn reverses the order. */
async function inTurns(stacks, what, command, times, note) {
  const all = new Map(stacks.map(({ name }) => [name, []]));
  for (let i = 0; i < times; i++) {
    note(`${what}: ${i + 1} of ${times}`);
    for (const { name, stack, text } of i % 2 === 0 ? stacks : stacks.toReversed()) {
      stack.write(text);
      all.get(name).push((await stack.run(...command)).seconds);
    }
  }
  return Object.fromEntries([...all].map(([name, seconds]) => [name, median(seconds)]));
}

/** In a process that has loaded what Pulumi's plugin loads: the load of the package, then the hooks of a preview. */
const script = (count) => `
  require("@pulumi/pulumi");
  const start = performance.now();
  const { hooks } = require("pulumi-tunnel-gateway/provider");
  const [policy, rule] = [hooks("IpPolicy"), hooks("IpPolicyRule")];
  const loaded = performance.now();
  const settings = { apiKey: "a-key", baseUrl: "http://127.0.0.1:9" };
  const config = { get: (key) => settings[key.replace("tunnel-gateway:", "")] };
  const preview = async (each, id, args) => {
    await each.configure({ config });
    const { inputs, failures = [] } = await each.check(args, args);
    const { changes } = await each.diff(id, { ...inputs, __args: Object.keys(args) }, inputs);
    if (failures.length > 0 || changes) throw new Error("a change: " + JSON.stringify({ failures, changes }));
  };
  const rules = Array.from({ length: ${count - 1} }, (_, i) =>
    preview(rule, "ipr_" + i, { ipPolicyId: "ipp_1", cidr: "10." + i + ".0.0/16", action: "allow", description: "d" }));
  Promise.all([preview(policy, "ipp_1", { description: "bench" }), ...rules]).then(() => {
    console.log(JSON.stringify([loaded - start, performance.now() - loaded]));
    process.exit();
  });
`;

/** Milliseconds of the package in Pulumi's plugin for dynamic resources, in fresh processes. */
async function pluginTimes(dir, count, times) {
  const all = [];
  for (let i = 0; i < times; i++) {
    const { code, stdout, stderr } = await capture(process.execPath, ["-e", script(count)], { cwd: dir });
    if (code !== 0) throw new Error(`The hooks cannot be measured:\n${stderr}`);
    all.push(JSON.parse(stdout));
  }
  return { load: median(all.map(([load]) => load)), hooks: median(all.map(([, hooks]) => hooks)) };
}
