/** Output about access that several commands share. */
import { semanticsTexts } from "../../access/semantics";
import type { Semantics } from "../../access/semantics";
import { paragraph } from "../../output/document";
import type { DocumentBlock } from "../../output/document";
import type { AccountTestFailure } from "../../review/drift";

/** The assumption behind the verdicts on addresses, if there is one. */
export function semanticsBlocks(semantics: Semantics): DocumentBlock[] {
  const given = semanticsTexts(semantics);
  return given.length === 0 ? [] : [paragraph(`with semantics: ${given.join(", ")}`)];
}

/** The resource and the message of an access test that fails. */
export function failureCells({ type, name, message }: AccountTestFailure): [string, string] {
  return [type === undefined ? "" : `${type} ${name}`, message];
}
