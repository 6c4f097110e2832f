/** Addresses that two objects serve at one time in a rehearsal: the specification allows that, but services were seen to refuse it. */
import { fromWire } from "../../provider/life-cycle/wire";
import { contested } from "../../schema/addresses";
import { occupyingDeclarations } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { isAbsent } from "../../schema/unknown";
import type { Rehearsal } from "./rehearse";

/** A write that gives an object an address which another one serves. */
export interface ContestedAddress {
  readonly urn: string;
  readonly address: string;
  /** The id of the other object, and its class. */
  readonly holder: string;
  readonly type: string;
  /** Whether a later write takes the address from the other object. */
  readonly isFreedLater: boolean;
}

type Written = Pick<Rehearsal, "accounts" | "requests">;

export function contestedAddresses({ accounts, requests }: Written): ContestedAddress[] {
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
  set(
    path: string,
    id: string,
    object: Json | undefined,
  ): Pick<ContestedAddress, "address" | "holder" | "type">[] {
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
