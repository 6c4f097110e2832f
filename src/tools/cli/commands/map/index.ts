import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { repeated, withInventory, withReviewConfig } from "../../shared-options";

export function command(): Command {
  const map = newCommand("map")
    .summary("draw the traffic path: edges and endpoints, their guards, backends, agents")
    .description(
      "Draws the traffic path in a stack, an account or a preview: the edges and endpoints, the IP policies and\n" +
        "modules that guard them, the backends behind them with weights and order, and the agents that are online.\n" +
        "With --account and --stack it marks what the stack does not manage, with --preview what the deployment changes.\n" +
        "It changes nothing and shows no secret. Large maps are grouped and counted.",
    );
  return withReviewConfig(withInventory(map))
    .option(
      "--output <format>",
      "mermaid, svg or html; <format>=<file> writes a file; repeatable (default: mermaid)",
      repeated,
    )
    .option("--commit <id>", "the commit, which the HTML page names")
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Exit codes:
  0  the map is drawn
  1  the account, stack or preview could not be read, or the preview failed
  2  wrong usage of the command

Examples:
  $ npx pulumi-tunnel-gateway map --stack production
  $ npx pulumi-tunnel-gateway map --account --stack production --output html=map.html
  $ pulumi preview --json --show-sames | npx pulumi-tunnel-gateway map --preview - --output svg=change.svg
  $ npx pulumi-tunnel-gateway map --account --https-route edghts_1/edghtsrt_1 --output html=map.html`;
