/** Secrets that a program has sealed: only the holder of the private key can read them. Programs load this file. */
import type { Declaration } from "./declaration";
import type { Json } from "./json";
import { secretsOfCreation } from "./secrets";
import { isAbsent, isUnknown } from "./unknown";
import { membersWhere } from "./values";
import type { Outputs } from "./values";

/** Whether the arguments have the secret sealed. */
function isSealed({ seals }: Declaration, args: Json): boolean {
  return seals !== undefined && !isAbsent(args[seals.to]);
}

/** The outputs that only the answer to a creation gives: its secrets, and their sealed form. */
export function outputsOfCreation({ fields, seals }: Declaration): readonly string[] {
  return [...secretsOfCreation(fields), ...(seals ? [seals.as] : [])];
}

/** The output that an object with these arguments lacks: the secret or its sealed form. Undefined if that is not known. */
export function otherForm(declaration: Declaration, args: Json): string | undefined {
  const { seals } = declaration;
  if (seals === undefined || isUnknown(args[seals.to])) return undefined;
  return isSealed(declaration, args) ? seals.secret : seals.as;
}

/** The outputs without the form of the secret, open or sealed, that an object with these arguments lacks. */
export function inOneForm(declaration: Declaration, args: Json, outputs: Outputs): Outputs {
  const other = otherForm(declaration, args);
  if (other === undefined || outputs[other] === undefined) return outputs;
  return membersWhere(outputs, (name) => name !== other);
}
