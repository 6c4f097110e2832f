/** The rule about the access tests of the configuration. */
import { accessTestFailures } from "../../access/tests";
import { counted } from "../../text/phrase";
import type { ChangeRule, Found } from "../rule";

/** A finding about the deployment as a whole. */
const deployment: Found["on"] = { urn: undefined, name: "", declaration: { type: "" } };

export const testFailed: ChangeRule = {
  id: "access/test-failed",
  severity: "error",
  title: "An access test fails",
  help: "An access test of the configuration (`accessTests`) does not hold after the deployment: an address that must be allowed is not, one that must not be allowed is or may be, or the test names no edge, route or endpoint. A test fails if its result is known only after the deployment. A preview without the unchanged resources fails every test: run it with `--show-sames`. See [access tests](access.md#access-tests).",
  *changes({ after, accessTests, semantics, unseen }) {
    if (accessTests.length > 0 && unseen > 0) {
      const missing = `the preview leaves out ${counted(unseen, "unchanged resource")}`;
      const message = `${counted(accessTests.length, "access test")} cannot be evaluated, because ${missing}; run it with --show-sames`;
      yield { on: deployment, message };
      return;
    }
    for (const { on, at, message } of accessTestFailures(after, accessTests, semantics))
      yield { on: on ?? deployment, at: at?.urn, message };
  },
};
