/**
 * Objects that something used until this process deleted or changed it. A service may still refuse, for some seconds, to
 * delete such an object because it is in use.
 */
import { oncePer } from "../../schema/once-per";
import type { Declaration } from "../../schema/declaration";
import { idSlots } from "../../schema/references";
import type { Json } from "../../schema/json";
import { minute } from "../../schema/text/phrase";
import { ApiError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";

/** For how long a service may treat an unused object as in use, in milliseconds. */
const longestUse = minute;

/** When something last stopped using an object, by the object's id. */
const releases = oncePer((_http: Http) => new Map<string, number>());

/** Notes that an object with the values `before` was deleted, or has the values `after` now. */
export function noteReleases(http: Http, { fields }: Declaration, before: Json, after: Json = {}): void {
  const kept = new Set(idSlots(fields, after).map(({ id }) => id));
  for (const { id } of idSlots(fields, before)) {
    if (id !== undefined && !kept.has(id)) releases(http).set(id, http.timing.elapsed());
  }
}

/** Whether something used the object until this process deleted or changed it. */
export function isReleased(http: Http, id: string): boolean {
  return releases(http).has(id);
}

/**
 * Sends the deletion of an object, and sends it again while it is refused and something has used the object until just now. The
 * specification does not say which of the two statuses the refusal has, and its text decides nothing.
 */
export async function onceReleased<T>(
  http: Http,
  id: string,
  budget: Budget,
  send: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const released = releases(http).get(id);
      const mayBeInUse = error instanceof ApiError && [400, 409].includes(error.status);
      if (released === undefined || !mayBeInUse) throw error;
      const isOver = http.timing.elapsed() - released >= longestUse;
      const refusal = isOver ? error : await http.pause(error, budget).then(nothing, () => error);
      if (refusal) throw refusal.advised(advice);
    }
  }
}

const nothing = (): undefined => undefined;

const advice =
  "This run deleted or changed what used it, so run the command again in a minute. If it fails again, something else uses " +
  "the object: change or delete that first";
