import type { Modules } from "../../../inventory/account";
import { connect, stackBeside } from "../../../inventory/connection";
import { readStack } from "../../../inventory/stack";
import { mapOfAccount } from "../../../map/account";
import { mapOfPreview } from "../../../map/changes";
import { mapOf } from "../../../map/graph";
import { renderMermaid } from "../../../map/mermaid";
import type { TrafficMap } from "../../../map/model";
import { renderPage } from "../../../map/page";
import { renderSvg } from "../../../map/svg";
import { UsageError } from "../../command";
import { targetsOf, write } from "../../files";
import { previewOf } from "../../input/inventory";
import { accountOf, modulesOf } from "../../options";
import type { InventoryFlags } from "../../options";
import { clear, note, status } from "../../terminal/progress";

interface Flags extends InventoryFlags {
  output?: string[];
}

/** A map and what the page says of it. */
interface Drawn {
  readonly map: TrafficMap;
  readonly title: string;
}

const writers = {
  mermaid: ({ map }: Drawn) => renderMermaid(map),
  svg: ({ map }: Drawn) => renderSvg(map),
  html: ({ map, title }: Drawn) => renderPage(map, title),
};
const formats = Object.keys(writers) as (keyof typeof writers)[];

export async function run(flags: Flags): Promise<void> {
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
  const choice = accountOf(flags);
  const client = await connect(choice, note);
  const contents = await stackBeside(choice, note);
  const { map, unreadable } = await mapOfAccount({ client, stack: contents, modules, report: status });
  for (const { declaration, id, problem } of unreadable)
    note(`The ${declaration.noun} ${id} is not on the map: ${problem}`);
  return { map, title: "Map of the account" };
}
