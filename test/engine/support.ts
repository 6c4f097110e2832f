import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorProcess } from "../support/emulator-process";
import {
  Program,
  type DoorName,
  type ProgramOptions,
  type Stack,
  type StateResource,
} from "../support/engine";
import { processesOf, type ProcessInfo } from "../support/processes";

/** The first lines of a plain CommonJS program, which needs no compiler and so starts fastest. */
export const preludeOf = (door: "" | "/native"): string => `
const pulumi = require("@pulumi/pulumi");
const { ApiKey, IpPolicy, IpPolicyRule, Provider } = require("pulumi-tunnel-gateway${door}");
`;

/** The same over dynamic resources. */
export const prelude = preludeOf("");

/** Both ways in which the resources of a program reach the provider. */
export { doors } from "../rounds/doors";

/** A plain CommonJS program of these statements. */
export function cjs(body: string, options: Omit<ProgramOptions, "files" | "kind"> = {}): Program {
  return new Program({ ...options, kind: "cjs", files: throughDoor(prelude + body, options.door) });
}

/** The text of a program with the classes of a door. */
function throughDoor(text: string, door: DoorName = "dynamic"): string {
  return door === "native"
    ? text.replaceAll('"pulumi-tunnel-gateway"', '"pulumi-tunnel-gateway/native"')
    : text;
}

/** The plugin processes of a stack, which outlive its engine. */
export function pluginsOf(stack: Stack): ProcessInfo[] {
  const part = stack.program.door === "native" ? nativePlugin : "dynamic-provider";
  return processesOf(stack).filter(({ command }) => command.includes(part));
}

const nativePlugin = "pulumi-tunnel-gateway/dist/native";

/** For programs in TypeScript whose types are checked elsewhere, such as the examples, which `npm run types` checks. */
export const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** Puts other statements in the place of a program's. */
export function rewrite(program: Program, body: string): void {
  program.write(throughDoor(prelude + body, program.door));
}

/** What the requests so far did, as `METHOD collection`, without ids and in alphabetical order. */
export async function sent(emulator: EmulatorProcess): Promise<string[]> {
  const requests = await emulator.requests();
  return requests.map(({ method, path }) => `${method} /${path.split("/")[1]}`).sort();
}

/** The bodies of all requests that are no reads, by `METHOD path`; no two may be alike. */
export async function writes(emulator: EmulatorProcess): Promise<Record<string, unknown>> {
  const all = (await emulator.requests()).filter(({ method }) => method !== "GET");
  const byLine = Object.fromEntries(all.map(({ method, path, body }) => [`${method} ${path}`, body]));
  if (Object.keys(byLine).length !== all.length) throw new Error(`sent twice: ${JSON.stringify(all)}`);
  return byLine;
}

/** The resources of this package in the stack's state file, by name; of a replaced one the new one. */
export function resources(stack: Stack): Record<string, StateResource> {
  return Object.fromEntries(ownResources(stack).map((each) => [nameOf(each), each]));
}

/** The same as a list: a component and its parts may have one name. */
export function ownResources(stack: Stack): StateResource[] {
  const { checkpoint } = JSON.parse(stack.stateText()) as {
    checkpoint: { latest: { resources?: StateResource[] } | null };
  };
  const own = (checkpoint.latest?.resources ?? []).filter(({ type }) => type.includes("tunnel-gateway:"));
  return own.filter((each) => each.delete !== true);
}

/** The id of a resource in the stack. */
export function idOf(stack: Stack, name: string): string {
  const id = resources(stack)[name]?.id;
  if (id === undefined) throw new Error(`the stack holds no ${name}`);
  return id;
}

function nameOf({ urn }: StateResource): string {
  return urn.split("::").at(-1)!;
}

/** Expects that the state names the line of the program's own that constructs a resource as its place. */
export function expectPlaces(stack: Stack): void {
  const { dir, main } = stack.program;
  const lines = readFileSync(join(dir, main), "utf8").split("\n");
  const places = Object.entries(resources(stack)).map(([name, { type, sourcePosition, stackTrace }]) => {
    const { file, line } =
      /^project:\/\/\/(?<file>.+)#(?<line>\d+),\d+$/.exec(String(sourcePosition))?.groups ?? {};
    const [first] = (stackTrace ?? []) as { sourcePosition?: string }[];
    const text = `${file} ${lines[Number(line) - 1]?.trim()}`;
    return { name, type, text, isFirst: first?.sourcePosition === sourcePosition };
  });
  expect(places.length).toBeGreaterThan(0);
  for (const { name, type, text, isFirst } of places) {
    expect(text).toMatch(new RegExp(`^${main} .*new ${type.split(":").at(-1)}\\("${name}"`));
    expect(isFirst).toBe(true);
  }
}

/** What must be nowhere in what a user reads of a failure. */
export const stackTrace = /\n\s+at .+[:(]\d+|node_modules|node:internal/;
