/** The native provider's process: a server for the engine at the address in the arguments. Prints its port. */
import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { engineAddress } from "../dynamic/engine";
import { startPlugin } from "../dynamic/hooks";
import { serve } from "./server";

async function main(): Promise<void> {
  const schema = (): string => readFileSync(join(__dirname, "schema.json"), "utf8");
  process.stdout.write(`${(await serve(engineAddress(process.argv), schema)).port}\n`);
  startPlugin(0);
  flushCompileCache(); // Pulumi kills the process at the end
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
