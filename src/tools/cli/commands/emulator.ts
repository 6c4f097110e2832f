import { Option } from "commander";
import type { Command } from "commander";
import { existsSync } from "node:fs";
import type { EmulatorOptions, FaultPlan, Seed, Snapshot } from "../../../emulator/types";
import { UsageError, newCommand } from "../command";
import { escapeControls } from "../../../schema/text/escape";
import { jsonFile } from "../files";
import { integer } from "../shared-options";

/** The options of an emulator that runs beside a program. Tests start it as a library, with more options. */
interface Options extends Pick<
  EmulatorOptions,
  "port" | "host" | "basePath" | "apiKey" | "admin" | "undocumentedUpdates" | "requestsPerMinute"
> {
  data?: string;
  account?: string;
  seed?: string;
  faults?: string;
  latency?: number;
}

/** `tunnel-gateway emulator`: the embedded emulator as a separate server. */
export function command(): Command {
  return newCommand("emulator")
    .summary("run the embedded emulator of the API")
    .description(
      "Runs the embedded emulator of the API on this machine until it is interrupted. It follows the specification " +
        "and refuses everything else. Use it to try programs without an account.",
    )
    .option("--port <number>", "port to listen on; 0 takes any free one", integer(0, 65535), 8080)
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--base-path <path>", "path prefix of every operation, such as /api/v1")
    .option("--data <file>", "keep the account in this file")
    .option(
      "--account <file>",
      "begin with the account of this JSON file, as it is: answers of a service by list, such as GET /_emulator/state " +
        "returns them; not used if the file of --data exists",
    )
    .option(
      "--seed <file>",
      "fill a new account with the objects of this JSON file; not used if the file of --data exists",
    )
    .addOption(
      new Option(
        "--api-key <token>",
        "the token that it accepts (default: emulator-key-not-a-secret, which is public); required with a --host that " +
          "other machines reach. Other processes can read it: use the variable TUNNEL_GATEWAY_EMULATOR_API_KEY",
      ).env("TUNNEL_GATEWAY_EMULATOR_API_KEY"),
    )
    .option("--no-admin", "the token's user is not an administrator")
    .option("--undocumented-updates", "accept updates that the specification does not show")
    .option(
      "--requests-per-minute <number>",
      "refuse requests above this rate with 429",
      integer(1, 1_000_000),
    )
    .option("--latency <milliseconds>", "delay every answer", integer(0, 600_000))
    .option("--faults <file>", "inject the faults of this JSON file: {rules: [{kind, path, …}]}")
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ npx pulumi-tunnel-gateway emulator --data account.json
  $ npx pulumi-tunnel-gateway emulator --port 0 --requests-per-minute 120 --latency 50
  $ echo '{"rules":[{"kind":"dropAfter","method":"POST","path":"/ip_policies","times":1}]}' > faults.json
  $ npx pulumi-tunnel-gateway emulator --faults faults.json`;

async function run(options: Options): Promise<void> {
  // Only this command loads hono.
  const { InvalidOptionError, startEmulator } = await import("../../../emulator/index.js");
  const { data, latency, account, seed, faults, ...rest } = options;
  const isNew = data === undefined || !existsSync(data);
  const emulator = await startEmulator({
    ...rest,
    dataFile: data,
    latencyMs: latency,
    account: isNew ? (jsonFile("--account", account) as Snapshot | undefined) : undefined,
    seed: isNew ? (jsonFile("--seed", seed) as Seed | undefined) : undefined,
    faults: jsonFile("--faults", faults) as FaultPlan | undefined,
  }).catch((error: unknown) => {
    if (!(error instanceof InvalidOptionError)) throw error;
    const { option, message } = error;
    throw new UsageError(`${option === "host" ? "--host" : options[option]!}: ${message}`);
  });
  // A reader of the address may end the emulator at once, so the handlers are set first.
  const end = (): void => void emulator.close().then(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  if (process.env.npm_command === "exec") onceAlone(() => process.ppid, end);
  for (const line of emulator.leftOut) console.error(`${account}: ${escapeControls(line)}`);
  for (const unused of isNew ? [] : [account && `the copy ${account}`, seed && `the seed ${seed}`])
    if (unused !== undefined)
      console.log(`${data} exists: the account is that of the file, and ${unused} is not used`);
  console.log(`The emulator listens on ${emulator.baseUrl}. Use it with:`);
  console.log(`  export TUNNEL_GATEWAY_BASE_URL=${onThisMachine(emulator.baseUrl)}`);
  console.log(
    `  export TUNNEL_GATEWAY_API_KEY=${options.apiKey === undefined ? emulator.apiKey : "<your key>"}`,
  );
}

/**
 * Ends the command when npx, its parent, is gone. If a signal ends npx at once, npx does not forward it, and the emulator would
 * keep its port.
 * @param parent the id of the parent process now
 */
export function onceAlone(parent: () => number, end: () => void): void {
  const npx = parent();
  const timer = setInterval(() => {
    if (parent() === npx) return;
    clearInterval(timer);
    end();
  }, 500).unref();
}

/** The package uses http only with loopback addresses; the wildcard address is not one of them. */
function onThisMachine(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
