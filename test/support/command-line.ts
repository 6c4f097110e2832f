/** The package's command line in the process of the test: what a process of its own prints and exits with. */
import { main } from "../../src/tools/cli/main";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const streams = ["stdin", "stdout", "stderr"] as const;

/** Runs `tunnel-gateway` with these arguments. `env` are its only settings, and only `terminals` are terminals. */
export async function runCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminals: readonly (typeof streams)[number][] = [],
): Promise<Ended> {
  const text = { stdout: "", stderr: "" };
  const before = { ...process.env };
  const were = streams.map((name) => Object.getOwnPropertyDescriptor(process[name], "isTTY"));
  const spies = [
    ...(["stdout", "stderr"] as const).map((name) =>
      jest.spyOn(process[name], "write").mockImplementation((chunk) => {
        text[name] += String(chunk);
        return true;
      }),
    ),
    // Jest replaces the console, which would write to these streams.
    jest.spyOn(console, "log").mockImplementation((line) => void (text.stdout += `${String(line)}\n`)),
    jest.spyOn(console, "error").mockImplementation((line) => void (text.stderr += `${String(line)}\n`)),
  ];
  for (const name of Object.keys(process.env))
    if (name.startsWith("TUNNEL_GATEWAY_")) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  for (const name of streams)
    Object.defineProperty(process[name], "isTTY", { value: terminals.includes(name), configurable: true });
  try {
    process.exitCode = undefined;
    await main(args);
    return { code: Number(process.exitCode ?? 0), ...text };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
    process.env = before;
    for (const [i, name] of streams.entries())
      if (were[i]) Object.defineProperty(process[name], "isTTY", were[i]);
      else Reflect.deleteProperty(process[name], "isTTY");
  }
}
