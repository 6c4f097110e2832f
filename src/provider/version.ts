/**
 * The versions of this package and of Node.js, before anything is loaded that needs a newer one. It runs on old versions
 * too.
 */
// The bundle of the native provider contains what this call returns.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const manifest = require("../../package.json") as { version: string; engines: { node: string } };

/** The version of this package. */
export const version = manifest.version;

/** The first version of Node.js that runs this package, such as `22.19.0`. */
export const requiredNode = manifest.engines.node.replace(">=", "");

/** Why this package does not run on Node.js of the version, in one sentence; undefined where it does. */
export function nodeProblem(node: string = process.versions.node): string | undefined {
  const [wanted, found] = [requiredNode, node].map((text) => text.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = found![i]! - wanted![i]!;
    if (difference > 0) return undefined;
    if (difference < 0) {
      return (
        `pulumi-tunnel-gateway ${version} needs Node.js ${requiredNode} or later, and this is Node.js ${node}: ` +
        `install a newer Node.js and run the command again`
      );
    }
  }
  return undefined;
}
