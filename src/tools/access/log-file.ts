/** Files with logs of clients. */
import { createReadStream } from "node:fs";
import { GatewayError } from "../../provider/errors";
import { quote, counted } from "../../schema/text/phrase";
import { ClientLog } from "./client-log";

/** A file with a log. */
export interface LogFile {
  readonly file: string;
  /** The resource whose clients it has, by its name in access tables; undefined for all. */
  readonly resource: string | undefined;
}

/** How logs are read. */
export interface LogReading {
  /** The option that names the files. */
  readonly option: string;
  /** The member of JSON lines that holds the address; without it the first address of a line counts. */
  readonly field: string | undefined;
  readonly note: (line: string) => void;
}

/** Reads a log. Throws a GatewayError if it cannot be read, or if no line has an address. */
export async function readLog({ file }: LogFile, { option, field, note }: LogReading): Promise<ClientLog> {
  const log = new ClientLog(field);
  try {
    for await (const chunk of createReadStream(file)) log.push(chunk as Buffer);
  } catch (error) {
    throw new GatewayError(`the log could not be read: ${(error as Error).message}`);
  }
  log.end();
  const { lines, linesWithAddress } = log;
  const where = field === undefined ? "" : ` in ${quote(field)}`;
  const count = `${linesWithAddress} of ${counted(lines, "line")}`;
  if (linesWithAddress === 0)
    throw new GatewayError(
      `${file}: an address${where} is in ${count}: correct ${option} or --clients-field`,
    );
  if (linesWithAddress < lines) note(`${file}: an address${where} is in ${count}; the others are ignored`);
  return log;
}

/** The error for a log of a resource that does not exist. */
export function noSuchResource(option: string, resource: string, remedy = ""): GatewayError {
  return new GatewayError(
    `nothing with IP policies has the name ${quote(resource)} of ${option}: correct it, as the access table writes it${remedy}`,
  );
}
