/** One stack whose program reads its resources from a file, so that a round only rewrites that file. */
import type { EmulatorProcess } from "../../support/emulator-process";
import { Program, type Plan, type Stack, type StackOptions } from "../../support/engine";
import { declarationOf } from "../../../src/resources/registry";
import { resources } from "../support";
import { wire, type Json } from "./subject";

export interface WorldResource {
  readonly name: string;
  readonly type: string;
  readonly args: Json;
  /** Pulumi's resource options; `dependsOn` names other resources. */
  readonly opts?: { readonly dependsOn?: string[]; readonly [option: string]: unknown };
}

/** An object that exists without the stack, and is looked up. */
export interface LookUp {
  readonly name: string;
  readonly type: string;
  readonly id: string;
}

const program = `
const pulumi = require("@pulumi/pulumi");
const gateway = require("pulumi-tunnel-gateway");
const world = JSON.parse(require("node:fs").readFileSync(__dirname + "/world.json", "utf8"));
const made = {};
const isReference = (text) => typeof text === "string" && text.startsWith("@");
const idOf = (text) => (isReference(text) ? made[text.slice(1)].id : text);
function filled(value) {
  if (typeof value !== "object" || value === null) return idOf(value);
  if (Array.isArray(value)) return value.map(filled);
  const entries = Object.entries(value).map(([key, item]) => [key, filled(item)]);
  if (!entries.some(([key]) => isReference(key))) return Object.fromEntries(entries);
  // No Output can be a key.
  return pulumi
    .all(entries.map(([key]) => idOf(key)))
    .apply((keys) => Object.fromEntries(entries.map(([, item], i) => [keys[i], item])));
}
for (const { name, type, args, opts = {} } of world.resources) {
  const dependsOn = (opts.dependsOn ?? []).map((other) => made[other]);
  made[name] = new gateway[type](name, filled(args), { ...opts, dependsOn });
}
for (const { name, type, id } of world.lookUps) made[name] = gateway[type].get(name, id);
`;

/** A stack of such a program, and its account. */
export class World {
  private constructor(
    readonly emulator: EmulatorProcess,
    readonly stack: Stack,
  ) {}

  static async start(emulator: EmulatorProcess, options: StackOptions = {}): Promise<World> {
    const own = new Program({ kind: "cjs", files: { "index.js": program } });
    return new World(emulator, await own.stack({ ...options, env: { ...emulator.env, ...options.env } }));
  }

  /** Says what the program declares from now on. */
  declare(declared: readonly WorldResource[], lookUps: readonly LookUp[] = []): void {
    this.stack.program.write({ "world.json": JSON.stringify({ resources: declared, lookUps }) });
  }

  /** Values with the ids that references stand for. */
  resolved<T>(value: T): T {
    const ids = this.ids();
    const fill = (each: unknown): unknown => {
      if (typeof each === "string") return each.startsWith("@") ? ids[each.slice(1)] : each;
      if (typeof each !== "object" || each === null) return each;
      if (Array.isArray(each)) return each.map(fill);
      return Object.fromEntries(Object.entries(each).map(([key, item]) => [fill(key), fill(item)]));
    };
    return fill(value) as T;
  }

  /** The ids of all resources, by name. */
  ids(): Record<string, string> {
    const all = Object.entries(resources(this.stack));
    return Object.fromEntries(all.map(([name, { id }]) => [name, id!]));
  }

  /** The writes since the log was cleared, as they were sent. */
  async writes(): Promise<Write[]> {
    const all = await this.emulator.requests();
    return all
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => ({
        line: `${method} ${path}`,
        ...(body === undefined ? {} : { body }),
      }));
  }
}

export interface Write {
  readonly line: string;
  readonly body?: unknown;
}

/** What is done to each resource, by name, without those to which nothing is. */
export function operations({ changes }: Plan): Record<string, string> {
  // An update tells a replacement in three steps, a preview in one.
  const steps = changes.filter(({ op }) => !["create-replacement", "delete-replaced"].includes(op));
  return Object.fromEntries(steps.map(({ op, name }) => [name, op]));
}

/** The path of an object. */
export function pathOf(type: string, id: string): string {
  const { style, path } = declarationOf(type);
  const values = id.split("/");
  return style === "collection" ? `${path}/${id}` : path.replace(/\{\w+\}/g, () => values.shift()!);
}

/** The request that makes an object. */
export function makes(type: string, args: Json): Write {
  const { style, path } = declarationOf(type);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
  const body = wire(args);
  if (style === "collection") return { line: `POST ${path}`, body };
  return style === "singleton"
    ? { line: `PUT ${filled}`, body }
    : { line: `POST ${filled.slice(0, filled.lastIndexOf("/"))}`, body };
}

/** Compares writes in any order. */
export function sorted(writes: readonly Write[]): Write[] {
  const text = (write: Write) => JSON.stringify(write, [...keysIn(write)].sort());
  return [...writes].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function keysIn(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.entries(value).flatMap(([key, item]) => [key, ...keysIn(item)]));
}
