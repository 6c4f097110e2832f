import type { Command } from "commander";
import type { AccountClient } from "../../account/client";
import { rollOutWith } from "../../agents/roll-out";
import type { RollOutProgress, RollOutReport } from "../../agents/roll-out";
import type { TunnelSession } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { counted } from "../../text/phrase";
import {
  ReportedFailure,
  UsageError,
  exitCode,
  integer,
  newCommand,
  withAccount,
  withOutput,
} from "../command";
import type { AccountFlags } from "../command";
import { connect } from "../input/connect";
import { sessionFilters, withSessionFilters } from "../options";
import type { SessionFlags } from "../options";
import { confirm, requireConfirmable, withConfirmation } from "../terminal/confirm";
import type { ConfirmFlags } from "../terminal/confirm";
import { printJson, printTable } from "../terminal/output";
import { clear, note, status } from "../terminal/progress";
import { filterOf, read } from "../work/objects";

const sessions = declarationOf("TunnelSession");

interface Flags extends AccountFlags, SessionFlags, ConfirmFlags {
  all?: boolean;
  concurrency: number;
  stopAfterFailures: number;
  wait: number;
  follow: number;
  poll: number;
  strict?: boolean;
  resume?: boolean;
  updateOnly?: boolean;
}

export function rollOutCommand(): Command {
  const command = newCommand("roll-out")
    .summary("update and restart many agents, a few at a time")
    .description(
      "Updates agents, restarts each at least 10 seconds later, and waits for its new session. After failures it " +
        "starts no more agents. No command is sent twice. Agents on Windows are skipped. An agent counts as " +
        "updated if it returns with another version.",
    )
    .argument("[ids...]", "the tunnel sessions of the agents, ts_…")
    .option("--all", "all agents that are online")
    .option("--concurrency <number>", "how many agents at the same time", integer(1, 1000), 1)
    .option(
      "--stop-after-failures <number>",
      "start no more agents after this many failures",
      integer(1, 1_000_000),
      1,
    )
    .option("--strict", "count a refused update as a failure")
    .option("--resume", "restart agents whose update is refused: an earlier roll-out may have updated them")
    .option("--update-only", "send the update and no restart; also to agents on Windows")
    .option("--wait <seconds>", "time between update and restart, at least 10", integer(10, 86_400), 10)
    .option("--follow <seconds>", "how long to wait for an agent's new session", integer(0, 86_400), 120)
    .option("--poll <seconds>", "time between two reads of the list of sessions", integer(1, 3600), 5);
  return withAccount(withOutput(withSessionFilters(withConfirmation(command))))
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ tunnel-gateway sessions roll-out --all --concurrency 3
  $ tunnel-gateway sessions roll-out --os linux --agent-version '3.1.*' --limit 5 --yes --json

After an interrupt (Ctrl-C) the command starts no more agents and finishes those that it has started. A
second interrupt ends it at once.`;

async function run(ids: string[], flags: Flags): Promise<void> {
  const filters = sessionFilters(flags);
  const choices = [ids.length > 0, flags.all === true, filters.length > 0].filter(Boolean);
  if (choices.length !== 1)
    throw new UsageError("choose the agents by ids of sessions, by filters, or with --all");
  requireConfirmable(flags);
  filterOf(sessions, filters);
  const client = await connect(flags);
  const chosen = ids.length > 0 ? ids : await matchingSessions(client, filters, flags);
  if (chosen.length === 0) throw new Error("no agent that is online matches");
  const agents = counted(chosen.length, "agent");
  await confirm(
    flags,
    `${flags.updateOnly ? "Update" : "Update and restart"} ${agents}, ${flags.concurrency} at a time?`,
  );
  const report = await rollOut(client, chosen, flags);
  print(report, flags);
  if (!report.ok) throw new ReportedFailure();
}

async function matchingSessions(client: AccountClient, filter: string[], flags: Flags): Promise<string[]> {
  const found = await read<TunnelSession>(client, sessions, undefined, { ...flags, filter });
  return found.map(({ id }) => id);
}

async function rollOut(client: AccountClient, ids: string[], flags: Flags): Promise<RollOutReport> {
  const { concurrency, stopAfterFailures, wait, follow, poll, strict, resume, updateOnly } = flags;
  const stop = new AbortController();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    note("Interrupted: no more agents are started. Interrupt again to end at once.");
    stop.abort();
  };
  process.on("SIGINT", interrupted);
  try {
    return await rollOutWith(client, ids, {
      concurrency,
      stopAfterFailures,
      ...{ strict, resume, updateOnly },
      waitSeconds: wait,
      followSeconds: follow,
      pollSeconds: poll,
      signal: stop.signal,
      onProgress: reportProgress,
    });
  } finally {
    process.off("SIGINT", interrupted);
    clear();
  }
}

function reportProgress({ session, event, done, total }: RollOutProgress): void {
  const line = `${done} of ${total} done; ${session.id}: ${event}`;
  if (process.stderr.isTTY) status(line);
  else note(line);
}

function print(report: RollOutReport, flags: Flags): void {
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
