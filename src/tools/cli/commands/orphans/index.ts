import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { withAccount, withExclusion, withOutput } from "../../shared-options";

export function command(): Command {
  const orphans = newCommand("orphans")
    .summary("list the objects of the account that a stack does not manage")
    .description(
      "Lists the objects of the account that the stack does not manage, and finds the objects that an interrupted\n" +
        "pulumi up created without recording them. It changes nothing in the account.",
    )
    .option(
      "--planned",
      "also compare the creates of the program's next update, which a preview shows; for use after a failed up",
    )
    .option("--write <file>", "write the file for pulumi import that adopts what an interrupted run created");
  return withAccount(withOutput(withExclusion(orphans)))
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
After pulumi was killed:
  $ pulumi cancel --stack production
  $ npx pulumi-tunnel-gateway orphans --stack production --write import.json
  $ pulumi import --stack production --file import.json --generate-code=false --protect=false
  $ pulumi refresh --stack production --clear-pending-creates
  $ pulumi up --stack production
Objects under a parent or provider that is not in the stack yet need a second file: the report says so. Run the
second and third line again for them.
If only the plugin crashed ("connection reset by peer"), Pulumi has no record of the creates: add --planned.
The file may hold secrets in plaintext, as the report says. Only you can read it. Delete it after use.`;
