import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { previewCommand, withOutput } from "../../shared-options";

export function command(): Command {
  const rehearse = newCommand("rehearse")
    .argument("[preview]", `the output of \`${previewCommand}\`; default: stdin`)
    .summary("run a preview on a copy of the account, and show the requests of the deployment")
    .description(
      "Runs the steps of a preview on a copy of the account in this process, and shows the writes that the deployment\n" +
        "will send, what the service will refuse, and the number of requests. It sends no request.",
    )
    .option(
      "--account <file>",
      "the account before the deployment, as lists of answers of the service; default: what the stack records of it",
    );
  return withOutput(rehearse)
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Examples:
  $ ${previewCommand} | npx pulumi-tunnel-gateway rehearse`;
