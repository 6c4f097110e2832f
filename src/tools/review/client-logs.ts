/** The logs of a review: which of their clients gain or lose access. */
import type { Preview } from "../inventory/read-preview";
import { noSuchResource, readLog } from "../access/log-file";
import type { LogFile, LogReading } from "../access/log-file";
import type { PlaceLog } from "../access/usage";
import { clientChanges, canHavePolicies } from "./client-changes";
import type { ClientChange } from "./client-changes";
import type { ReviewOptions } from "./review";

interface NamedLog extends PlaceLog {
  /** Whether a preview has the resource. */
  isMatched: boolean;
}

/** Logs that are read once, after the first preview: their addresses and a running preview both need much memory. */
export class ClientLogs {
  private logs: Promise<NamedLog[]> | undefined;

  constructor(
    private readonly files: readonly LogFile[],
    private readonly reading: LogReading,
  ) {}

  /** The logs; undefined if there is none. */
  async read(): Promise<readonly NamedLog[] | undefined> {
    if (this.files.length === 0) return undefined;
    this.logs ??= Promise.all(
      this.files.map(async (each) => ({
        log: await readLog(each, this.reading),
        resource: each.resource,
        isMatched: false,
      })),
    );
    return this.logs;
  }

  /** The clients whose access a preview changes; undefined without logs. */
  async changes(
    preview: Preview,
    semantics: ReviewOptions["semantics"],
  ): Promise<ClientChange[] | undefined> {
    return (await this.read())?.flatMap((named) => {
      const { log, resource } = named;
      named.isMatched ||= resource === undefined || canHavePolicies(preview, resource);
      return clientChanges(preview, log, resource, semantics);
    });
  }

  /**
   * Throws if a log could not be used. If all previews were complete, also throws if a log is about a resource that none of
   * them has: it would show no client that loses access.
   */
  async check(previewsAreComplete: boolean): Promise<void> {
    const logs = (await this.logs) ?? [];
    const wrong = logs.find(({ isMatched }) => !isMatched);
    if (wrong?.resource === undefined || !previewsAreComplete) return;
    throw noSuchResource(
      this.reading.option,
      wrong.resource,
      "; if the preview leaves out unchanged resources, run it with --show-sames",
    );
  }
}
