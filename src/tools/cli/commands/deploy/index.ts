import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { repeated, withFolder } from "../../shared-options";

export function command(): Command {
  const deploy = newCommand("deploy")
    .summary("run a deployment that can send what was approved, and nothing else")
    .description(
      "Starts a broker that holds the key, and runs the command without the key. The broker forwards reads, and each write of\n" +
        "the approval once. It refuses everything else before it leaves this machine.",
    )
    .argument("<command...>", "the deployment, after --: pulumi up --yes --stack production")
    .option("--approved <file>", "the approval, as review writes it")
    .option("--stack <name>", "the stack, where the file approves several")
    .option(
      "--key-file <file>",
      "read the key from this file of mode 0600; <base URL>=<file> for one of several accounts; repeatable (default: " +
        "TUNNEL_GATEWAY_API_KEY, which the command does not get)",
      repeated,
    )
    .option("--key-stdin", "read the key from stdin")
    .option(
      "--listen <address>",
      "where the broker listens, such as 0.0.0.0:8443 (default: a free port of 127.0.0.1)",
    )
    .option("--url <url>", "with --listen: the https URL that reaches the broker")
    .option(
      "--log <file>",
      "the log of writes (default: the file of the approval with .log, or unapproved.log)",
    )
    .option("--unapproved", "let every write pass, in an emergency; needs --reason")
    .option("--reason <text>", "with --unapproved: why, for the log");
  return withFolder(deploy)
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Exit codes:
  0    the command succeeded, and sent what was approved
  1    the command failed
  2    wrong usage of the command
  3    a write was refused, or left out by a command that succeeded, or the command ended with 3, as review does
  4    with --unapproved: the command succeeded
  130  interrupted

Examples:
  $ npx pulumi-tunnel-gateway deploy --approved approval.json -- pulumi up --yes --stack production
  $ npx pulumi-tunnel-gateway deploy --approved approval.json --key-file /run/secrets/key -- npx pulumi up --yes --stack production
  $ npx pulumi-tunnel-gateway deploy --unapproved --reason "INC-431: open the office's new range" -- pulumi up --stack production`;
