/** Finds the approved writes that a sent one may be, without a comparison with each of them. */
import { withoutRandomPart } from "../../schema/metadata";
import { membersOf } from "../../schema/unknown";
import type { ApprovedWrite } from "./approval";
import { escaped } from "./template";

interface Address {
  readonly baseUrl: string;
  readonly method: string;
  readonly path: string;
}

interface Sent extends Address {
  readonly body: unknown;
}

interface Indexed {
  readonly write: ApprovedWrite;
  readonly position: number;
  readonly baseUrl: string;
}

/** The approved writes with one address, or with addresses of one form. */
interface Place<T> {
  readonly all: readonly T[];
  /** The members of bodies in which some of them have a hole. */
  readonly open: ReadonlySet<string | undefined>;
  /** By the plain values of their other members. */
  readonly byMembers: ReadonlyMap<string, readonly T[]>;
}

export class WriteIndex<T extends Indexed> {
  private readonly places = new Map<string, Place<T>>();

  constructor(entries: readonly T[]) {
    const byAddress = Map.groupBy(entries, ({ baseUrl, write: { method, path } }) =>
      path.includes("{") ? formOf({ baseUrl, method, path }) : addressOf({ baseUrl, method, path }),
    );
    for (const [address, all] of byAddress) {
      const open = new Set(
        all.flatMap(({ write: { holes = [] } }) => holes.map(({ at }) => at.split("/")[1])),
      );
      const byMembers = Map.groupBy(all, ({ write: { body } }) => plainMembers(body, open));
      this.places.set(address, { all, open, byMembers });
    }
  }

  /** The writes that may have the address of the write. */
  *near(sent: Sent): Generator<T> {
    for (const { all } of this.placesOf(sent)) yield* all;
  }

  /** Those of them that may have its body, in their order. */
  like(sent: Sent): T[] {
    const found = this.placesOf(sent).flatMap(
      ({ open, byMembers }) => byMembers.get(plainMembers(sent.body, open)) ?? [],
    );
    return found.sort((one, other) => one.position - other.position);
  }

  private placesOf(sent: Sent): Place<T>[] {
    return [addressOf(sent), formOf(sent)].flatMap((address) => this.places.get(address) ?? []);
  }
}

function addressOf({ baseUrl, method, path }: Address): string {
  return `${method} ${baseUrl} ${path}`;
}

/** What an address has in common with each template of it: the first part of the path, and the number of its parts. */
function formOf({ baseUrl, method, path }: Address): string {
  const [, first = "", ...others] = path.split("/");
  return `${method} ${baseUrl} ${first} {${others.length}}`;
}

/** The members of a body that are no lists and no objects, as a text that their order does not change. */
function plainMembers(body: unknown, open: Place<unknown>["open"]): string {
  const plain = Object.entries(membersOf(body)).flatMap(([name, value]) => {
    if (open.has(escaped(name)) || (typeof value === "object" && value !== null)) return [];
    return JSON.stringify([name, typeof value === "string" ? withoutRandomPart(value) : value]);
  });
  return plain.sort().join();
}
