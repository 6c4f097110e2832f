import { Option } from "commander";
import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { repeated, withExclusion, withModules, withStack } from "../../shared-options";

export function command(): Command {
  const imports = newCommand("import")
    .summary("turn an existing account into a program and a stack")
    .description(
      "Writes a TypeScript program for the objects of the account that the stack does not manage yet, and a file\n" +
        "for pulumi import. With --run it imports them, and runs a preview that must show no change. With a class, a\n" +
        "name and an id it prints the code of one object. With --adopt an existing program takes over the objects that\n" +
        "its state has lost.",
    )
    .argument("[class]", "for one object: its class, such as IpPolicy")
    .argument("[name]", "its name in the program")
    .argument("[id]", "its id")
    .option("--out <folder>", "the folder for the program's files (default: the project's folder)")
    .option("--only <classes>", "only these classes, separated by commas")
    .option("--except <classes>", "all but these classes")
    .option(
      "--filter <field=value>",
      "only objects that match; * matches any text; may be repeated",
      repeated,
    )
    .addOption(
      new Option("--format <format>", "write a program (typescript), or a list for pulumi import (pulumi)")
        .choices(["typescript", "pulumi"])
        .default("typescript"),
    )
    .option("--provider <variable=urn>", "import under this explicit provider of the stack, from its account")
    .option("--provider-from <module>", "the module that exports the provider's variable", "./provider")
    .option("--no-protect", "do not protect the imported resources")
    .option("--force", "overwrite edited files too, and save a copy of each next to it")
    .option(
      "--adopt",
      "pair what the program would create with the objects of the account, and write no program",
    )
    .option("--run", "import into the stack, and run a preview");
  return withStack(withModules(withExclusion(imports)))
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Examples:
  $ npx pulumi-tunnel-gateway import --out account
  $ npx pulumi-tunnel-gateway import --run --stack production
  $ npx pulumi-tunnel-gateway import --only IpPolicy,IpPolicyRule --filter 'description=office*'
  $ npx pulumi-tunnel-gateway import --exclude 'metadata.owned-by=*'
  $ npx pulumi-tunnel-gateway import IpPolicy office ipp_2abc --stack production
  $ npx pulumi-tunnel-gateway import --adopt --run --stack production
After an interruption run the same command again: it resumes, and imports nothing twice.`;
