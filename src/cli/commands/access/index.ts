import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { withInventory, withOutput } from "../../options";

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
  return withOutput(withInventory(access))
    .option("--test", "evaluate the access tests of the configuration file instead")
    .option(
      "--config <file>",
      "the configuration file of the review (default: .tunnel-gateway-review.json, if it exists)",
    )
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Verdicts, where the setting semantics of the configuration file does not decide:
  allowed    an allow rule covers the address, and no deny rule does
  denied     a deny rule covers it, and no allow rule does
  undecided  both do: the specification does not say which one counts
  unmatched  no rule covers it
  open       nothing restricts by address
  unknown    known only after the deployment, or decided by a policy that is not part of the program

Exit codes:
  0  the answer is complete
  1  the account, stack or preview could not be read, or the preview failed
  2  wrong usage of the command
  3  with --test: an access test fails

Examples:
  $ tunnel-gateway access --stack production
  $ tunnel-gateway access 203.0.113.7 --account
  $ tunnel-gateway access --test --account
  $ pulumi preview --json --show-sames | tunnel-gateway access 198.51.100.0/24 --preview - --json`;
