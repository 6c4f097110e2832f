/** The configuration file of the review, which other commands read too. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReviewConfig } from "../../review/config-file";
import { UsageError } from "../command";
import { requireReadable } from "../files";

interface ConfigFlags {
  readonly cwd?: string;
  readonly config?: string;
}

/** The configuration file: the named one, or else the default one. */
export function configFileOf({ config, cwd = "." }: ConfigFlags): string {
  return config ?? join(cwd, ".tunnel-gateway-review.json");
}

/** Reads the configuration file: the named one, or else the default one if it exists. */
export function configOf({ config, cwd }: ConfigFlags): ReviewConfig {
  const file = configFileOf({ config, cwd });
  if (config === undefined && !existsSync(file)) return {};
  requireReadable("--config", file);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it loads zod and all rules of the review
    const { readConfig } = require("../../review/config-file") as typeof import("../../review/config-file");
    return readConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}
