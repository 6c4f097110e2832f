/** How many requests a deployment sends, and how long the service's rate limit makes that take. */
import { changesOf } from "./differences";
import type { Subject } from "./preview";

/** Services of this kind allow so many requests in a minute where nothing else is said. */
const usualPace = 120;

export interface Cost {
  readonly requests: number;
  readonly requestsPerMinute: number;
  /** The least time that the pace allows, in seconds. The service's answers take their own time. */
  readonly seconds: number;
}

export function costOf(subjects: readonly Subject[], requestsPerMinute: number = usualPace): Cost {
  const requests = subjects.reduce((sum, subject) => sum + requestsOf(subject), 0);
  // A window's requests may go at once; each further window begins a minute later.
  const windows = Math.max(0, Math.ceil(requests / requestsPerMinute) - 1);
  return { requests, requestsPerMinute, seconds: windows * 60 };
}

/** What stands at a path of its own is looked for before it is made, so that nothing is taken over. */
function requestsOf(subject: Subject): number {
  const making = subject.declaration.style === "collection" ? 1 : 2;
  switch (subject.action) {
    case "create":
      return making;
    case "replace":
      return making + 1;
    case "update":
      return changesOf(subject).recordedOnly ? 0 : 1;
    case "delete":
      return 1;
    case "same":
      return 0;
  }
}
