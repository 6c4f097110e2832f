/** The rule about the access tests of the configuration. */
import { placesIn } from "../../access/place";
import { isPair, pairedByPlace, possibleSuccessors } from "../../access/served";
import { accessTestFailures, resourcePattern } from "../../access/access-tests";
import { named } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import { nameIn } from "../../../provider/urn";
import { counted, shortened } from "../../../schema/text/phrase";
import type { ChangeRule, Context } from "../rule";
import { deployment, notChecked } from "./each";

/** It has a name because reviews count its findings. */
export const testFailed: ChangeRule = {
  id: "access/test-failed",
  severity: "error",
  title: "An access test fails",
  help: "It does not hold after the deployment or once rules with `until` have ended, names nothing, or its place has another name now. An unknown result fails too. Needs `--show-sames`. See [access tests](access.md#access-tests).",
  *changes(find, context) {
    const { after, accessTests, semantics, unseen } = context;
    if (accessTests.length > 0 && unseen > 0) {
      yield notChecked(find, counted(accessTests.length, "access test"), context);
      return;
    }
    for (const { on, at, message } of accessTestFailures(after, accessTests, semantics))
      yield find(on ?? deployment, message, { at: at?.urn });
    for (const resource of new Set(accessTests.map((test) => test.resource)))
      for (const on of noLongerTested(context, resource)) {
        const name = JSON.stringify(shortened(resource, 200));
        const message = `the access test of ${name} tested this place, and now tests something else: add a test of ${named(on)}, or give it the old name`;
        yield find(on, message);
      }
  },
};

/** The objects that serve, or may serve, a place that a test covered before the deployment, under a name that it does not match. */
function noLongerTested(context: Context, resource: string): InventoryObject[] {
  const { news, renamed } = testedIn(context);
  if (renamed.length === 0) return [];
  const isTested = resourcePattern(resource);
  // A test that names nothing fails by itself.
  if (!news.some(isTested)) return [];
  return [...new Set(renamed.flatMap(({ old, next }) => (isTested(old) && !isTested(next) ? [next] : [])))];
}

/** The guarded objects after the deployment, and those that have, or may have, another name than the one at their place before. */
const testedIn = oncePer(({ before, after }: Context) => {
  const [olds, news] = [before, after].map((each) => placesIn(each).map(({ on }) => on));
  const pairs = pairedByPlace(olds!, news!).filter(isPair);
  const named = [...pairs, ...possibleSuccessors(olds!, news!)].map(({ old, next }) => ({
    old: asNamedBefore(old),
    next,
  }));
  return { news: news!, renamed: named.filter(({ old, next }) => old.urn !== next.urn) };
});

/** The object with its old name: a preview shows the name that the program gives it now. */
function asNamedBefore(on: InventoryObject): InventoryObject {
  const urn = on.record?.urn;
  return urn === undefined ? on : { ...on, urn, name: nameIn(urn, on.record!.type) };
}
