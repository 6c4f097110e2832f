import type { Command } from "commander";
import { newCommand } from "../command";
import { withAccount, withOutput, withSecrets } from "../shared-options";
import type { AccountFlags, OutputFlags } from "../shared-options";

export function command(): Command {
  const get = newCommand("get")
    .summary("show one object")
    .description("Shows one object of a collection, or one module of an edge or route.")
    .argument("<collection>", "the collection, such as ip-policies; any other word prints all names")
    .argument("<id>", "the id; for a module, the ids in its path, such as edghts_…/edghtsrt_…");
  return withAccount(withSecrets(withOutput(get)))
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ npx pulumi-tunnel-gateway get ip-policies ipp_2abc
  $ npx pulumi-tunnel-gateway get https-edge-route-oidc edghts_2abc/edghtsrt_2def --show-secrets
  $ npx pulumi-tunnel-gateway get event-sources esb_2abc/ip_policy_created.v0 --json`;

async function run(name: string, id: string, flags: AccountFlags & OutputFlags): Promise<void> {
  const { collectionOf } = await import("../collections.js");
  const { showObject } = await import("../input/account-objects.js");
  await showObject(collectionOf(name, "gets").declaration, id, flags);
}
