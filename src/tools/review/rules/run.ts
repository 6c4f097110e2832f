/** The rules about the run of the plan: steps that the service refuses, and steps that undo or hinder each other. */
import { counted } from "../../../schema/text/phrase";
import { named } from "../../inventory/inventory";
import type { ChangeRule } from "../rule";
import { fromWire } from "../../../provider/life-cycle/wire";
import { contested } from "../../../schema/occupied-addresses";
import { occupyingDeclarations } from "../../../schema/declaration";
import type { Json } from "../../../schema/json";
import { isAbsent } from "../../../schema/unknown";
import type { Rehearsal } from "../../rehearsal/rehearse";

export const runRules: readonly ChangeRule[] = [
  {
    id: "interruption/refused",
    severity: "error",
    title: "The service refuses a step of the deployment",
    help: "The deployment stops there, with a part of its changes made. Correct the program as the message says. If the account was not read, an object that the stack does not record may also be the reason.",
    needsAll: true,
    *changes(find, { rehearsal, resources }) {
      const { refusals = [], notReached = [] } = rehearsal ?? {};
      const cut =
        notReached.length === 0 ? "" : `; ${counted(notReached.length, "later step")} would not be reached`;
      for (const { urn, message } of refusals) {
        const on = resources.get(urn);
        if (on) yield find(on, `the service refuses it: ${message}${cut}`);
      }
    },
  },
  {
    id: "interruption/undone",
    severity: "error",
    title: "An object is not as declared or recorded",
    help: "Two resources have one object: declare it once, with the resource option `aliases` for a new name. Or the account has other values than the state: review with `--refresh`. If that finds it too, `stateMigrations` of the program changed the state.",
    needsAll: true,
    *changes(find, { rehearsal, resources }) {
      for (const { urn, message } of rehearsal?.undone ?? []) {
        const on = resources.get(urn);
        const what =
          on?.action === "delete"
            ? "the deployment may not delete the recorded object"
            : "after the deployment it is not as declared";
        if (on) yield find(on, `${what}: ${message}`);
      }
    },
  },
  {
    id: "interruption/address-in-use",
    severity: "warning",
    title: "Two objects serve one address for a time",
    help: "The service may refuse that. Take two steps: deploy the program without the address, then this one.",
    needsAll: true,
    *changes(find, { rehearsal, resources, before, after }) {
      if (!rehearsal) return;
      const urns = new Map([...rehearsal.made].map(([urn, id]) => [id, urn]));
      for (const { urn, address, holder, type, isFreedLater } of contestedAddresses(rehearsal)) {
        const on = resources.get(urn);
        if (!on) continue;
        const other = before.byId(holder, on.after?.provider) ?? after.all.get(urns.get(holder) ?? "");
        const which = other ? named(other) : `${type} ${holder}, which is not in the stack`;
        const until = isFreedLater ? ", until a later step of this deployment" : "";
        const message = `the service may refuse ${address}: it is an address of ${which}${until}`;
        yield find(on, message, { field: on.declaration.address });
      }
    },
  },
];

/**
 * The writes that give an object an address which another object, the holder, serves. The specification allows that, but services
 * were seen to refuse it.
 */
export function contestedAddresses({ accounts, requests }: Pick<Rehearsal, "accounts" | "requests">) {
  return accounts.flatMap(({ baseUrl, before }) => {
    const served = new Served();
    for (const { path } of occupyingDeclarations())
      for (const object of before[path.slice(1)] ?? []) served.set(path, String(object.id), object);
    const found = requests
      .filter((request) => request.baseUrl === baseUrl)
      .flatMap(({ urn, changes }) =>
        changes.flatMap(({ list, id, object }) =>
          served.set(`/${list}`, id, object).map((each) => ({ urn, ...each })),
        ),
      );
    // All writes are in `served` now, so it has what remains after the deployment.
    return found.map((each) => ({ ...each, isFreedLater: !served.serves(each.holder, each.address) }));
  });
}

interface Occupant {
  readonly addresses: readonly string[];
  readonly isShared: boolean;
  readonly type: string;
}

/** The addresses that the objects of one account serve. */
class Served {
  private readonly byId = new Map<string, Occupant>();
  private readonly byAddress = new Map<string, Set<string>>();

  serves(id: string, address: string): boolean {
    return this.byId.get(id)?.addresses.includes(address) === true;
  }

  /** Sets the present object, undefined for a deleted one. Returns its new addresses that another object serves too. */
  set(path: string, id: string, object: Json | undefined) {
    const declaration = occupyingDeclarations().find((each) => each.path === path);
    if (declaration === undefined) return [];
    const old = this.byId.get(id);
    for (const address of old?.addresses ?? []) this.byAddress.get(address)?.delete(id);
    this.byId.delete(id);
    // The service makes the endpoints of edges itself.
    if (object === undefined || !isAbsent(object.edge)) return [];
    const own: Occupant = {
      ...declaration.occupies!(fromWire(declaration.fields, object)),
      type: declaration.type,
    };
    this.byId.set(id, own);
    return own.addresses.flatMap((address) => {
      const others = this.byAddress.get(address) ?? new Set();
      const holder = [...others].find((each) => contested(own, this.byId.get(each)!) !== undefined);
      this.byAddress.set(address, others.add(id));
      const isNew = old?.addresses.includes(address) !== true;
      return holder !== undefined && isNew ? [{ address, holder, type: this.byId.get(holder)!.type }] : [];
    });
  }
}
