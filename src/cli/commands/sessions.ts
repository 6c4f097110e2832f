import type { Command } from "commander";
import type { AccountClient } from "../../account/account-client";
import { one } from "../../account/read-objects";
import { command as send, isWindows, restart } from "../../agents/commands";
import type { TunnelSession } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { counted } from "../../text/phrase";
import { updateAll } from "../../agents/update";
import {
  ReportedFailure,
  UsageError,
  exitCode,
  integer,
  newCommand,
  withAccount,
  withOutput,
} from "../command";
import type { AccountFlags, OutputFlags } from "../command";
import { connect } from "../input/connect";
import { sessionFilters, withSessionFilters } from "../options";
import type { SessionFlags } from "../options";
import { confirm, requireConfirmable, withConfirmation } from "../terminal/confirm";
import type { ConfirmFlags } from "../terminal/confirm";
import { printJson, printLine, printTable } from "../terminal/output";
import { note } from "../terminal/progress";
import { filterOf, listObjects, printObject, read } from "../work/objects";

const sessions = declarationOf("TunnelSession");

export function sessionsCommand(): Command {
  return newCommand("sessions")
    .summary("list, restart, stop and update agents that are online")
    .description("Lists the tunnel sessions of the agents that are online, and sends commands to the agents.")
    .addCommand(listSessions())
    .addCommand(showSession())
    .addCommand(restartSession())
    .addCommand(stopSession())
    .addCommand(updateSessions());
}

function listSessions(): Command {
  const command = newCommand("list").description("Lists the tunnel sessions that are online.");
  return withAccount(withOutput(withSessionFilters(command)))
    .option("--columns <fields>", "the columns of the table in addition to the id, such as ip,metadata")
    .addHelpText("after", "\nExample:\n  $ tunnel-gateway sessions list --os linux --agent-version '3.1.*'")
    .action((flags: AccountFlags & SessionFlags) =>
      listObjects(sessions, undefined, { ...flags, filter: sessionFilters(flags) }),
    );
}

function showSession(): Command {
  return withAccount(withOutput(newCommand("show").description("Shows one tunnel session.")))
    .argument("<id>", "the tunnel session, ts_…")
    .action(async (id: string, flags: AccountFlags & OutputFlags) =>
      printObject(sessions, await sessionOf(await connect(flags), id), flags),
    );
}

type CommandFlags = AccountFlags & OutputFlags & ConfirmFlags;

/** A command to one agent. `sent` sends it, and returns the line that reports it. */
function toAgent(command: Command, sent: (id: string, flags: CommandFlags) => Promise<string>): Command {
  return withAccount(withOutput(command))
    .argument("<id>", "the agent's tunnel session, ts_…")
    .action(async (id: string, flags: CommandFlags) => {
      const line = await sent(id, flags);
      if (flags.json) printJson({ id, command: command.name() });
      else printLine(line);
    });
}

function restartSession(): Command {
  const command = newCommand("restart").description(
    "Restarts an agent. It returns with a new session. Agents on Windows cannot restart themselves.",
  );
  return toAgent(withConfirmation(command), async (id, flags) => {
    requireConfirmable(flags);
    const client = await connect(flags);
    const session = await sessionOf(client, id);
    // A restart that is refused anyway needs no confirmation.
    if (!isWindows(session.os)) await confirmFor(session, "Restart", flags);
    await restart(client, session);
    return `Sent the restart to the agent of ${id}. The agent returns with a new session.`;
  });
}

function stopSession(): Command {
  const description = "Stops an agent. It exits, and must be started again on its host.";
  return toAgent(withConfirmation(newCommand("stop").description(description)), async (id, flags) => {
    requireConfirmable(flags);
    const client = await connect(flags);
    if (!flags.yes) await confirmFor(await sessionOf(client, id), "Stop", flags);
    await send(client, id, "stop");
    return `Sent the stop to the agent of ${id}.`;
  });
}

interface UpdateFlags extends CommandFlags, SessionFlags {
  all?: boolean;
  restart?: boolean;
  wait: number;
  follow: number;
}

function updateSessions(): Command {
  const command = newCommand("update")
    .summary("update agents, one after another, and restart them")
    .description(
      "Updates agents, one after another, never to a new major version. The new version runs after a restart: with " +
        "--restart the command restarts each agent, waits for its new session, and says what it saw. An agent whose " +
        "update is refused is not restarted. After a failure the command updates no further agent.",
    )
    .argument("[ids...]", "the tunnel sessions of the agents, ts_…")
    .option("--all", "all agents that are online")
    .option("--restart", "restart each agent after its update; not on Windows")
    .option("--wait <seconds>", "time between update and restart, at least 10", integer(10, 86_400), 10)
    .option("--follow <seconds>", "how long to wait for an agent's new session", integer(0, 86_400), 120);
  return withAccount(withOutput(withSessionFilters(withConfirmation(command))))
    .addHelpText("after", updateHelp)
    .action(update);
}

const updateHelp = `
Examples:
  $ tunnel-gateway sessions update ts_2JXU
  $ tunnel-gateway sessions update --os linux --agent-version '3.1.*' --restart --yes --json

After an interrupt (Ctrl-C) the command updates no further agent, and finishes its work on the current one. A second
interrupt ends it at once.`;

async function update(ids: string[], flags: UpdateFlags): Promise<void> {
  const filter = sessionFilters(flags);
  if ([ids.length > 0, flags.all === true, filter.length > 0].filter(Boolean).length !== 1)
    throw new UsageError("choose the agents by ids of sessions, by filters, or with --all");
  if (flags.restart) requireConfirmable(flags);
  filterOf(sessions, filter);
  const client = await connect(flags);
  const chosen =
    ids.length > 0
      ? ids
      : (await read<TunnelSession>(client, sessions, undefined, { ...flags, filter })).map(({ id }) => id);
  if (chosen.length === 0) throw new Error("no agent that is online matches");
  if (flags.restart) await confirm(flags, `Update and restart ${counted(chosen.length, "agent")}?`);
  const results = await withInterrupt((signal) =>
    updateAll(client, chosen, {
      ...{ restart: flags.restart, waitSeconds: flags.wait, followSeconds: flags.follow, signal },
      onProgress: ({ id }, index, total) => note(`${index} of ${total}: ${id}`),
    }),
  );
  if (flags.json) printJson(results);
  else
    printTable(
      ["id", "outcome", "agentVersion", "message"],
      results.map(({ session, outcome, message }) => [session.id, outcome, session.agentVersion, message]),
    );
  if (results.some(({ outcome }) => outcome === "failed" || outcome === "notStarted"))
    throw new ReportedFailure();
}

/** The first interrupt aborts the work, and the second one ends the command. */
async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    note("Interrupted: no further agent is updated. Interrupt again to end at once.");
    stop.abort();
  };
  process.on("SIGINT", interrupted);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", interrupted);
  }
}

function sessionOf(client: AccountClient, id: string): Promise<TunnelSession> {
  return one<TunnelSession>(client, sessions, id);
}

async function confirmFor(session: TunnelSession, verb: string, flags: CommandFlags): Promise<void> {
  const { id, os, ip, agentVersion } = session;
  await confirm(flags, `${verb} the agent of ${id} (${os}, ${ip}, version ${agentVersion})?`);
}
