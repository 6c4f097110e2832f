/** The number of requests that a deployment sends, and the time that the rate limit makes them take. */
import { changesOf } from "./differences";
import type { Subject } from "./preview";

/** The usual rate limit of services of this kind, in requests per minute. */
const usualRateLimit = 120;

export interface Cost {
  readonly requests: number;
  readonly requestsPerMinute: number;
  /** The shortest time that the rate limit allows, in seconds, without the time of the answers. */
  readonly seconds: number;
}

export function costOf(subjects: readonly Subject[], requestsPerMinute: number = usualRateLimit): Cost {
  const requests = subjects.reduce((sum, subject) => sum + requestsOf(subject), 0);
  // The requests of one window may be sent at once; each further window begins a minute later.
  const windows = Math.max(0, Math.ceil(requests / requestsPerMinute) - 1);
  return { requests, requestsPerMinute, seconds: windows * 60 };
}

/** A create at a fixed path first reads the path: it never takes over an existing object. */
function requestsOf(subject: Subject): number {
  const creating = subject.declaration.style === "collection" ? 1 : 2;
  switch (subject.action) {
    case "create":
      return creating;
    case "replace":
      return creating + 1;
    case "update":
      return changesOf(subject).recordedOnly ? 0 : 1;
    case "delete":
      return 1;
    case "same":
      return 0;
  }
}
