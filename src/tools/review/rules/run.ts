/** The rules about the run of the plan: steps that the service refuses, and steps that undo or hinder each other. */
import { counted } from "../../../schema/text/phrase";
import { contestedAddresses } from "../../rehearsal/contested";
import { named } from "../../inventory/inventory";
import type { ChangeRule } from "../rule";

export const runRules: readonly ChangeRule[] = [
  {
    id: "interruption/refused",
    severity: "error",
    title: "The service refuses a step of the deployment",
    help: "The deployment stops there, with a part of its changes made. Correct the program as the message says. If the account was not read, an object that the stack does not record may also be the reason.",
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
    title: "An object is not as declared or recorded",
    help: "Two resources have one object: declare it once, with the resource option `aliases` for a new name. Or the account has other values than the state: review with `--refresh`. If that finds it too, `stateMigrations` of the program changed the state.",
    needsAll: true,
    *changes({ rehearsal, resources }) {
      for (const { urn, message } of rehearsal?.undone ?? []) {
        const on = resources.get(urn);
        const what =
          on?.action === "delete"
            ? "it is not the recorded object"
            : "after the deployment it is not as declared";
        if (on) yield { on, message: `${what}: ${message}` };
      }
    },
  },
  {
    id: "interruption/address-in-use",
    severity: "warning",
    title: "Two objects serve one address for a time",
    help: "The service may refuse that. Take two steps: deploy the program without the address, then this one.",
    needsAll: true,
    *changes({ rehearsal, resources, before, after }) {
      if (!rehearsal) return;
      const urns = new Map([...rehearsal.made].map(([urn, id]) => [id, urn]));
      for (const { urn, address, holder, type, isFreedLater } of contestedAddresses(rehearsal)) {
        const on = resources.get(urn);
        if (!on) continue;
        const other = before.byId(holder, on.after?.provider) ?? after.all.get(urns.get(holder) ?? "");
        const which = other ? named(other) : `${type} ${holder}, which is not in the stack`;
        const until = isFreedLater ? ", until a later step of this deployment" : "";
        const message = `the service may refuse ${address}: it is an address of ${which}${until}`;
        yield { on, field: on.declaration.address, message };
      }
    },
  },
];
