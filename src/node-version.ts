/** The check of Node.js's version, before anything is loaded that needs a newer one. It runs on old versions too. */
import { requiredNode, version } from "./version";

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
