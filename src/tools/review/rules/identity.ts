/** The rules about resources that only look like those of this package, and about other code. */
import { pastTense } from "../../stack/preview";
import { isProviderUrn } from "../../../provider/urn";
import type { ChangeRule } from "../rule";

export const identityRules: readonly ChangeRule[] = [
  {
    id: "access/identity",
    severity: "error",
    title: "A resource is not what it seems",
    help: "The type of the resource and the code that works on it do not belong together. Declare it with the class of this package; if somebody else wrote the change, ask why. What `--target` or `--exclude` leave out is an error too: review a preview of the whole program.",
    *changes(find, { before, after, changes }) {
      const byUrn = new Map(changes.map(({ urn, action }) => [urn, action]));
      const known = new Set(before.mismatches.map(({ urn }) => urn));
      for (const { urn, name, type, problem } of after.mismatches) {
        const severity = byUrn.get(urn) === "same" && known.has(urn) ? "warning" : "error";
        yield find({ urn, name, declaration: { type } }, problem, { severity });
      }
      const remaining = new Set(after.mismatches.map(({ urn }) => urn));
      // A provider that is updated stays, and becomes one of this package.
      const isCorrected = (urn: string): boolean => isProviderUrn(urn) && byUrn.get(urn) === "update";
      for (const { urn, name, type, problem, custom } of before.mismatches) {
        // No code works on a component, so its removal does nothing.
        if (!custom || remaining.has(urn) || isCorrected(urn)) continue;
        const message = `its removal may delete any object: ${problem}`;
        yield find({ urn, name, declaration: { type } }, message);
      }
    },
  },
  {
    id: "access/foreign-code",
    severity: "warning",
    title: "Other code runs with the stack's configuration",
    help: "A dynamic resource of the program or of another package gets all of the stack's configuration, the API key included. Read its code.",
    *changes(find, { changes }) {
      for (const { urn, name, type, action, before, after } of changes) {
        if (action === "same" || (after ?? before)?.identity.kind !== "code") continue;
        const message = `it is ${pastTense[action]} by code of its own, which gets the stack's configuration and the API key`;
        yield find({ urn, name, declaration: { type } }, message);
      }
    },
  },
];
