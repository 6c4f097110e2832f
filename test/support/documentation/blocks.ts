/** The code blocks of the pages that people read. */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../docs/blocks";

export interface Block {
  /** The page and the line that the code begins in. */
  readonly where: string;
  readonly page: string;
  /** The word behind the fence. */
  readonly language: string;
  readonly code: string;
  /** The name that the page gives it: in its first line, or in the line before it. */
  readonly file: string | undefined;
}

/** A block of a page that there is not. */
export function madeUpBlock(language: string, code: string, line: number, file?: string): Block {
  return { where: `docs/made-up.md:${line}`, page: "docs/made-up.md", language, code, file };
}

/** Every page with blocks that a reader may copy. */
export function pages(): string[] {
  const folder = readdirSync(join(root, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", ...folder.sort()].filter(
    (page) => textOf(page) !== "",
  );
}

/** The blocks of a page, from top to bottom. */
export function blocksOf(page: string): Block[] {
  const found: Block[] = [];
  const lines = textOf(page).split("\n");
  let open: { fence: string; indent: string; language: string; begin: number } | undefined;
  lines.forEach((line, i) => {
    const [, indent = "", fence, info = ""] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined && fence !== undefined) {
      open = { fence, indent, language: info.trim(), begin: i + 1 };
    } else if (open !== undefined && fence === open.fence && info === "") {
      const { begin, indent: margin, language } = open;
      const code = lines.slice(begin, i).map((each) => each.replace(margin, ""));
      const file = nameIn(code[0] ?? "") ?? nameBefore(lines.slice(0, begin - 1));
      found.push({
        where: `${page}:${begin + 1}`,
        page,
        language,
        code: `${code.join("\n")}\n`,
        file: language === "sh" ? undefined : file,
      });
      open = undefined;
    }
  });
  if (open !== undefined) throw new Error(`${page}:${open.begin}: the block has no end`);
  return found;
}

/** The commands that a page names in its text, such as `npm run docs`. */
export function commandsIn(page: string): string[] {
  const prose = textOf(page).replace(/^( *)(`{3,})[^]*?^\1\2$/gm, "");
  const spans = [...prose.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code]) => code!);
  return [...new Set(spans.filter((code) => /^(npm|npx|tunnel-gateway) /.test(code)))];
}

/** Empty if there is no such page. */
export function textOf(page: string): string {
  try {
    return readFileSync(join(root, page), "utf8");
  } catch {
    return "";
  }
}

const fileName = String.raw`[\w.-]+(?:/[\w.-]+)*\.\w+`;

function nameIn(line: string): string | undefined {
  return new RegExp(`^(?://|#) (${fileName})$`).exec(line)?.[1];
}

/** The last line of text before the block, if it ends in a name: "into `index.ts`:". */
function nameBefore(lines: readonly string[]): string | undefined {
  const text = lines.findLast((line) => line.trim() !== "") ?? "";
  return new RegExp(`\`(${fileName})\`:$`).exec(text.trim())?.[1];
}
