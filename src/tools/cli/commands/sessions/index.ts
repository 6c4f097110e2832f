import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { integer, withAccount, withFilters, withOutput } from "../../shared-options";
import { withConfirmation } from "../../terminal/confirm";

export function command(): Command {
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
  const list = newCommand("list").description("Lists the tunnel sessions that are online.");
  return withAccount(withOutput(withSessionFilters(list)))
    .option("--columns <fields>", "the columns of the table in addition to the id, such as ip,metadata")
    .addHelpText(
      "after",
      "\nExample:\n  $ npx pulumi-tunnel-gateway sessions list --os linux --agent-version '3.1.*'",
    )
    .action(lazily(async () => (await import("./run.js")).listSessions));
}

function showSession(): Command {
  return withAccount(withOutput(newCommand("show").description("Shows one tunnel session.")))
    .argument("<id>", "the tunnel session, ts_…")
    .action(lazily(async () => (await import("./run.js")).showSession));
}

function restartSession(): Command {
  const restart = newCommand("restart").description(
    "Restarts an agent. It returns with a new session. Agents on Windows cannot restart themselves.",
  );
  return withAgent(restart).action(lazily(async () => (await import("./run.js")).restartAgent));
}

function stopSession(): Command {
  const description = "Stops an agent. It exits, and must be started again on its host.";
  const stop = newCommand("stop").description(description);
  return withAgent(stop).action(lazily(async () => (await import("./run.js")).stopAgent));
}

/** The options of a command to one agent. */
function withAgent(command: Command): Command {
  return withAccount(withOutput(withConfirmation(command))).argument(
    "<id>",
    "the agent's tunnel session, ts_…",
  );
}

function updateSessions(): Command {
  const update = newCommand("update")
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
  return withAccount(withOutput(withSessionFilters(withConfirmation(update))))
    .addHelpText("after", updateHelp)
    .action(lazily(async () => (await import("./run.js")).updateAgents));
}

const updateHelp = `
Examples:
  $ npx pulumi-tunnel-gateway sessions update ts_2JXU
  $ npx pulumi-tunnel-gateway sessions update --os linux --agent-version '3.1.*' --restart --yes --json

After an interrupt (Ctrl-C) the command updates no further agent, and finishes its work on the current one. A second
interrupt ends it at once.`;

function withSessionFilters(command: Command): Command {
  return withFilters(
    command
      .option("--os <text>", "only agents on this operating system")
      .option("--region <text>", "only agents in this region")
      .option("--agent-version <text>", "only agents of this version, such as 3.1.*")
      .option("--metadata <text>", "only agents with this metadata"),
  );
}
