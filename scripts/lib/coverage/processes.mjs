import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeProcessCovs } from "@bcoe/v8-coverage";
import coverageMaps from "istanbul-lib-coverage";
import v8ToIstanbul from "v8-to-istanbul";
import { root } from "../paths.mjs";

/** Where the package is in a user's program. */
const installed = "/node_modules/pulumi-tunnel-gateway/dist/";

/**
 * What the processes that left their V8 coverage in the folder reached of src, as Istanbul has it. c8 cannot do this:
 * it looks for the sources where the process ran, and the installed package has none.
 */
export async function coverageOfProcesses(folder) {
  const dumps = readdirSync(folder).map((name) => ({ result: ownScripts(join(folder, name)) }));
  const map = coverageMaps.createCoverageMap();
  for (const { url, functions } of mergeProcessCovs(dumps).result) {
    const converter = v8ToIstanbul(url);
    await converter.load();
    converter.applyCoverage(functions);
    map.merge(converter.toIstanbul());
    converter.destroy();
  }
  return map;
}

/** The package's scripts in a dump, with their paths in this repository's dist, whose source maps lead to src. */
function ownScripts(file) {
  const { result } = JSON.parse(readFileSync(file, "utf8"));
  return result
    .filter(({ url }) => url.startsWith("file:") && url.includes(installed))
    .map((script) => ({ ...script, url: join(root, "dist", fileURLToPath(script.url).split(installed)[1]) }));
}
