/** Several calls of the Pulumi CLI at once; a script stands in for it. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { InterruptedError, isPulumiRunning, pulumi } from "../../../src/tools/stack/pulumi";
import type { PulumiError } from "../../../src/tools/stack/pulumi";
import { failureOf } from "../../support/failure";
import { until } from "../../support/until";
import { temporaryFolder } from "../../support/folders";

const folder = temporaryFolder("pulumi");
beforeAll(() => {
  const script = `#!/bin/sh\ntrap 'echo interrupted; exit 1' INT\necho "$1"\n[ "$1" = fail ] && echo "$2" >&2 && exit 6\n[ "$1" = export ] && echo "token plain-secret" && exit 6\n[ "$1" = wait ] && echo "$1" >>"$2" && while :; do sleep 0.05; done\n[ "$1" = launch ] && { { echo >"$2"; while [ -e "$2" ]; do sleep 0.05; done; } >/dev/null 2>&1 & wait; }\nexit 0\n`;
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
});

const env = () => ({ PATH: `${folder}${delimiter}${process.env.PATH}` });

it("listens for interrupts once, however many calls run", async () => {
  const before = process.listenerCount("SIGINT");
  const calls = Array.from({ length: 15 }, (_, i) => pulumi([`call-${i}`], { env: env() }));
  expect(process.listenerCount("SIGINT")).toBe(before + 1);
  expect((await Promise.all(calls)).map(({ stdout }) => stdout)).toEqual(
    Array.from({ length: 15 }, (_, i) => `call-${i}\n`),
  );
  expect(process.listenerCount("SIGINT")).toBe(before);
});

it("passes an interrupt to all calls that run, and each fails with it", async () => {
  const started = join(folder, "started");
  const calls = Array.from({ length: 3 }, () => pulumi(["wait", started], { env: env() }));
  const outcomes = Promise.allSettled(calls);
  await until(() => existsSync(started) && readFileSync(started, "utf8") === "wait\n".repeat(3));
  process.emit("SIGINT");
  const reasons = (await outcomes).map((each) =>
    each.status === "rejected" ? (each.reason as Error) : each,
  );
  for (const reason of reasons) expect(reason).toBeInstanceOf(InterruptedError);
  expect(isPulumiRunning()).toBe(false);
});

it("ends after an interrupt when the whole CLI has ended, and not with its launcher", async () => {
  const running = join(folder, "running");
  const events: string[] = [];
  const launched = (message: unknown): void => {
    const { process: launcher } = message as { process: ChildProcess };
    launcher.on("close", () => events.push("the launcher ends"));
  };
  subscribe("child_process", launched);
  const call = failureOf(pulumi(["launch", running], { env: env() })).finally(() =>
    events.push("the call ends"),
  );
  unsubscribe("child_process", launched);
  await until(() => existsSync(running));
  process.emit("SIGINT");
  await until(() => events.includes("the launcher ends"));
  events.push("the CLI may end");
  rmSync(running);
  expect(await call).toBeInstanceOf(InterruptedError);
  expect(events).toEqual(["the launcher ends", "the CLI may end", "the call ends"]);
});

it("quotes nothing of a failed call that was to print secrets in plaintext", async () => {
  const failure = await failureOf<PulumiError>(pulumi(["export", "--show-secrets"], { env: env() }));
  expect([failure.message, failure.said, failure.output.stdout]).toEqual([
    "pulumi export ended with exit code 6",
    "exit code 6",
    "",
  ]);
});

it("masks a private key in what the CLI says", async () => {
  const said = "error: -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- is wrong";
  const failure = await failureOf<PulumiError>(pulumi(["fail", said], { env: env() }));
  expect(failure.message).toBe("pulumi fail ended with exit code 6: error: [secret] is wrong");
});

it.each([
  [
    "error: no stack named 'prod' found",
    ". Correct --stack: `pulumi stack ls` lists the stacks of the project",
  ],
  [
    "error: no Pulumi.yaml project file found (searching upwards from ).",
    " Run the command in the folder of Pulumi.yaml, or name that folder with --cwd",
  ],
  [
    "error: if you're using the --stack flag, pass the fully qualified name (organization/project/stack)",
    ". Run the command in the folder of Pulumi.yaml, or name that folder with --cwd",
  ],
  ["error: incorrect passphrase", ""],
])("says what to do where the CLI says: %s", async (said, advice) => {
  const failure = await failureOf<PulumiError>(pulumi(["fail", said], { env: env() }));
  expect([failure.message, failure.reason, failure.said]).toEqual([
    `pulumi fail ended with exit code 6: ${said}${advice}`,
    said + advice,
    said,
  ]);
});
