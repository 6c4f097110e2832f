/** The rules about what ends: temporary access, and keys that the program rotates. */
import { rotationDue } from "../../../provider/life-cycle/renewal";
import { endsIn } from "../../../schema/entry-ends";
import type { End } from "../../../schema/entry-ends";
import { textOf } from "../../../schema/formats/time";
import { argumentsIn } from "../../../schema/recorded-state";
import { day, firstOf, most5 } from "../../../schema/text/phrase";
import { lastState } from "../differences";
import type { ChangeRule } from "../rule";
import { subjects } from "./each";

const week = 7 * day;

export const endRules: readonly ChangeRule[] = [
  {
    id: "access/ends",
    severity: "note",
    title: "Rules end, or have ended",
    help: "Lists the rules that end within 7 days, those that this deployment removes, and, as a warning, those that have ended and still stand. Run a deployment after the end, or `expire`.",
    changes: subjects(({ declaration: { fields }, recorded, before, after, action }, { now }) => {
      const olds = endsIn(fields, (recorded ?? before)?.args ?? {});
      const news = endsIn(fields, after?.args ?? {});
      if (olds.length + news.length === 0) return undefined;
      const isKept = new Set(news.map(({ key }) => key));
      const standing = endsText(news.filter(({ at }) => at <= now));
      const removed = endsText(olds.filter(({ key, at }) => at <= now && !isKept.has(key)));
      const soon = endsText(news.filter(({ at }) => at > now && at <= now + week));
      return [
        standing && { message: `rules have ended and still stand: ${standing}`, severity: "warning" },
        removed &&
          after &&
          action !== "same" &&
          `rules have ended, so the deployment removes them: ${removed}`,
        soon && `rules end within 7 days: ${soon}`,
      ];
    }),
  },
  {
    id: "access/key-rotates",
    severity: "note",
    title: "An API key is rotated",
    help: "Clients must use the new token before the old key ends.",
    changes: subjects(({ declaration, before, after, action }, { now }) => {
      if (!declaration.rotates || !before) return undefined;
      const state = lastState(before);
      if (action === "delete" || action === "replace") {
        const keys = [state.outputs.keyId, state.outputs.previousKeyId].filter(
          (key) => typeof key === "string",
        );
        return keys.length > 0 ? `its keys end: ${keys.join(", ")}` : undefined;
      }
      return after && rotationDue(declaration, state, argumentsIn(after.args), now)?.reasons;
    }),
  },
];

/** The ends, earliest first; empty if there are none. */
function endsText(ends: readonly End[]): string {
  const texts = [...ends].sort((a, b) => a.at - b.at).map(({ key, at }) => `${key} (${textOf(at)})`);
  return firstOf(texts, most5);
}
