import type { Command } from "commander";
import type { Client } from "../../account/client";
import type { RollOutProgress, RollOutReport } from "../../agents/roll-out";
import type { TunnelSession } from "../../functions/tunnel-sessions";
import type { AccountFlags } from "../command";
import { ToldFailure, UsageError, exitCode, integer, newCommand, withAccount, withOutput } from "../command";
import { canConfirm, confirm } from "../confirm";
import type { ConfirmFlags } from "../confirm";
import { clear, note, status } from "../progress";
import type { SessionFlags } from "./sessions";
import { sessionFilters, withSessionFilters } from "./sessions";

interface Flags extends AccountFlags, SessionFlags, ConfirmFlags {
  all?: boolean;
  concurrency: number;
  stopAfterFailures: number;
  wait: number;
  follow: number;
  poll: number;
}

/** `tunnel-gateway sessions roll-out`. */
export function rollOutCommand(): Command {
  const command = newCommand("roll-out")
    .summary("update and restart many agents, few at a time")
    .description(
      "Updates agents, restarts each at least 10 seconds later, and follows it to its new session. After the " +
        "first failures no further agent is begun. No command is sent twice; Windows agents are left alone.",
    )
    .argument("[ids...]", "the agents' sessions, ts_…")
    .option("--all", "all agents that are online")
    .option("--concurrency <number>", "how many at once", integer(1, 1000), 1)
    .option(
      "--stop-after-failures <number>",
      "begin no further agent after so many",
      integer(1, 1_000_000),
      1,
    )
    .option("--wait <seconds>", "between update and restart", integer(10, 86_400), 10)
    .option("--follow <seconds>", "how long to wait for an agent's new session", integer(0, 86_400), 120)
    .option("--poll <seconds>", "between two looks at the list of sessions", integer(1, 3600), 5)
    .option("--yes", "do not ask first");
  return withAccount(withOutput(withSessionFilters(command)))
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ tunnel-gateway sessions roll-out --all --concurrency 3
  $ tunnel-gateway sessions roll-out --os linux --agent-version '3.1.*' --limit 5 --yes --json

An interrupt (Ctrl-C) begins no further agent and sees through those that are under way; a second one ends at once.`;

async function run(ids: string[], flags: Flags): Promise<void> {
  const filters = sessionFilters(flags);
  const ways = [ids.length > 0, flags.all === true, filters.length > 0].filter(Boolean);
  if (ways.length !== 1) throw new UsageError("say which agents: ids of sessions, or filters, or --all");
  canConfirm(flags);
  const { connect } = await import("../connect.js");
  const { read, filterOf } = await import("../objects.js");
  const { tunnelSessions } = await import("../../functions/tunnel-sessions.js");
  filterOf(tunnelSessions.readable, filters);
  const client = await connect(flags);
  const chosen =
    ids.length > 0
      ? ids
      : (
          await read<TunnelSession>(client, tunnelSessions.readable, undefined, { ...flags, filter: filters })
        ).map(({ id }) => id);
  if (chosen.length === 0) throw new Error("no agent that is online matches");
  const agents = chosen.length === 1 ? "1 agent" : `${chosen.length} agents`;
  await confirm(flags, `Update and restart ${agents}, ${flags.concurrency} at a time?`);
  const report = await rolledOut(client, chosen, flags);
  await print(report, flags);
  if (!report.ok) throw new ToldFailure();
}

async function rolledOut(client: Client, ids: string[], flags: Flags): Promise<RollOutReport> {
  const { rollOutWith } = await import("../../agents/roll-out.js");
  const { concurrency, stopAfterFailures, wait, follow, poll } = flags;
  const stop = new AbortController();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    note("Interrupted: no further agent is begun. Interrupt again to end at once.");
    stop.abort();
  };
  process.on("SIGINT", interrupted);
  try {
    return await rollOutWith(client, ids, {
      concurrency,
      stopAfterFailures,
      waitSeconds: wait,
      followSeconds: follow,
      pollSeconds: poll,
      signal: stop.signal,
      onProgress: tell,
    });
  } finally {
    process.off("SIGINT", interrupted);
    clear();
  }
}

function tell({ session, event, done, total }: RollOutProgress): void {
  const line = `${done} of ${total} done; ${session.id}: ${event}`;
  if (process.stderr.isTTY) status(line);
  else note(line);
}

async function print(report: RollOutReport, flags: Flags): Promise<void> {
  const { printJson, printTable } = await import("../output.js");
  if (flags.json) return printJson(report);
  printTable(
    ["id", "outcome", "newSession", "agentVersion", "message"],
    report.sessions.map(({ session, outcome, newSession, step, message }) => [
      session.id,
      outcome,
      newSession?.id,
      newSession ? `${session.agentVersion} → ${newSession.agentVersion}` : session.agentVersion,
      step === undefined ? message : `${step}: ${message}`,
    ]),
  );
}
