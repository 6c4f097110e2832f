/** The logs of a review: which of their clients gain or lose access. */
import { createReadStream } from "node:fs";
import { GatewayError } from "../provider/errors";
import { quote } from "../schema/formats/quote";
import type { World } from "../inventory/world";
import { counted } from "../text/phrase";
import { ClientLog } from "./client-log";
import { clientChanges, isGuarded } from "./clients";
import type { ClientChange } from "./clients";
import type { ReviewOptions } from "./review";

/** A file with a log. */
export interface LogFile {
  readonly file: string;
  /** The only resource that it is of, by its name as the access table writes it. */
  readonly resource: string | undefined;
}

interface NamedLog {
  readonly log: ClientLog;
  readonly resource: string | undefined;
  /** Whether a preview has the resource. */
  isMatched: boolean;
}

/** Logs that are read once, for the first preview: their addresses need memory, which a preview needs before. */
export class ClientLogs {
  private reading: Promise<NamedLog[]> | undefined;

  /** @param field the member of JSON lines that holds the address; without it the first address of a line counts. */
  constructor(
    private readonly files: readonly LogFile[],
    private readonly field: string | undefined,
    private readonly note: (line: string) => void,
  ) {}

  /** The clients whose access a preview changes; undefined without logs. */
  async changes(preview: World, semantics: ReviewOptions["semantics"]): Promise<ClientChange[] | undefined> {
    if (this.files.length === 0) return undefined;
    this.reading ??= Promise.all(this.files.map((each) => this.read(each)));
    return (await this.reading).flatMap((named) => {
      const { log, resource } = named;
      named.isMatched ||= resource === undefined || isGuarded(preview, resource);
      return clientChanges(preview, log, resource, semantics);
    });
  }

  /**
   * Throws where a log could not be used; and, if all previews were complete, where it is that of a resource that none of
   * them has: it would have no client that loses access.
   */
  async check(previewsAreComplete: boolean): Promise<void> {
    const logs = (await this.reading) ?? [];
    const wrong = logs.find(({ isMatched }) => !isMatched);
    if (wrong?.resource === undefined || !previewsAreComplete) return;
    throw new GatewayError(
      `nothing with IP policies has the name ${quote(wrong.resource)} of --clients: correct it, as the access table ` +
        "writes it; if the preview leaves out unchanged resources, run it with --show-sames",
    );
  }

  private async read({ file, resource }: LogFile): Promise<NamedLog> {
    const log = new ClientLog(this.field);
    try {
      for await (const chunk of createReadStream(file)) log.push(chunk as Buffer);
    } catch (error) {
      throw new GatewayError(`the log could not be read: ${(error as Error).message}`);
    }
    log.end();
    const { lines, linesWithAddress } = log;
    const where = this.field === undefined ? "" : ` in ${quote(this.field)}`;
    const count = `${linesWithAddress} of ${counted(lines, "line")}`;
    if (linesWithAddress === 0)
      throw new GatewayError(
        `${file}: an address${where} is in ${count}: correct --clients or --clients-field`,
      );
    if (linesWithAddress < lines)
      this.note(`${file}: an address${where} is in ${count}; the others are ignored`);
    return { isMatched: false, log, resource };
  }
}
