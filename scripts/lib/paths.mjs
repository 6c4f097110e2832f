import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export const exe = process.platform === "win32" ? ".exe" : "";

/** The Node that the devDependency `node` brings. */
export const ownNode = resolve(root, "node_modules/node/bin", `node${exe}`);
