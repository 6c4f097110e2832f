import type { Command } from "commander";
import type { Client } from "../../account/client";
import type { TunnelSession } from "../../resources";
import type { AccountFlags, OutputFlags } from "../command";
import { newCommand, withAccount, withOutput } from "../command";
import { confirm, requireConfirmable } from "../confirm";
import type { ConfirmFlags } from "../confirm";
import { sessionFilters, withSessionFilters } from "../session-filters";
import type { SessionFlags } from "../session-filters";
import { rollOutCommand } from "./roll-out";

/** `tunnel-gateway sessions`. */
export function sessionsCommand(): Command {
  return newCommand("sessions")
    .summary("list, restart, stop and update agents that are online")
    .description("Lists the tunnel sessions of the agents that are online, and sends commands to the agents.")
    .addCommand(listSessions())
    .addCommand(showSession())
    .addCommand(restartSession())
    .addCommand(stopSession())
    .addCommand(updateSession())
    .addCommand(rollOutCommand());
}

function listSessions(): Command {
  const command = newCommand("list").description("Lists the tunnel sessions that are online.");
  return withAccount(withOutput(withSessionFilters(command)))
    .option("--columns <fields>", "the columns of the table beside the id, such as ip,metadata")
    .addHelpText("after", "\nExample:\n  $ tunnel-gateway sessions list --os linux --agent-version '3.1.*'")
    .action(async (flags: AccountFlags & SessionFlags) => {
      const { collectionOf } = await import("../collections.js");
      const { listObjects } = await import("../objects.js");
      const sessions = collectionOf("tunnel-sessions", "lists");
      await listObjects(sessions, undefined, { ...flags, filter: sessionFilters(flags) });
    });
}

function showSession(): Command {
  return withAccount(withOutput(newCommand("show").description("Shows one tunnel session.")))
    .argument("<id>", "the tunnel session, ts_…")
    .action(async (id: string, flags: AccountFlags & OutputFlags) => {
      const { printObject } = await import("../objects.js");
      const { declarationOf } = await import("../../resources/registry.js");
      printObject(declarationOf("TunnelSession"), await sessionOf(await connected(flags), id), flags);
    });
}

type CommandFlags = AccountFlags & OutputFlags & ConfirmFlags;

function restartSession(): Command {
  const command = newCommand("restart")
    .description(
      "Restarts an agent. It comes back with a new session. Agents on Windows cannot restart themselves.",
    )
    .argument("<id>", "the agent's tunnel session, ts_…")
    .option("--yes", "do not ask for confirmation");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    requireConfirmable(flags);
    const client = await connected(flags);
    const session = await sessionOf(client, id);
    const { isWindows, restart } = await import("../../agents/commands.js");
    // A restart that is refused anyway needs no confirmation.
    if (!isWindows(session.os)) await confirmFor(session, "Restart", flags);
    await restart(client, session);
    const line = `Sent the restart to the agent of ${id}. The agent comes back with a new session.`;
    await printSent(flags, "restart", id, line);
  });
}

function stopSession(): Command {
  const command = newCommand("stop")
    .description("Stops an agent. It exits, and must be started again on its host.")
    .argument("<id>", "the agent's tunnel session, ts_…")
    .option("--yes", "do not ask for confirmation");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    requireConfirmable(flags);
    const client = await connected(flags);
    const { command } = await import("../../agents/commands.js");
    if (!flags.yes) await confirmFor(await sessionOf(client, id), "Stop", flags);
    await command(client, id, "stop");
    await printSent(flags, "stop", id, `Sent the stop to the agent of ${id}.`);
  });
}

function updateSession(): Command {
  const command = newCommand("update")
    .description(
      "Tells an agent to update itself, never to a new major version. The new code runs after a restart, which " +
        "must be at least 10 seconds later. `sessions roll-out` does both.",
    )
    .argument("<id>", "the agent's tunnel session, ts_…");
  return withAccount(withOutput(command)).action(async (id: string, flags: CommandFlags) => {
    const client = await connected(flags);
    const { command } = await import("../../agents/commands.js");
    await command(client, id, "update");
    const line = `Sent the update to the agent of ${id}; restart it in 10 seconds or later.`;
    await printSent(flags, "update", id, line);
  });
}

async function connected(flags: AccountFlags): Promise<Client> {
  return (await import("../connect.js")).connect(flags);
}

async function sessionOf(client: Client, id: string): Promise<TunnelSession> {
  const { one } = await import("../../account/objects.js");
  const { declarationOf } = await import("../../resources/registry.js");
  return one<TunnelSession>(client, declarationOf("TunnelSession"), id);
}

async function confirmFor(session: TunnelSession, verb: string, flags: CommandFlags): Promise<void> {
  const { escapeControls } = await import("../../text/terminal.js");
  const { id, os, ip, agentVersion } = session;
  const agent = escapeControls(`${os}, ${ip}, version ${agentVersion}`);
  await confirm(flags, `${verb} the agent of ${id} (${agent})?`);
}

async function printSent(flags: OutputFlags, command: string, id: string, line: string): Promise<void> {
  const { printJson, printLine } = await import("../output.js");
  if (flags.json) printJson({ id, command });
  else printLine(line);
}
