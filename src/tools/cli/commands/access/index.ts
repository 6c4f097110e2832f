import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { integer, repeated, withInventory, withOutput, withReviewConfig } from "../../shared-options";

export function command(): Command {
  const access = newCommand("access")
    .summary("show who gets in: the verdict of the IP policies on every address, and the other gates")
    .description(
      "Shows which addresses the IP policies of a stack, an account or a preview allow and deny at each edge, route and\n" +
        "endpoint, and the rules that cause it. With an address or a range: the verdict on each of its addresses.\n" +
        "It also shows the other gates, such as a sign-in. It changes nothing and shows no secret.",
    )
    .argument(
      "[address|range]",
      "an IPv4 or IPv6 address, or a range in CIDR notation (default: all addresses)",
    );
  return withReviewConfig(withOutput(withInventory(access)))
    .option("--test", "evaluate the access tests of the configuration file instead")
    .option(
      "--unused <log>",
      "show the rules and policies that no client of this log used; <log>=<resource> for one resource; repeatable",
      repeated,
    )
    .option(
      "--propose <log>",
      "propose the smallest list that lets the clients of this log in, and no new addresses; <log>=<resource> for " +
        "one resource; repeatable",
      repeated,
    )
    .option("--typescript", "with --propose: print the lists as statements of the program")
    .option("--max-rules <number>", "with --propose: the most ranges of a list", integer(1, 100_000))
    .option(
      "--min-prefix4 <length>",
      "with --propose: the shortest prefix of an IPv4 range (default: 0)",
      integer(0, 32),
    )
    .option(
      "--min-prefix6 <length>",
      "with --propose: the shortest prefix of an IPv6 range (default: 0)",
      integer(0, 128),
    )
    .option(
      "--at-least <requests>",
      "with --propose: leave out clients with fewer requests (default: 1)",
      integer(1, 1_000_000_000),
    )
    .option("--clients-field <name>", "with a log: the member of JSON lines that holds the address")
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Verdicts, where the setting semantics of the configuration file does not decide:
  allowed    an allow rule covers the address, and no deny rule does
  denied     a deny rule covers it, and no allow rule does
  undecided  both do: the specification does not say which one counts
  unmatched  no rule covers it
  open       no IP policy is in effect
  unknown    known only after the deployment, or decided by a policy that is not part of the program

Exit codes:
  0  the answer is complete
  1  the account, stack or preview could not be read, or the preview failed; with --propose: a resource has no list,
     or with --typescript no statement
  2  wrong usage of the command
  3  with --test: an access test fails

Examples:
  $ npx pulumi-tunnel-gateway access --stack production
  $ npx pulumi-tunnel-gateway access 203.0.113.7 --account
  $ npx pulumi-tunnel-gateway access --test --account
  $ npx pulumi-tunnel-gateway access --unused clients.log --stack production
  $ npx pulumi-tunnel-gateway access --propose "clients.log=TcpEdge database" --max-rules 20 --stack production
  $ pulumi preview --json --show-sames | npx pulumi-tunnel-gateway access 198.51.100.0/24 --preview - --json`;
