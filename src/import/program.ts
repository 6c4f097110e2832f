/** The files of the generated program. */
import { areas } from "./areas";
import type { Area } from "./areas";
import type { Block, Uses } from "./code";
import { slashes, withHeader } from "./generated-file";
import { importText } from "./layout";
import { textLiteral } from "./literal";

/** A statement that stands in a file already. */
export interface Standing {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly variable: string;
  readonly text: string;
}

/** What a file of an earlier run holds. */
export interface ParsedFile {
  readonly blocks: readonly Standing[];
  /** The modules that its variables come from. */
  readonly imported: ReadonlyMap<string, string>;
}

/** What tells a statement from all others: `<class> <id>`. */
export function keyOfBlock({ type, id }: Pick<Standing, "type" | "id">): string {
  return `${type} ${id}`;
}

const blockStart =
  /^\/\/ (\S+)\n(?:\/\/.*\n)*export const (\w+) =\s*new (\w+)\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/gm;

export function parseFile(text: string): ParsedFile {
  const starts = [...text.matchAll(blockStart)];
  const blocks = starts.map((match, i): Standing => {
    const [, id, variable, type, name] = match as unknown as [string, string, string, string, string];
    const body = text.slice(match.index, starts[i + 1]?.index ?? text.length).trimEnd();
    return { id, type, name: name.slice(1, -1), variable, text: `${body}\n` };
  });
  const imported = new Map<string, string>();
  for (const [, names, module] of text.matchAll(/^import \{([^}]*)\} from ["'](\.[^"']*)["'];?$/gm)) {
    for (const name of names!.split(",")) if (name.trim() !== "") imported.set(name.trim(), module!);
  }
  return { blocks, imported };
}

export interface AreaContent {
  readonly area: Area;
  /** Statements that stay as they are. */
  readonly kept: readonly Standing[];
  readonly added: readonly Block[];
  /** The keys of statements in the order in which they stood in the file. */
  readonly before?: readonly string[];
  /** The modules of the variables that statements may use. */
  readonly modules: ReadonlyMap<string, string>;
}

/** The text of an area's file. */
export function areaText({ area, kept, added, modules, before = [] }: AreaContent): string {
  const blocks = arranged(
    [...kept.map((block) => ({ ...block, uses: usesOf(block, modules) })), ...added],
    before,
  );
  const own = new Set(blocks.map(({ variable }) => variable));
  const uses = blocks.map((block) => block.uses);
  const [config, weights] = [uses.some((each) => each.config), uses.some((each) => each.weights)];
  const names = [
    ...new Set(blocks.map(({ type }) => type)),
    ...(uses.some((each) => each.notReturned) ? ["notReturned"] : []),
  ].sort();
  const byModule = new Map<string, Set<string>>();
  for (const variable of uses.flatMap((each) => [...each.variables])) {
    const module = modules.get(variable);
    if (module === undefined || own.has(variable)) continue;
    byModule.set(module, (byModule.get(module) ?? new Set()).add(variable));
  }
  const imports = [
    ...(config || weights ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    importText(names, "pulumi-tunnel-gateway"),
    ...[...byModule]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, used]) => importText([...used].sort(), module)),
  ];
  const parts = [
    `${imports.join("\n")}\n`,
    ...(config ? ["const config = new pulumi.Config();\n"] : []),
    ...(weights ? [weightsText] : []),
    ...blocks.map(({ text }) => text),
  ];
  return withHeader(`// ${area.title}.\n\n${parts.join("\n")}`, slashes);
}

type Placed = Standing & { readonly uses: Uses };

/** As they stood, the new ones behind them; but each behind those whose variables it uses. */
function arranged(blocks: readonly Placed[], before: readonly string[]): Placed[] {
  const place = new Map(before.map((key, i) => [key, i]));
  const at = (block: Placed): number => place.get(keyOfBlock(block)) ?? before.length;
  const byVariable = new Map(blocks.map((block) => [block.variable, block]));
  const order = new Set<Placed>();
  const visiting = new Set<Placed>();
  const visit = (block: Placed): void => {
    if (order.has(block) || visiting.has(block)) return;
    visiting.add(block);
    for (const variable of block.uses.variables) {
      const used = byVariable.get(variable);
      if (used) visit(used);
    }
    order.add(block);
  };
  [...blocks].sort((a, b) => at(a) - at(b)).forEach(visit);
  return [...order];
}

const weightsText = `/** Backends with their weights; an Output cannot be the key of a map. */
function weights(
  entries: [pulumi.Input<string>, number][],
): pulumi.Output<Record<string, number>> {
  const ids = pulumi.all(entries.map(([id]) => id));
  return ids.apply((known) =>
    Object.fromEntries(
      known.map((id, i): [string, number] => [id, entries[i]?.[1] ?? 0]),
    ),
  );
}
`;

/** What a statement that stays needs; what it says in strings and comments does not count. */
function usesOf({ text }: Standing, modules: ReadonlyMap<string, string>): Uses {
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*$|\/\*[^]*?\*\//gm, "");
  const words = new Set(code.match(/(?<!\.)\b[A-Za-z_$][\w$]*\b(?!\s*:)/g));
  return {
    variables: new Set([...words].filter((word) => modules.has(word))),
    config: words.has("config"),
    notReturned: words.has("notReturned"),
    weights: words.has("weights"),
  };
}

/** The statement with ids in the place of variables that are there no more; itself where it uses none. */
export function withoutReferences(block: Standing, dropped: ReadonlyMap<string, string>): Standing {
  const text = block.text.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*$|(?<![\w$.])([A-Za-z_$][\w$]*)\.id\b/gm,
    (match, variable: string | undefined) => {
      const id = variable === undefined ? undefined : dropped.get(variable);
      return id === undefined ? match : textLiteral(id);
    },
  );
  return text === block.text ? block : { ...block, text };
}

/** The file that loads all areas. */
export function indexText(files: readonly string[]): string {
  const order = areas.map(({ file }) => file).filter((file) => files.includes(file));
  return withHeader(
    `// Loads all resources.\n\n${order.map((file) => `import "./${file}";\n`).join("")}`,
    slashes,
  );
}
