/**
 * Finds the object that has an address which the service refused. The specification states no refusal of an address in use, so
 * neither the status nor the text decides: the account is searched.
 */
import { contested } from "../../schema/occupied-addresses";
import { occupyingDeclarations } from "../../schema/declaration";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { stampIn } from "../../schema/metadata";
import { isRecord } from "../../schema/unknown";
import type { Answer } from "../../schema/values";
import { ApiError } from "../errors";
import type { Http } from "../http/http";
import { listRequest, pages } from "../http/pagination";
import { fromWire } from "./wire";
import { renamed } from "./object-client";

/** Refusals because of the key or a missing object, and those that are retried. */
const ofSomethingElse: readonly number[] = [401, 403, 404, 410, 429];

/** Whether a refusal may be because of an address in use. */
export function mayBeAboutAddress(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || ofSomethingElse.includes(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/** Whether an update from one to the other sends nothing about an address. */
export function isSameAddress({ occupies }: Declaration, before: Json, after: Json): boolean {
  return JSON.stringify(occupies?.(before)) === JSON.stringify(occupies?.(after));
}

/**
 * Advice that names the object with an address of the values; undefined if there is none. The list of the declaration is
 * searched first.
 * @param id the id of the object itself, if it exists.
 */
export async function addressHolder(
  http: Http,
  declaration: Declaration,
  values: Json,
  id?: string,
): Promise<string | undefined> {
  const own = declaration.occupies?.(values);
  if (own === undefined || own.addresses.length === 0) return undefined;
  const others = occupyingDeclarations().filter((each) => each !== declaration);
  for (const kind of [declaration, ...others]) {
    const list = { ...listRequest(kind), operation: `looking for who has ${own.addresses.join(" and ")}` };
    for await (const page of pages(http, list)) {
      for (const object of page) {
        // The list of endpoints also shows those that edges serve.
        const isOwn =
          id !== undefined && (object.id === id || (isRecord(object.edge) && object.edge.id === id));
        const address = isOwn ? undefined : contested(own, kind.occupies!(fromWire(kind.fields, object)));
        if (address !== undefined) return waysOut(address, kind, object);
      }
    }
  }
  return undefined;
}

function waysOut(address: string, { noun, only }: Declaration, object: Answer): string {
  const isOther = only?.test(object) === false;
  const holder = `the ${isOther ? `endpoint of the type ${String(object.type)}` : noun} ${String(object.id)}`;
  const stamp = stampIn(object.metadata);
  const owner = stamp
    ? `, which is the resource ${JSON.stringify(stamp.name)} of the stack ${stamp.project}/${stamp.stack}`
    : "; pulumi stack --show-ids names its resource, if the stack has it";
  return (
    `${address} is an address of ${holder} already${owner}. ${renamed}. If Pulumi replaces it, set deleteBeforeReplace. ` +
    "If the address moves to another resource, take two steps: run pulumi up with a program that has the address nowhere, " +
    "then with this program"
  );
}
