/** The import file that brings paired objects into the stack, with the components and providers around them. */
import { importEntry, importFileOf } from "../../stack/import-file";
import type { ImportEntry, ImportFile } from "../../stack/import-file";
import { valuesIn } from "../../../provider/http/path";
import { outputsOf } from "../../../provider/life-cycle/answers";
import { compare } from "../../../provider/life-cycle/changes";
import { argumentsAsSent } from "../../../provider/life-cycle/recording";
import type { Settings } from "../../../provider/settings/settings";
import { withoutEndTimes } from "../../../schema/entry-ends";
import type { Json } from "../../../schema/json";
import { localPart, withLocal } from "../../../schema/local";
import { adoptedState } from "../../../schema/recorded-state";
import { unknown } from "../../../schema/unknown";
import { argumentsFrom } from "../../../schema/values";
import type { Arguments, Outputs } from "../../../schema/values";
import { marked } from "./planned";
import type { PlannedProgram, PlannedSurrounding } from "./planned";
import type { Outcome } from "./pairing";

type Pair = Extract<Outcome, { kind: "pair" }>;

/** A pair with the arguments that the stack records for its object, and the changes of the next update. */
export interface AdoptedPair extends Pair {
  /** The arguments that the stack records: those of the program, with the account's values where they differ. */
  readonly inputs: Arguments;
  readonly outputs: Outputs;
  /** The paths of the arguments that differ; `replaces` if the change replaces the object. */
  readonly changes: readonly { readonly path: string; readonly replaces: boolean }[];
}

/** The pair in the form that the stack records. */
export function adopted(pair: Pair, settings: Settings): AdoptedPair {
  const { object, args, changing } = pair;
  const { declaration, id, answer } = object;
  const { fields } = declaration;
  const compared = withoutEndTimes(fields, args);
  const outputs = outputsOf(declaration, answer, { ...valuesIn(declaration.path, id), ...compared });
  const state = adoptedState(declaration, compared, outputs);
  const made = Object.fromEntries(changing.map((name) => [name, unknown]));
  const changes = compare(declaration, state, argumentsFrom({ ...compared, ...made }), settings);
  const found = withLocal(fields, argumentsAsSent(declaration, outputs, state), localPart(fields, args));
  return {
    ...pair,
    ...{ inputs: changes.length === 0 ? args : found, outputs },
    changes: changes.map(({ path, replaces }) => ({ path, replaces })),
  };
}

/** A component, or an explicit provider with its inputs, which an import creates. */
interface ImportSurrounding {
  readonly type: string;
  readonly name: string;
  readonly logicalName: string;
  readonly parent: string | undefined;
  readonly component?: true;
  readonly inputs?: Json;
}

interface AdoptionFile extends Pick<ImportFile, "nameTable"> {
  readonly resources: readonly (ImportEntry | ImportSurrounding)[];
}

/**
 * The import file; it may hold secrets in plaintext.
 * @param known the URNs that the stack already has.
 * @param now in milliseconds since 1970.
 */
export function adoptionFile(
  pairs: readonly AdoptedPair[],
  { surroundings }: Pick<PlannedProgram, "surroundings">,
  known: ReadonlySet<string>,
  now: number,
): AdoptionFile {
  const around = neededBy(pairs, surroundings);
  const added = new Set([...around, ...pairs.map(({ create }) => create)].map(({ urn }) => urn));
  const used = [
    ...pairs.flatMap(({ create }) => [create.record.parent, create.provider]),
    ...around.map(({ parent }) => parent),
  ];
  // A name that another resource refers to must be unique; a URN always is.
  const tableOf = (isIn: (urn: string) => boolean): Record<string, string> =>
    Object.fromEntries(used.filter((urn) => urn !== undefined && isIn(urn)).map((urn) => [urn!, urn!]));
  const entries = pairs.map((pair) => entryOf(pair, new Set(used)));
  const { resources } = importFileOf(
    entries,
    tableOf((urn) => added.has(urn) || known.has(urn)),
    now,
  );
  return {
    nameTable: tableOf((urn) => !added.has(urn)),
    resources: [...around.map(surroundingOf), ...resources],
  };
}

/** The components and providers around the pairs. The program creates all others itself. */
function neededBy(
  pairs: readonly AdoptedPair[],
  surroundings: readonly PlannedSurrounding[],
): PlannedSurrounding[] {
  const byUrn = new Map(surroundings.map((each) => [each.urn, each]));
  const needed = new Set<PlannedSurrounding>();
  const need = (urn: string | undefined): void => {
    const found = urn === undefined ? undefined : byUrn.get(urn);
    if (!found || needed.has(found)) return;
    needed.add(found);
    need(found.parent);
  };
  for (const { create } of pairs) [create.record.parent, create.provider].forEach(need);
  return [...needed];
}

function surroundingOf({ urn, type, name, parent, inputs }: PlannedSurrounding): ImportSurrounding {
  return {
    ...{ type, name: urn, logicalName: name, parent },
    ...(inputs ? { inputs } : { component: true as const }),
  };
}

function entryOf(
  { create, object, inputs, outputs }: AdoptedPair,
  used: ReadonlySet<string | undefined>,
): ImportEntry {
  const { record, urn, name, provider, masked } = create;
  const declaration = create.declaration.setOf ? create.declaration : object.declaration;
  const entry = importEntry({
    ...{ declaration, type: record.type, id: object.id, inputs, outputs },
    ...(used.has(urn) ? { name: urn, logicalName: name } : { name }),
    ...{ parent: record.parent, provider },
  });
  // A value that only the program marks as secret must be secret in the state too.
  const markedIn = (values: Json): Json => marked(values, masked) as Json;
  return { ...entry, inputs: markedIn(entry.inputs), outputs: markedIn(entry.outputs) };
}
