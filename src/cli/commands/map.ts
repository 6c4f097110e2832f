import type { Command } from "commander";
import type { TrafficMap } from "../../map/model";
import type { AccountFlags } from "../command";
import { UsageError, newCommand, several } from "../command";
import { modulesOf, withModules, targetsOf, write } from "../options";
import type { ModuleFlags } from "../options";

interface Flags extends AccountFlags, ModuleFlags {
  account?: boolean;
  preview?: string;
  output?: string[];
}

const formats = ["mermaid", "svg", "html"] as const;
type Format = (typeof formats)[number];

/** `tunnel-gateway map`. */
export function mapCommand(): Command {
  const command = newCommand("map")
    .summary("draw where the traffic goes: edges and endpoints, what guards them, backends, agents")
    .description(
      "Draws the traffic path in a stack, an account or a preview: the edges and endpoints, the IP policies and\n" +
        "modules that guard them, the backends behind them with weights and order, and the agents that are online.\n" +
        "It changes nothing and shows no secret. Large maps are grouped and counted.",
    )
    .option("--stack <name>", "the stack to draw; with --account: the stack that manages the account")
    .option("--cwd <folder>", "the folder of the stack's Pulumi project (default: the current folder)")
    .option("--account", "draw the account; with --stack, mark what the stack does not manage")
    .option(
      "--preview <file>",
      "draw the output of `pulumi preview --json --show-sames`, and mark what it changes; - reads stdin",
    )
    .option(
      "--output <format>",
      "mermaid, svg or html; <format>=<file> writes a file; repeatable (default: mermaid)",
      several,
    );
  return withModules(command).addHelpText("after", help).action(run);
}

const help = `
Exit codes:
  0  the map is drawn
  1  the account, stack or preview could not be read, or the preview failed
  2  wrong usage of the command

Examples:
  $ tunnel-gateway map --stack production
  $ tunnel-gateway map --account --stack production --output html=map.html
  $ pulumi preview --json --show-sames | tunnel-gateway map --preview - --output svg=change.svg
  $ tunnel-gateway map --account --https-route edghts_1/edghtsrt_1 --output html=map.html`;

/** A map and what the page says of it. */
interface Drawn {
  readonly map: TrafficMap;
  readonly title: string;
}

async function run(flags: Flags): Promise<void> {
  const outputs = targetsOf(formats, flags.output ?? ["mermaid"]);
  const { clear } = await import("../terminal/progress.js");
  const drawn = await draw(flags).finally(clear);
  for (const { format, into } of outputs) await write(await rendered(format, drawn), into);
}

async function draw(flags: Flags): Promise<Drawn> {
  const { account, preview, stack, cwd } = flags;
  const modules = modulesOf(flags);
  if (preview !== undefined) {
    if (account || stack !== undefined) throw new UsageError("--preview needs neither --account nor --stack");
    return ofPreview(preview);
  }
  if (account) return ofAccount(flags, modules);
  if (stack === undefined) throw new UsageError("map needs --stack, --account or --preview");
  const { readStack } = await import("../../inventory/stack.js");
  const { mapOf } = await import("../../map/graph.js");
  const { note } = await import("../terminal/progress.js");
  const { inventory } = await readStack({ stack, cwd, note }, false);
  return { map: mapOf(inventory), title: `Map of the stack ${stack}` };
}

async function ofPreview(file: string): Promise<Drawn> {
  const { previewFrom, reportIncomplete } = await import("../input/preview.js");
  const { mapOfPreview } = await import("../../map/changes.js");
  const preview = await previewFrom(file);
  reportIncomplete(preview);
  return { map: mapOfPreview(preview), title: "Map of a preview" };
}

async function ofAccount(flags: Flags, modules: ReturnType<typeof modulesOf>): Promise<Drawn> {
  const { connect } = await import("../input/connect.js");
  const { readStack } = await import("../../inventory/stack.js");
  const { mapOfAccount } = await import("../../map/account.js");
  const { note, status } = await import("../terminal/progress.js");
  const { stack, cwd } = flags;
  const client = await connect(flags);
  const contents = stack === undefined ? undefined : await readStack({ stack, cwd, note }, false);
  const { map, unreadable } = await mapOfAccount({ client, stack: contents, modules, report: status });
  for (const { declaration, id, problem } of unreadable)
    note(`The ${declaration.noun} ${id} is not on the map: ${problem}`);
  return { map, title: "Map of the account" };
}

async function rendered(format: Format, { map, title }: Drawn): Promise<string> {
  switch (format) {
    case "mermaid":
      return (await import("../../map/mermaid.js")).renderMermaid(map);
    case "svg":
      return (await import("../../map/svg.js")).renderSvg(map);
    case "html":
      return (await import("../../map/page.js")).renderPage(map, title);
  }
}
