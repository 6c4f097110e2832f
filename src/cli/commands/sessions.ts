import type { Command } from "commander";
import type { AccountClient } from "../../account/client";
import type { TunnelSession } from "../../resources";
import type { AccountFlags, OutputFlags } from "../command";
import { newCommand, withAccount, withOutput } from "../command";
import { confirm, requireConfirmable, withConfirmation } from "../terminal/confirm";
import type { ConfirmFlags } from "../terminal/confirm";
import { sessionFilters, withSessionFilters } from "../options";
import type { SessionFlags } from "../options";
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
    .option("--columns <fields>", "the columns of the table in addition to the id, such as ip,metadata")
    .addHelpText("after", "\nExample:\n  $ tunnel-gateway sessions list --os linux --agent-version '3.1.*'")
    .action(async (flags: AccountFlags & SessionFlags) => {
      const { collectionOf } = await import("../collections.js");
      const { listObjects } = await import("../work/objects.js");
      const sessions = collectionOf("tunnel-sessions", "lists");
      await listObjects(sessions, undefined, { ...flags, filter: sessionFilters(flags) });
    });
}

function showSession(): Command {
  return withAccount(withOutput(newCommand("show").description("Shows one tunnel session.")))
    .argument("<id>", "the tunnel session, ts_…")
    .action(async (id: string, flags: AccountFlags & OutputFlags) => {
      const { printObject } = await import("../work/objects.js");
      const { declarationOf } = await import("../../resources/registry.js");
      printObject(declarationOf("TunnelSession"), await sessionOf(await connected(flags), id), flags);
    });
}

type CommandFlags = AccountFlags & OutputFlags & ConfirmFlags;

/** A command to one agent. `send` returns the line that reports what was sent. */
function toAgent(command: Command, send: (id: string, flags: CommandFlags) => Promise<string>): Command {
  return withAccount(withOutput(command))
    .argument("<id>", "the agent's tunnel session, ts_…")
    .action(async (id: string, flags: CommandFlags) => {
      const line = await send(id, flags);
      const { printJson, printLine } = await import("../terminal/output.js");
      if (flags.json) printJson({ id, command: command.name() });
      else printLine(line);
    });
}

function restartSession(): Command {
  const command = newCommand("restart").description(
    "Restarts an agent. It comes back with a new session. Agents on Windows cannot restart themselves.",
  );
  return toAgent(withConfirmation(command), async (id, flags) => {
    requireConfirmable(flags);
    const client = await connected(flags);
    const session = await sessionOf(client, id);
    const { isWindows, restart } = await import("../../agents/commands.js");
    // A restart that is refused anyway needs no confirmation.
    if (!isWindows(session.os)) await confirmFor(session, "Restart", flags);
    await restart(client, session);
    return `Sent the restart to the agent of ${id}. The agent comes back with a new session.`;
  });
}

function stopSession(): Command {
  const description = "Stops an agent. It exits, and must be started again on its host.";
  return toAgent(withConfirmation(newCommand("stop").description(description)), async (id, flags) => {
    requireConfirmable(flags);
    const client = await connected(flags);
    const { command } = await import("../../agents/commands.js");
    if (!flags.yes) await confirmFor(await sessionOf(client, id), "Stop", flags);
    await command(client, id, "stop");
    return `Sent the stop to the agent of ${id}.`;
  });
}

function updateSession(): Command {
  const command = newCommand("update").description(
    "Tells an agent to update itself, never to a new major version. The new code runs after a restart, which " +
      "must be at least 10 seconds later. `sessions roll-out` does both.",
  );
  return toAgent(command, async (id, flags) => {
    const { command } = await import("../../agents/commands.js");
    await command(await connected(flags), id, "update");
    return `Sent the update to the agent of ${id}; restart it in 10 seconds or later.`;
  });
}

async function connected(flags: AccountFlags): Promise<AccountClient> {
  return (await import("../input/connect.js")).connect(flags);
}

async function sessionOf(client: AccountClient, id: string): Promise<TunnelSession> {
  const { one } = await import("../../account/objects.js");
  const { declarationOf } = await import("../../resources/registry.js");
  return one<TunnelSession>(client, declarationOf("TunnelSession"), id);
}

async function confirmFor(session: TunnelSession, verb: string, flags: CommandFlags): Promise<void> {
  const { id, os, ip, agentVersion } = session;
  await confirm(flags, `${verb} the agent of ${id} (${os}, ${ip}, version ${agentVersion})?`);
}
