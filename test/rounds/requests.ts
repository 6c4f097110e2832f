/** The requests that stand for what happens to an object. */
import { declarationOf } from "../../src/resources/registry";
import { secretsOfCreation } from "../../src/schema/secrets";
import type { EmulatorClient } from "../support/emulator-process";
import { wire, type Json } from "./subject";

export interface Write {
  readonly line: string;
  readonly body?: unknown;
}

/** The mark of a creation is random. */
const mark = /^pulumi-tunnel-gateway creation [\da-f-]{36}$/;
const anyMark = "<creation mark>";

/** The writes since the log was cleared, as they were sent; each mark of a creation as the words for it. */
export async function writesTo(emulator: EmulatorClient): Promise<Write[]> {
  const all = await emulator.requests();
  return all
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => ({
      line: `${method} ${path}`,
      ...(body === undefined ? {} : { body: withoutMark(body as Json) }),
    }));
}

/** The path of an object. */
export function pathOf(type: string, id: string): string {
  const { style, path } = declarationOf(type);
  const values = id.split("/");
  return style === "collection" ? `${path}/${id}` : path.replace(/\{\w+\}/g, () => values.shift()!);
}

/** What a creation sends though the program leaves it out, by class. */
const alwaysSent: Readonly<Record<string, Json>> = { EventDestination: { format: "json" } };

function withoutMark(body: Json): Json {
  return mark.test(String(body.metadata)) ? { ...body, metadata: anyMark } : body;
}

/** The requests that make an object, in order: one, and a second one where the first carries a mark. */
export function makes(type: string, id: string, args: Json): Write[] {
  const { style, path, fields } = declarationOf(type);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
  const body = { ...alwaysSent[type], ...wire(args) };
  if (style === "singleton") return [{ line: `PUT ${filled}`, body }];
  if (style !== "collection") return [{ line: `POST ${filled.slice(0, filled.lastIndexOf("/"))}`, body }];
  const line = `POST ${path}`;
  if (secretsOfCreation(fields).length === 0) return [{ line, body }];
  const wanted = { metadata: args.metadata ?? "" };
  return [{ line, body: { ...body, metadata: anyMark } }, updates(type, id, wanted)];
}

/** The request that changes an object. */
export function updates(type: string, id: string, body: Json): Write {
  const verb = declarationOf(type).style === "collection" ? "PATCH" : "PUT";
  return { line: `${verb} ${pathOf(type, id)}`, body };
}

/** The request that deletes an object. */
export function deletes(type: string, id: string): Write {
  return { line: `DELETE ${pathOf(type, id)}` };
}

/** Writes in an order of their own, to compare those of two lists. */
export function sorted(writes: readonly Write[]): Write[] {
  return [...writes].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** The write as text; that of an equal one is the same. */
export function textOf(write: Write): string {
  return JSON.stringify(write, [...keysIn(write)].sort());
}

function keysIn(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.entries(value).flatMap(([key, item]) => [key, ...keysIn(item)]));
}
