import { capture } from "../process.mjs";
import { median } from "./statistics.mjs";

const script = (entry) => `
  const start = performance.now();
  require("@pulumi/pulumi");
  const between = performance.now();
  require("pulumi-tunnel-gateway${entry}");
  console.log(JSON.stringify([between - start, performance.now() - between]));
`;

/** Milliseconds that an entry of the package takes to load after @pulumi/pulumi, and that the latter takes, in fresh processes. */
export async function importTimes(dir, times, entry = "") {
  const all = [];
  for (let i = 0; i < times; i++) {
    const { code, stdout, stderr } = await capture(process.execPath, ["-e", script(entry)], { cwd: dir });
    if (code !== 0) throw new Error(`The package cannot be imported:\n${stderr}`);
    all.push(JSON.parse(stdout));
  }
  return { times, pulumi: median(all.map(([first]) => first)), own: median(all.map(([, second]) => second)) };
}
