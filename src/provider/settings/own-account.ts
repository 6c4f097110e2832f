/**
 * Checks whether the account is that of the stack. With the key of another account, the service answers 404 for every object of
 * the stack. If the provider took them as deleted, the next deployment would create all of them in that account.
 */
import { createHash } from "node:crypto";
import { counted } from "../../schema/text/phrase";
import { GatewayError } from "../errors";
import type { AccountSettings } from "./read-settings";

/** The environment variable that accepts, with "true", that every object of a stack was deleted. */
export const acceptDeleted = "TUNNEL_GATEWAY_ACCEPT_DELETED";

/** The reason why an operation stops when none of this many objects exists. */
export function noneExists(count: number): string {
  const nothing =
    count === 1
      ? "the object of the stack that was looked for does not exist"
      : `none of the ${counted(count, "object")} of the stack that were looked for exists`;
  return (
    `${nothing} in the account, so the key may belong to another account: correct it. ` +
    `If somebody deleted the ${count === 1 ? "object" : "objects"}, run the command once with ${acceptDeleted}=true`
  );
}

/**
 * The mark of an account, which the state of an object records: part of a hash of the key. It does not reveal the key. If the key
 * is unchanged, a missing object was deleted, whatever other reads find.
 */
export function accountMark({
  baseUrl,
  apiKey,
  broker,
}: Pick<AccountSettings, "baseUrl" | "apiKey" | "broker">): string {
  const told = broker?.marks[baseUrl];
  if (told !== undefined) return told;
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, apiKey]))
    .digest("hex")
    .slice(0, 16);
}

/** The time without a new read after which the reads so far count as all, in milliseconds. */
const quietTime = 1000;

/**
 * Watches the reads of a refresh in one plugin, which works with one account. Pulumi reads many objects at once, so a deletion is
 * reported as soon as any object is found.
 */
export class OwnAccount {
  private isOwn = false;
  private running = 0;
  private readonly waiting = new Set<{
    readonly accept: () => void;
    readonly refuse: (error: Error) => void;
  }>();
  private timer: NodeJS.Timeout | undefined;

  /** The result of the read. Throws a GatewayError if this object and all others that are read are gone. */
  async confirmed<T>(read: Promise<T>, isGone: (result: T) => boolean): Promise<T> {
    this.running += 1;
    clearTimeout(this.timer);
    try {
      const result = await read;
      if (!isGone(result)) this.found();
      else if (!this.isOwn) await this.another();
      return result;
    } finally {
      this.running -= 1;
      this.watch();
    }
  }

  private found(): void {
    this.isOwn = true;
    for (const { accept } of this.waiting) accept();
    this.waiting.clear();
  }

  /** Waits until an object is found. Throws if none is. */
  private another(): Promise<void> {
    return new Promise((accept, refuse) => {
      this.waiting.add({ accept, refuse });
      this.watch();
    });
  }

  /** When all running reads wait, Pulumi may still begin others, so the decision waits for the quiet time. */
  private watch(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0 || this.waiting.size < this.running) return;
    this.timer = setTimeout(() => {
      const error = new GatewayError(noneExists(this.waiting.size));
      for (const { refuse } of this.waiting) refuse(error);
      this.waiting.clear();
    }, quietTime);
  }
}
