import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { GatewayError } from "../../provider/errors";
import { addressBytes } from "../../schema/formats/cidr";

/** The options of {@link publishedRanges}. */
export interface PublishedRangesOptions {
  /** Only the ranges of this version of IP. Default: those of both. */
  family?: "ipv4" | "ipv6";
  /**
   * The path of the lock file. Default: `ranges.lock.json` in the current folder, or in the nearest folder above it, up to
   * the one with `Pulumi.yaml`.
   */
  file?: string;
}

/**
 * The ranges that a source of `ranges.yaml` published when `tunnel-gateway ranges pull` last ran: from the lock file alone,
 * without a request. They are in canonical spelling and sorted, IPv4 first.
 *
 * Throws where there is no lock file, where it has no such source, and where its ranges were changed by hand.
 *
 * @param name the name of the source.
 * @param options which of its ranges, and the lock file.
 */
export function publishedRanges(name: string, options: PublishedRangesOptions = {}): string[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only programs that call this function need it
  const { lockFile, readLock } = require("./lock-file") as typeof import("./lock-file");
  const { family } = options;
  const file = options.file ?? nearestFile(lockFile, process.cwd());
  const lock = file === undefined ? undefined : readLock(file);
  if (lock === undefined)
    throw new GatewayError(
      `publishedRanges: there is no ${options.file ?? lockFile}. Run "tunnel-gateway ranges pull", and commit the file`,
    );
  const source = lock.get(name);
  if (source === undefined) {
    const names = [...lock.keys()].join(", ");
    throw new GatewayError(`publishedRanges: ${file} has no source ${JSON.stringify(name)}; it has ${names}`);
  }
  return source.ranges.filter((range) => family === undefined || familyOf(range) === family);
}

function familyOf(range: string): "ipv4" | "ipv6" {
  return addressBytes(range.split("/")[0]!)!.length === 4 ? "ipv4" : "ipv6";
}

/** The lock file of the project whose program runs in the folder. */
function nearestFile(name: string, folder: string): string | undefined {
  const file = join(folder, name);
  if (existsSync(file)) return file;
  const isProject = ["Pulumi.yaml", "Pulumi.yml"].some((each) => existsSync(join(folder, each)));
  const above = dirname(folder);
  return isProject || above === folder ? undefined : nearestFile(name, above);
}
