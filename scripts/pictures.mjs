#!/usr/bin/env node
// The terminal pictures of the README, from real runs: docs/pictures/*.svg, or --out <folder>.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { scenes } from "./lib/pictures/scenes.mjs";
import { svgOf } from "./lib/pictures/svg.mjs";

/** Resolves with an exit code. */
export async function pictures(args) {
  const { values } = parseArgs({
    args,
    options: { out: { type: "string", default: join(root, "docs/pictures") } },
  });
  mkdirSync(values.out, { recursive: true });
  for (const [name, { title, output }] of Object.entries(await scenes())) {
    const file = join(values.out, `${name}.svg`);
    writeFileSync(file, svgOf(title, output));
    console.log(`wrote ${file}`);
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await pictures(process.argv.slice(2));
