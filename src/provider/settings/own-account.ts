/**
 * Whether the account is that of the stack. With the key of another account every object of the stack is answered 404: taken
 * as deleted, the next deployment would create all of them in that account.
 */
import { createHash } from "node:crypto";
import { counted } from "../../schema/text/phrase";
import { GatewayError } from "../errors";
import type { AccountSettings } from "./read-settings";

/** The environment variable that accepts, with "true", that every object of a stack was deleted. */
export const acceptDeleted = "TUNNEL_GATEWAY_ACCEPT_DELETED";

/** The reason why nothing continues where none of so many objects exists. */
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
 * What the state of an object records of the account in which it was created: a part of a hash of the key, from which nobody
 * learns the key. With the same key an object that is gone was deleted, whatever else is read.
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

/** How long no further read may begin, in milliseconds, until those that found nothing count as all. */
const quietTime = 1000;

/**
 * Watches the reads of a refresh in one plugin, which works with one account. Pulumi reads object by object, many at once, so a
 * deletion is reported as soon as any object was found.
 */
export class OwnAccount {
  private isOwn = false;
  private running = 0;
  private readonly waiting = new Set<{
    readonly accept: () => void;
    readonly refuse: (error: Error) => void;
  }>();
  private timer: NodeJS.Timeout | undefined;

  /** The result of the read. Throws a GatewayError where the object is gone, and so is every other one that is read. */
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

  /** Waits until an object is found. Throws where none is. */
  private another(): Promise<void> {
    return new Promise((accept, refuse) => {
      this.waiting.add({ accept, refuse });
      this.watch();
    });
  }

  /** Where nothing but waiting reads is left, Pulumi may still begin others. */
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
