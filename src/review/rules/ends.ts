/** The rule about access that the program lets end at a time. */
import { endsIn } from "../../schema/entry-ends";
import type { End } from "../../schema/entry-ends";
import { textOf } from "../../schema/formats/time";
import { firstOf } from "../../text/phrase";
import type { ChangeRule } from "../rule";

const week = 7 * 86_400_000;

/** The number of entries that a finding names. */
const mostNamed = 5;

export const accessEnds: ChangeRule = {
  id: "access/ends",
  severity: "note",
  title: "Rules end, or have ended",
  help: "A rule with `until` stands until the first deployment from that time on. The note lists the rules that end within 7 days, those that have ended and that this deployment removes, and, as a warning, those that have ended and still stand because the deployment leaves their set out. Run a deployment after the end, for example from a schedule.",
  *changes({ subjects, now }) {
    for (const subject of subjects) {
      const { fields } = subject.declaration;
      const before = endsIn(fields, (subject.recorded ?? subject.before)?.inputs ?? {});
      const after = endsIn(fields, subject.after?.inputs ?? {});
      const standing = after.filter(({ at }) => at <= now);
      const soon = after.filter(({ at }) => at > now && at <= now + week);
      const isKept = new Set(after.map(({ key }) => key));
      const removed = before.filter(({ key, at }) => at <= now && !isKept.has(key));
      if (standing.length > 0) {
        const message = `rules have ended and still stand: ${endsText(standing)}`;
        yield { on: subject, message, severity: "warning" };
      }
      if (removed.length > 0 && subject.after) {
        const message = `rules have ended, so the deployment removes them: ${endsText(removed)}`;
        yield { on: subject, message };
      }
      if (soon.length > 0) yield { on: subject, message: `rules end within 7 days: ${endsText(soon)}` };
    }
  },
};

function endsText(ends: readonly End[]): string {
  const texts = [...ends].sort((a, b) => a.at - b.at).map(({ key, at }) => `${key} (${textOf(at)})`);
  return firstOf(texts, mostNamed);
}
