/** The import file that brings the objects of interrupted creates into the stack. */
import { outputsOf } from "../../provider/life-cycle/answers";
import { importEntry, importFileOf } from "../stack/import-file";
import type { ImportEntry, ImportFile } from "../stack/import-file";
import type { StackContents } from "../inventory/stack";
import type { CreateOutcome } from "./match";

type Created = Extract<CreateOutcome, { kind: "created" }>;

/**
 * The import file of the objects of interrupted creates; it may hold plaintext secrets. It leaves out resources under a parent or
 * provider that is not in the stack yet: they need a second file, after the import of the first. `now` is in milliseconds since
 * 1970.
 */
export function recoveryFile(
  outcomes: readonly CreateOutcome[],
  { urns }: StackContents,
  now: number,
): ImportFile {
  const isInStack = (urn: string | undefined): boolean => urn === undefined || urns.has(urn);
  const created = outcomes
    .filter((outcome): outcome is Created => outcome.kind === "created")
    .filter(({ pending }) => isInStack(pending.record.parent) && isInStack(pending.provider));
  const names = namesFor(created.flatMap(({ pending }) => [pending.record.parent, pending.provider]));
  const resources = created.map((each) => entryOf(each, names));
  return importFileOf(resources, Object.fromEntries([...names].map(([urn, name]) => [name, urn])), now);
}

/** A name for each URN. */
function namesFor(urns: readonly (string | undefined)[]): Map<string, string> {
  const known = new Set(urns.filter((urn) => urn !== undefined));
  return new Map([...known].map((urn, i) => [urn, `resource${i + 1}`]));
}

function entryOf({ object, pending }: Created, names: ReadonlyMap<string, string>): ImportEntry {
  const { declaration, id, answer } = object;
  const inputs = pending.args;
  return importEntry({
    declaration,
    type: pending.record.type,
    name: pending.name,
    id,
    inputs,
    outputs: outputsOf(declaration, answer, inputs),
    parent: names.get(pending.record.parent ?? ""),
    provider: names.get(pending.provider ?? ""),
  });
}
