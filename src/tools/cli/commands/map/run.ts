import { semanticsWith } from "../../../access/semantics";
import type { Semantics } from "../../../access/semantics";
import type { Modules } from "../../../inventory/account-contents";
import { connect, stackBeside } from "../../../inventory/connect";
import { readStack } from "../../../inventory/stack";
import { mapOfAccount } from "../../../map/account-map";
import { mapOfPreview } from "../../../map/preview-map";
import { mapOf } from "../../../map/graph";
import { renderMermaid } from "../../../map/mermaid";
import type { TrafficMap } from "../../../map/model";
import { renderPage } from "../../../map/map-page";
import { renderSvg } from "../../../map/svg";
import { shortened } from "../../../../schema/text/phrase";
import { UsageError } from "../../command";
import { targetsOf, write } from "../../files";
import { previewOf } from "../../input/read-inventory";
import { configOf } from "../../input/review-config";
import { accountOf, modulesOf } from "../../shared-options";
import type { InventoryFlags } from "../../shared-options";
import { clear, note, status } from "../../terminal/progress";

interface Flags extends InventoryFlags {
  output?: string[];
  config?: string;
  commit?: string;
}

/** A map and the text of its page. */
interface Drawn {
  readonly map: TrafficMap;
  /** Such as "the stack my-gateway/dev". */
  readonly of: string;
  readonly commit?: string;
}

const writers = {
  mermaid: ({ map }: Drawn) => renderMermaid(map),
  svg: ({ map }: Drawn) => renderSvg(map),
  html: ({ map, ...options }: Drawn) => renderPage(map, options),
};
const formats = Object.keys(writers) as (keyof typeof writers)[];

export async function run(flags: Flags): Promise<void> {
  const outputs = targetsOf(formats, flags.output ?? ["mermaid"]);
  const semantics = semanticsWith(configOf(flags).semantics);
  const drawn = { ...(await draw(flags, semantics).finally(clear)), commit: flags.commit };
  for (const { format, into } of outputs) await write(writers[format](drawn), into);
}

async function draw(flags: Flags, semantics: Semantics): Promise<Drawn> {
  const { account, stack, cwd } = flags;
  const modules = modulesOf(flags);
  const preview = await previewOf(flags);
  if (preview) {
    const { stackName, errors } = preview;
    const what = errors.length === 0 ? "preview" : "failed preview";
    return {
      map: mapOfPreview(preview, semantics),
      of: stackName === undefined ? `a ${what}` : `the ${what} of ${nameOf(stackName)}`,
    };
  }
  if (account) return ofAccount(flags, modules, semantics);
  if (stack === undefined) throw new UsageError("map needs --stack, --account or --preview");
  const contents = await readStack({ stack, cwd, note });
  return { map: mapOf(contents.inventory, { semantics }), of: `the stack ${nameOf(contents)}` };
}

/** The name of the stack. An empty stack does not know its project. */
function nameOf({ project, stack }: { readonly project: string; readonly stack: string }): string {
  return shortened(project === "" ? stack : `${project}/${stack}`, 200);
}

async function ofAccount(flags: Flags, modules: Modules, semantics: Semantics): Promise<Drawn> {
  const choice = accountOf(flags);
  const client = await connect(choice, note);
  const contents = await stackBeside(choice, note);
  const reading = { client, stack: contents, modules, report: status, semantics };
  const { map, unreadable } = await mapOfAccount(reading);
  for (const { declaration, id, problem } of unreadable)
    note(`The ${declaration.noun} ${id} is not on the map: ${problem}`);
  const beside = contents === undefined ? "" : ` and the stack ${nameOf(contents)}`;
  return { map, of: `the account at ${client.settings.baseUrl}${beside}` };
}
