/** The names of providers that no preview shows. */
import { quote } from "../schema/formats/quote";
import { programError } from "./program-error";

/** Pulumi takes every provider with such a name for its own: no preview shows its arguments or their changes. */
export function refuseHiddenName(name: string): void {
  if (!name.startsWith("default")) return;
  throw programError(
    `the name of the Provider ${quote(name)} begins with "default": Pulumi shows nothing of such a provider in a preview. ` +
      "Name it otherwise, with the option aliases if the stack has it already",
  );
}
