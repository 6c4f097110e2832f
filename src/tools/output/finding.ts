/** A finding, from the rule that makes it to the report that prints it. */
import { capitalized, counted, shortened } from "../../schema/text/phrase";
import type { ProgramLine } from "../stack/program-line";

export const severities = ["error", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

/** An entry of a report that several stacks may have. */
export interface StackScope {
  /** The stacks that have it, by their names in the report; undefined in a report about one stack. */
  readonly stacks?: readonly string[];
}

/** What a rule says of a resource. */
export interface Finding extends StackScope {
  readonly rule: string;
  readonly severity: Severity;
  /** Empty, like the type, for a finding about the deployment as a whole. */
  readonly urn: string;
  /** The class's name. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** A sentence without a full stop. It uses the names of the program and contains no secret. */
  readonly message: string;
  /** The argument concerned. It is printed literally, even at the beginning of the sentence. */
  readonly field?: string;
  /** The place in the program that declares the resource, or what causes the finding. */
  readonly place: ProgramLine | undefined;
  /** The write that causes it, and how many others the resource sends; undefined if it sends none. */
  readonly write?: string | undefined;
}

/** What a finding says, with the write that causes it. */
export function causedText({ message, write }: Finding): string {
  return write === undefined ? message : `${message} (${write})`;
}

/** The same without a subject before it on the line. */
export function sentenceOf(finding: Finding): string {
  const { field } = finding;
  const text = causedText(finding);
  return field !== undefined && text.startsWith(field) ? text : capitalized(text);
}

/** The line of the program. Its author chose the path, which may contain any text. */
export function programLineText({ place }: Finding): string | undefined {
  return place && `${shortened(place.file, 100)}:${place.line}`;
}

/** The number of findings of each severity. */
export function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** "1 error, 2 warnings"; empty if there are none. */
export function countsText(counts: Readonly<Record<Severity, number>>): string {
  const some = severities.filter((severity) => counts[severity] > 0);
  return some.map((severity) => counted(counts[severity], severity)).join(", ");
}
