import type { Command } from "commander";
import type { AccountClient } from "../../account/client";
import { one } from "../../account/objects";
import { command as send, isWindows, restart } from "../../agents/commands";
import type { TunnelSession } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { newCommand, withAccount, withOutput } from "../command";
import type { AccountFlags, OutputFlags } from "../command";
import { connect } from "../input/connect";
import { sessionFilters, withSessionFilters } from "../options";
import type { SessionFlags } from "../options";
import { confirm, requireConfirmable, withConfirmation } from "../terminal/confirm";
import type { ConfirmFlags } from "../terminal/confirm";
import { printJson, printLine } from "../terminal/output";
import { listObjects, printObject } from "../work/objects";
import { rollOutCommand } from "./roll-out";

const sessions = declarationOf("TunnelSession");

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

function updateSession(): Command {
  const command = newCommand("update").description(
    "Updates an agent, never to a new major version. The new code runs after a restart, which " +
      "must be at least 10 seconds later. `sessions roll-out` does both.",
  );
  return toAgent(command, async (id, flags) => {
    await send(await connect(flags), id, "update");
    return `Sent the update to the agent of ${id}; restart it in 10 seconds or later.`;
  });
}

function sessionOf(client: AccountClient, id: string): Promise<TunnelSession> {
  return one<TunnelSession>(client, sessions, id);
}

async function confirmFor(session: TunnelSession, verb: string, flags: CommandFlags): Promise<void> {
  const { id, os, ip, agentVersion } = session;
  await confirm(flags, `${verb} the agent of ${id} (${os}, ${ip}, version ${agentVersion})?`);
}
