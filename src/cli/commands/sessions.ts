import type { Command } from "commander";
import type { Client } from "../../account/client";
import type { TunnelSession } from "../../functions/tunnel-sessions";
import type { AccountFlags, OutputFlags } from "../command";
import { newCommand, withAccount, withOutput } from "../command";
import { canConfirm, confirm } from "../confirm";
import type { ConfirmFlags } from "../confirm";
import type { ListFlags } from "../objects";
import { withFilters } from "./list";
import { rollOutCommand } from "./roll-out";

/** `tunnel-gateway sessions`. */
export function sessionsCommand(): Command {
  return newCommand("sessions")
    .summary("list the agents that are online, and command them")
    .description("Lists the tunnel sessions of the agents that are online, and commands the agents.")
    .addCommand(listSessions())
    .addCommand(showSession())
    .addCommand(restartSession())
    .addCommand(stopSession())
    .addCommand(updateSession())
    .addCommand(rollOutCommand());
}

/** The options that people look for sessions by. */
export function withSessionFilters(command: Command): Command {
  return withFilters(
    command
      .option("--os <text>", "only on this operating system")
      .option("--region <text>", "only in this region")
      .option("--agent-version <text>", "only of this version, such as 3.1.*")
      .option("--metadata <text>", "only with this metadata"),
  );
}

export interface SessionFlags extends ListFlags {
  os?: string;
  region?: string;
  agentVersion?: string;
  metadata?: string;
}

/** The flags as `field=value` texts. */
export function sessionFilters({ os, region, agentVersion, metadata, filter }: SessionFlags): string[] {
  const named = Object.entries({ os, region, agentVersion, metadata }).filter(
    ([, text]) => text !== undefined,
  );
  return [...named.map(([name, text]) => `${name}=${text}`), ...(filter ?? [])];
}

function listSessions(): Command {
  const command = newCommand("list").description("Lists the tunnel sessions that are online.");
  return withAccount(withOutput(withSessionFilters(command)))
    .option("--columns <fields>", "columns of the table beside the id, such as ip,metadata")
    .addHelpText("after", "\nExample:\n  $ tunnel-gateway sessions list --os linux --agent-version '3.1.*'")
    .action(async (flags: AccountFlags & SessionFlags) => {
      const { collectionOf } = await import("../collections.js");
      const { filterOf, judgeColumns, printList, read } = await import("../objects.js");
      const collection = collectionOf("tunnel-sessions", "lists");
      const filter = sessionFilters(flags);
      judgeColumns(collection.readable, flags);
      filterOf(collection.readable, filter);
      const client = await connected(flags);
      const found = await read(client, collection.readable, undefined, { ...flags, filter });
      printList(collection, found, flags);
    });
}

function showSession(): Command {
  return withAccount(withOutput(newCommand("show").description("Shows one tunnel session.")))
    .argument("<id>", "the session, ts_…")
    .action(async (id: string, flags: AccountFlags & OutputFlags) => {
      const { printObject } = await import("../objects.js");
      const { tunnelSessions } = await import("../../functions/tunnel-sessions.js");
      printObject(tunnelSessions.readable, await sessionOf(await connected(flags), id), flags);
    });
}

type CommandFlags = AccountFlags & OutputFlags & ConfirmFlags;

function restartSession(): Command {
  const command = newCommand("restart")
    .description(
      "Restarts an agent, which comes back with a new session. Agents on Windows cannot be restarted.",
    )
    .argument("<id>", "the agent's session, ts_…")
    .option("--yes", "do not ask first");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    canConfirm(flags);
    const client = await connected(flags);
    const session = await sessionOf(client, id);
    const { isWindows, restart } = await import("../../agents/commands.js");
    // What is refused anyway needs no question.
    if (!isWindows(session.os)) await agreed(flags, "Restart", session);
    await restart(client, session);
    await said(
      flags,
      "restart",
      id,
      `The agent of ${id} was told to restart; it comes back with a new session.`,
    );
  });
}

function stopSession(): Command {
  const command = newCommand("stop")
    .description("Stops an agent. It exits, and only whoever runs it can start it again.")
    .argument("<id>", "the agent's session, ts_…")
    .option("--yes", "do not ask first");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    canConfirm(flags);
    const client = await connected(flags);
    const { command } = await import("../../agents/commands.js");
    if (!flags.yes) await agreed(flags, "Stop", await sessionOf(client, id));
    await command(client, id, "stop");
    await said(flags, "stop", id, `The agent of ${id} was told to stop.`);
  });
}

function updateSession(): Command {
  const command = newCommand("update")
    .description(
      "Has an agent update itself, never to a new major version. The new code runs after a restart, at least " +
        "10 seconds later. `sessions roll-out` does both.",
    )
    .argument("<id>", "the agent's session, ts_…");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    const client = await connected(flags);
    const { command } = await import("../../agents/commands.js");
    await command(client, id, "update");
    await said(
      flags,
      "update",
      id,
      `The agent of ${id} was told to update; restart it in 10 seconds or later.`,
    );
  });
}

async function connected(flags: AccountFlags): Promise<Client> {
  return (await import("../connect.js")).connect(flags);
}

async function sessionOf(client: Client, id: string): Promise<TunnelSession> {
  const { one } = await import("../../account/readers.js");
  const { tunnelSessions } = await import("../../functions/tunnel-sessions.js");
  return one<TunnelSession>(client, tunnelSessions.readable, id);
}

async function agreed(flags: CommandFlags, verb: string, session: TunnelSession): Promise<void> {
  const { escapeControls } = await import("../../text/terminal.js");
  const { id, os, ip, agentVersion } = session;
  const agent = escapeControls(`${os}, ${ip}, version ${agentVersion}`);
  await confirm(flags, `${verb} the agent of ${id} (${agent})?`);
}

async function said(flags: OutputFlags, command: string, id: string, line: string): Promise<void> {
  const { printJson, printLine } = await import("../output.js");
  if (flags.json) printJson({ id, command });
  else printLine(line);
}
