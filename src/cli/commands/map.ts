import type { Command } from "commander";
import type { Modules } from "../../inventory/account";
import { readStack } from "../../inventory/stack";
import { mapOfAccount } from "../../map/account";
import { mapOfPreview } from "../../map/changes";
import { mapOf } from "../../map/graph";
import { renderMermaid } from "../../map/mermaid";
import type { TrafficMap } from "../../map/model";
import { renderPage } from "../../map/page";
import { renderSvg } from "../../map/svg";
import { UsageError, newCommand, several } from "../command";
import { connect } from "../input/connect";
import { previewOf, contentsOfStack, withInventory } from "../input/inventory";
import type { InventoryFlags } from "../input/inventory";
import { modulesOf, targetsOf, write } from "../options";
import { clear, note, status } from "../terminal/progress";

interface Flags extends InventoryFlags {
  output?: string[];
}

const writers = {
  mermaid: ({ map }: Drawn) => renderMermaid(map),
  svg: ({ map }: Drawn) => renderSvg(map),
  html: ({ map, title }: Drawn) => renderPage(map, title),
};
const formats = Object.keys(writers) as (keyof typeof writers)[];

export function mapCommand(): Command {
  const command = newCommand("map")
    .summary("draw the traffic path: edges and endpoints, their guards, backends, agents")
    .description(
      "Draws the traffic path in a stack, an account or a preview: the edges and endpoints, the IP policies and\n" +
        "modules that guard them, the backends behind them with weights and order, and the agents that are online.\n" +
        "With --account and --stack it marks what the stack does not manage, with --preview what the deployment changes.\n" +
        "It changes nothing and shows no secret. Large maps are grouped and counted.",
    );
  return withInventory(command)
    .option(
      "--output <format>",
      "mermaid, svg or html; <format>=<file> writes a file; repeatable (default: mermaid)",
      several,
    )
    .addHelpText("after", help)
    .action(run);
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
  const drawn = await draw(flags).finally(clear);
  for (const { format, into } of outputs) await write(writers[format](drawn), into);
}

async function draw(flags: Flags): Promise<Drawn> {
  const { account, stack, cwd } = flags;
  const modules = modulesOf(flags);
  const preview = await previewOf(flags);
  if (preview) return { map: mapOfPreview(preview), title: "Map of a preview" };
  if (account) return ofAccount(flags, modules);
  if (stack === undefined) throw new UsageError("map needs --stack, --account or --preview");
  const { inventory } = await readStack({ stack, cwd, note });
  return { map: mapOf(inventory), title: `Map of the stack ${stack}` };
}

async function ofAccount(flags: Flags, modules: Modules): Promise<Drawn> {
  const client = await connect(flags);
  const contents = await contentsOfStack(flags);
  const { map, unreadable } = await mapOfAccount({ client, stack: contents, modules, report: status });
  for (const { declaration, id, problem } of unreadable)
    note(`The ${declaration.noun} ${id} is not on the map: ${problem}`);
  return { map, title: "Map of the account" };
}
