/** `emulator` in process: what it prints, and how it ends. */
import type { EmulatorOptions } from "../../../src/emulator";
import { onceAlone } from "../../../src/tools/cli/commands/emulator";
import { runCommandLine } from "../../support/command-line";
import { filesIn, temporaryFolder } from "../../support/folders";

// Not every machine can listen on an address of IPv6.
jest.mock("../../../src/emulator/index", () => {
  const actual = jest.requireActual<typeof import("../../../src/emulator/index")>(
    "../../../src/emulator/index",
  );
  const startEmulator = async ({ host, ...options }: EmulatorOptions) => {
    if (host !== "::") return actual.startEmulator({ host, ...options });
    const emulator = await actual.startEmulator(options);
    return { ...emulator, baseUrl: emulator.baseUrl.replace("127.0.0.1", "[::]") };
  };
  return { ...actual, startEmulator };
});

const signals = ["SIGINT", "SIGTERM"] as const;

/** Starts an emulator, and ends it. Its port is PORT in what it prints. */
async function emulated(words: string, env = {}, signal: NodeJS.Signals = "SIGINT") {
  const before = signals.map((each) => process.listeners(each));
  const args = ["emulator", "--port", "0", ...words.split(" ").filter(Boolean)];
  const { code, stdout, stderr } = await runCommandLine(args, env);
  const exit = jest.spyOn(process, "exit");
  const ended = new Promise((resolve) => exit.mockImplementation(resolve as never));
  process.emit(signal);
  const lines = stdout.replace(/:\d{4,5}\b/g, ":PORT").split("\n");
  const result = { code, stderr, lines, ended: await ended };
  exit.mockRestore();
  // A process has one emulator, which also listens for the other signal.
  for (const [i, each] of signals.entries())
    for (const listener of process.listeners(each))
      if (!before[i]!.includes(listener)) process.off(each, listener);
  return result;
}

it.each([
  ["", "http://127.0.0.1:PORT", "http://127.0.0.1:PORT", "emulator-key-not-a-secret"],
  ["--base-path /v1", "http://127.0.0.1:PORT/v1", "http://127.0.0.1:PORT/v1", "emulator-key-not-a-secret"],
  ["--host 0.0.0.0 --api-key own", "http://0.0.0.0:PORT", "http://127.0.0.1:PORT", "<your key>"],
  ["--host ::", "http://[::]:PORT", "http://[::1]:PORT", "<your key>"],
])("prints an address that programs accept, and no key of the user: %s", async (words, listens, url, key) => {
  const env = words === "--host ::" ? { TUNNEL_GATEWAY_EMULATOR_API_KEY: "own" } : {};
  for (const signal of signals)
    expect(await emulated(words, env, signal)).toEqual({
      ...{ code: 0, stderr: "", ended: 0 },
      lines: [
        `The emulator listens on ${listens}. Use it with:`,
        `  export TUNNEL_GATEWAY_BASE_URL=${url}`,
        `  export TUNNEL_GATEWAY_API_KEY=${key}`,
        "",
      ],
    });
});

it("begins with what the options name only where the file of the account does not exist, and says so", async () => {
  const file = filesIn(temporaryFolder("emulator"));
  const data = file("x", "").replace(/x$/, "data.json");
  const account = file("account.json", '{"ip_policies":[{"id":""}]}');
  const seed = file("seed.json", "{}");
  const words = `--data ${data} --account ${account}`;
  const [first, again] = [await emulated(words), await emulated(`${words} --seed ${seed}`)];
  expect([first.stderr, first.lines.length]).toEqual([
    `${account}: ip_policies[0] is left out: it has no id\n`,
    4,
  ]);
  const unused = (what: string) =>
    `${data} exists: the account is that of the file, and the ${what} is not used`;
  expect([again.stderr, ...again.lines.slice(0, 2)]).toEqual([
    ...["", unused(`copy ${account}`), unused(`seed ${seed}`)],
  ]);
});

it("ends the emulator once when its parent is another process, and not before", () => {
  jest.useFakeTimers();
  let parent = 7;
  const end = jest.fn();
  onceAlone(() => parent, end);
  jest.advanceTimersByTime(5_000);
  expect(end).not.toHaveBeenCalled();
  parent = 1;
  jest.advanceTimersByTime(5_000);
  expect(end).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});
