import { Command, InvalidArgumentError } from "commander";

interface Options {
  port: number;
  data?: string;
  apiKey?: string;
  pageSize?: number;
}

/** `tunnel-gateway emulator`: the embedded emulator as a server of its own. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("Run the embedded emulator of the API, on this machine only, until it is interrupted")
    .option("--port <number>", "port to listen on; 0 takes any free one", integer(0, 65535), 8080)
    .option("--data <file>", "keep the account in this file, so that it outlives the process")
    .option("--api-key <token>", "token that it accepts; without it one for tests is printed")
    .option("--page-size <number>", "default and largest page of its lists", integer(1, 10_000))
    .action(run);
}

async function run(options: Options): Promise<void> {
  // Hono and zod are loaded by this command alone.
  const { startEmulator } = await import("../emulator/index.js");
  const emulator = await startEmulator({
    port: options.port,
    dataFile: options.data,
    apiKey: options.apiKey,
    pageSize: options.pageSize,
  });
  console.log(`The emulator listens on ${emulator.baseUrl}. Use it with:`);
  console.log(`  export TUNNEL_GATEWAY_BASE_URL=${emulator.baseUrl}`);
  console.log(
    `  export TUNNEL_GATEWAY_API_KEY=${options.apiKey === undefined ? emulator.apiKey : "<your --api-key>"}`,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void emulator.close().then(() => process.exit(0)));
  }
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
