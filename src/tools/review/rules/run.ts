/** The rules about what the run of the plan shows: what the service refuses, and what one step makes of another. */
import { counted } from "../../../schema/text/phrase";
import type { ChangeRule } from "../rule";

export const runRules: readonly ChangeRule[] = [
  {
    id: "interruption/refused",
    severity: "error",
    title: "The service refuses a step of the deployment",
    help: "The deployment stops there, with a part of its changes made. Correct the program as the message says. The review works on a copy of what the stacks record: an object that the copy lacks may be another reason.",
    needsAll: true,
    *changes({ rehearsal, resources }) {
      const { refusals = [], notReached = [] } = rehearsal ?? {};
      const cut =
        notReached.length === 0 ? "" : `; ${counted(notReached.length, "later step")} would not be reached`;
      for (const { urn, message } of refusals) {
        const on = resources.get(urn);
        if (on) yield { on, message: `the service refuses it: ${message}${cut}` };
      }
    },
  },
  {
    id: "interruption/undone",
    severity: "error",
    title: "One step of the deployment undoes another",
    help: "Two resources have one object: after the deployment it does not exist, or is not as the program declares it. Declare each object once. If it has a new name in the program, use the resource option `aliases`.",
    needsAll: true,
    *changes({ rehearsal, resources }) {
      for (const { urn, message } of rehearsal?.undone ?? []) {
        const on = resources.get(urn);
        if (on) yield { on, message: `after the deployment it is not as declared: ${message}` };
      }
    },
  },
];
