import type { Command } from "commander";
import { one } from "../../account/read-objects";
import { collectionOf } from "../collections";
import { newCommand, withAccount, withOutput, withSecrets } from "../command";
import type { AccountFlags, OutputFlags } from "../command";
import { connect } from "../input/connect";
import { printObject } from "../work/objects";

export function getCommand(): Command {
  const command = newCommand("get")
    .summary("show one object")
    .description("Shows one object of a collection, or one module of an edge or route.")
    .argument("<collection>", "the collection, such as ip-policies; any other word prints all names")
    .argument("<id>", "the id; for a module, the ids in its path, such as edghts_…/edghtsrt_…");
  return withAccount(withSecrets(withOutput(command)))
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ tunnel-gateway get ip-policies ipp_2abc
  $ tunnel-gateway get https-edge-route-oidc edghts_2abc/edghtsrt_2def --show-secrets
  $ tunnel-gateway get event-sources esb_2abc/ip_policy_created.v0 --json`;

async function run(name: string, id: string, flags: AccountFlags & OutputFlags): Promise<void> {
  const { declaration } = collectionOf(name, "gets");
  printObject(declaration, await one(await connect(flags), declaration, id), flags);
}
