/** The file for `pulumi import --file`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { membersOf } from "../../schema/unknown";
import { checkArguments, problemText } from "../../schema/validate";
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";
import type { Json } from "../../schema/json";
import {
  withoutHidden,
  isRecordedState,
  shimIn,
  adoptedState,
  stateForEngine,
  valuesForEngine,
  withShim,
} from "../../schema/recorded-state";
import { declarationOf } from "../../resources/registry";
import { classIn, isNativeToken, shimOf } from "../../program/shim";
import { hasSecretInFile, plaintextOf, secretInFile } from "./engine-secrets";
import type { Declaration } from "../../schema/declaration";
import type { Arguments, Outputs } from "../../schema/values";

export interface ImportFile {
  /** The URNs of parents and providers, by the names that entries use for them. */
  readonly nameTable?: Readonly<Record<string, string>>;
  readonly resources: readonly ImportEntry[];
}

/**
 * The import file of resources, with the URNs of their parents and providers by name. Throws if the engine would import a wrong
 * value from it. `now` is in milliseconds since 1970.
 */
export function importFileOf(
  resources: readonly ImportEntry[],
  nameTable: Readonly<Record<string, string>>,
  now: number,
): ImportFile {
  const file = { ...(Object.keys(nameTable).length > 0 ? { nameTable } : {}), resources };
  const problems = importFileProblems(file, now);
  if (problems.length === 0) return file;
  throw new GatewayError(`the import file would be wrong: ${problems.join("; ")}`);
}

/** The problems of an import file, which the engine does not check. The messages hold no secret. */
export function importFileProblems({ resources, nameTable = {} }: ImportFile, now: number): string[] {
  const seen = new Set<string>();
  return resources.flatMap((entry) => {
    const keys = [`${entry.type} ${entry.name}`, `${entry.type} id ${entry.id}`];
    const repeated = keys.filter((key) => seen.has(key)).map(() => "appears twice");
    keys.forEach((key) => seen.add(key));
    return [...repeated, ...entryProblems(entry, nameTable, now)].map(
      (problem) => `${entry.type} ${entry.name}: ${problem}`,
    );
  });
}

function entryProblems(
  { type, id, inputs, outputs, parent, provider }: ImportEntry,
  nameTable: Readonly<Record<string, string>>,
  now: number,
): string[] {
  const ownClass = classIn(type);
  if (ownClass === undefined) return ["is not a class of this package"];
  const { fields, rules } = declarationOf(ownClass);
  const args = plaintextOf(withoutHidden(inputs)) as Json;
  return [
    ...(id === "" ? ["has no id"] : []),
    ...[parent, provider]
      .filter((name) => name !== undefined && !(name in nameTable))
      .map((name) => `${name} is not in the name table`),
    ...[inputs, outputs]
      .filter((values) => !isNativeToken(type) && typeof shimIn(values) !== "string")
      .map(() => "has no __provider"),
    ...checkArguments(fields, rules, args, { olds: args, now }).map(problemText),
    ...(isRecordedState(outputs) ? [] : ["its outputs are not a state of this package"]),
  ];
}

export interface WrittenImportFile {
  readonly resources: number;
  /** Whether it has plaintext secrets. */
  readonly holdsSecrets: boolean;
}

/**
 * Writes an import file. It may hold plaintext secrets, so only its owner may read it. A file without resources is not written.
 * Throws if a different kind of file has the name.
 */
export function writeImportFile(path: string, file: ImportFile): WrittenImportFile {
  if (existsSync(path) && !Array.isArray(membersOf(jsonIn(readFileSync(path, "utf8"))).resources)) {
    throw new GatewayError(`${path} exists and is not an import file, so it is not overwritten`);
  }
  // An existing file would keep its mode.
  rmSync(path, { force: true });
  if (file.resources.length > 0) {
    writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  }
  return { resources: file.resources.length, holdsSecrets: hasSecretInFile(file) };
}

export interface ImportEntry {
  /** The type token. */
  readonly type: string;
  readonly name: string;
  /** The name in the program, if `name` differs from it. */
  readonly logicalName?: string;
  readonly id: string;
  /** Names in the file's name table. */
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

interface ImportedState extends ImportEntry {
  readonly declaration: Declaration;
  readonly inputs: Arguments;
  readonly outputs: Outputs;
}

/** The entry of one resource. Its secrets are in plaintext, in the notation that makes the engine encrypt them. */
export function importEntry({ declaration, inputs, outputs, ...identity }: ImportedState): ImportEntry {
  const { type } = identity;
  // The state of a dynamic resource holds the code that works on it.
  const withCode = (values: Json): Json =>
    isNativeToken(type) ? values : withShim(values, shimOf(declaration.type));
  const state = adoptedState(declaration, inputs, outputs);
  return {
    ...identity,
    inputs: withCode(valuesForEngine(declaration, inputs, secretInFile)),
    outputs: withCode(stateForEngine(declaration, state, secretInFile)),
  };
}
