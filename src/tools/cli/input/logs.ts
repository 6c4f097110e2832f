/** The logs of clients that options name. */
import { policyPlaces } from "../../access/place";
import type { PlaceLog } from "../../access/usage";
import { noSuchResource, readLog } from "../../access/log-file";
import type { LogFile, LogReading } from "../../access/log-file";
import { resourcePattern } from "../../access/access-tests";
import type { Inventory } from "../../inventory/inventory";
import { requireReadable } from "../files";
import { note } from "../terminal/progress";

export function readingOf(option: string, field: string | undefined): LogReading {
  return { option, field, note };
}

/** The files of an option, each as `<file>` or `<file>=<resource>`. Throws a UsageError if one cannot be read. */
export function logFilesOf(option: string, texts: readonly string[]): LogFile[] {
  return texts.map((text) => {
    const [file = "", ...resource] = text.split("=");
    requireReadable(option, file);
    return { file, resource: resource.length === 0 ? undefined : resource.join("=") };
  });
}

export type ReadLog = PlaceLog & LogFile;

/** Reads logs of an inventory's clients. Throws if a log belongs to a resource that the inventory does not have. */
export async function readLogs(
  files: readonly LogFile[],
  reading: LogReading,
  inventory: Inventory,
): Promise<ReadLog[]> {
  const places = policyPlaces(inventory);
  for (const { resource } of files) {
    if (resource !== undefined && !places.some(({ on }) => resourcePattern(resource)(on)))
      throw noSuchResource(reading.option, resource);
  }
  return Promise.all(files.map(async (each) => ({ ...each, log: await readLog(each, reading) })));
}
