import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { withAccount, withOutput } from "../../shared-options";

export function command(): Command {
  const doctor = newCommand("doctor")
    .summary("check settings, base URL, key, version and clock")
    .description(
      "Checks the settings, whether the base URL is that of the API, whether the service accepts the key, the " +
        "version of the API, and this machine's clock, and says where each setting comes from. It changes nothing.",
    );
  return withAccount(withOutput(doctor))
    .addHelpText(
      "after",
      "\nExample:\n  $ npx pulumi-tunnel-gateway doctor --stack production --cwd infrastructure",
    )
    .action(lazily(async () => (await import("./run.js")).run));
}
