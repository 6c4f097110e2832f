/** The rule about the ranges of the configuration that must keep their access. */
import { endingLosses, placeLosses, unusedPolicyLosses } from "../../access/kept";
import { counted } from "../../text/phrase";
import type { ChangeRule, Found } from "../rule";
import { deployment } from "./each";

export const keptAccessLost: ChangeRule = {
  id: "access/kept-access-lost",
  severity: "error",
  title: "An address that must keep its access does not certainly keep it",
  help: "Ranges of the setting `keepAccess`, such as those of an office or of a pipeline's runner, could reach an edge, and after the deployment they do not certainly get in there: no rule allows them, a deny rule covers them too, or it is known only after the deployment. It also reports ranges that perhaps got in and certainly do not any more, and ranges that got in for good and will not when the rules with `until` end. Places are compared at their address, whatever their name is. A place that is deleted is not reported here. A policy that no edge or module of the program uses is compared by itself. A preview without the unchanged resources is an error: run it with `--show-sames`. See [kept access](access.md#kept-access).",
  *changes({ before, after, keepAccess, semantics, unseen }) {
    const names = Object.keys(keepAccess);
    if (names.length === 0) return;
    if (unseen > 0) {
      const missing = `the preview leaves out ${counted(unseen, "unchanged resource")}`;
      const message = `keepAccess cannot be checked, because ${missing}; run it with --show-sames`;
      yield { on: deployment, message };
      return;
    }
    const losses = [placeLosses, endingLosses, unusedPolicyLosses].flatMap((find) =>
      find(before, after, keepAccess, semantics),
    );
    for (const { on, at, message } of losses) yield { on, at: at?.urn, message } satisfies Found;
  },
};
