import { capture } from "../process.mjs";
import { median } from "./statistics.mjs";

const script = (entry) => `
  const start = performance.now();
  require("@pulumi/pulumi");
  const between = performance.now();
  require("pulumi-tunnel-gateway${entry}");
  console.log(JSON.stringify([between - start, performance.now() - between]));
`;

/**
 * Milliseconds that an entry of the package takes to load after @pulumi/pulumi, and that the latter takes, in fresh processes
 * in the project; beside the package of an `earlier` one, where there is one, in turns.
 */
export async function importTimes({ own: project, earlier }, times, entry = "") {
  const all = { own: [], pulumi: [], earlier: [] };
  for (let i = 0; i < times; i++) {
    const [pulumi, own] = await timesIn(project, entry);
    all.pulumi.push(pulumi);
    all.own.push(own);
    if (earlier !== undefined) all.earlier.push((await timesIn(earlier, entry))[1]);
  }
  const [pulumi, own] = [median(all.pulumi), median(all.own)];
  return { times, pulumi, own, ...(earlier && { earlier: { own: median(all.earlier) } }) };
}

async function timesIn(project, entry) {
  const { code, stdout, stderr } = await capture(process.execPath, ["-e", script(entry)], { cwd: project });
  if (code !== 0) throw new Error(`The package cannot be imported:\n${stderr}`);
  return JSON.parse(stdout);
}
