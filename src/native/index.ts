/** `pulumi-resource-tunnel-gateway`: Pulumi's engine starts it with its address and reads the port from stdout. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeProblem } from "../version";

async function main(): Promise<void> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  // What they load fails on an old Node.js.
  const [{ serve }, { outliveTheEngine }] = [await import("./server.js"), await import("../plugin/hooks.js")];
  outliveTheEngine();
  // The last argument; the address of a collector of traces may stand before it.
  const engine = process.argv.slice(2).findLast((argument) => /^(.+:)?\d+$/.test(argument));
  const schema = (): string => readFileSync(join(__dirname, "schema.json"), "utf8");
  process.stdout.write(`${(await serve(engine, schema)).port}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
