import { readFileSync } from "node:fs";
import { join } from "node:path";

const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
  version: string;
  engines: { node: string };
};

/** The version of this package. */
export const version = manifest.version;

/** The first version of Node.js that runs this package, such as `22.19.0`. */
export const requiredNode = manifest.engines.node.replace(">=", "");
