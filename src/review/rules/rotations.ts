/** The rule about keys that a deployment rotates. */
import { rotationDue } from "../../provider/life-cycle/rotation";
import { withoutHidden } from "../../provider/life-cycle/state";
import type { ChangeRule } from "../rule";

export const keyRotates: ChangeRule = {
  id: "access/key-rotates",
  severity: "note",
  title: "An API key is rotated",
  help: "A `RotatingApiKey` creates its next key when the current one reaches `rotateAfterDays`, and deletes the previous one by the first deployment after `overlapDays`. The note says which key is created and which ends. Clients must use the new token before the old key ends.",
  *changes({ subjects, now }) {
    for (const subject of subjects) {
      const { declaration, before, after, action } = subject;
      if (!declaration.rotates || !before) continue;
      const state = withoutHidden(before.outputs);
      if (action === "delete" || action === "replace") {
        const keys = [state.keyId, state.previousKeyId].filter((key) => typeof key === "string");
        if (keys.length > 0) yield { on: subject, message: `its keys end: ${keys.join(", ")}` };
      } else if (after) {
        const { reasons = [] } = rotationDue(declaration, state, after.inputs, now) ?? {};
        for (const message of reasons) yield { on: subject, message };
      }
    }
  },
};
