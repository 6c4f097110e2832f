/** The rule about the base URLs, to which the API key is sent. */
import { isUnknown } from "../../../schema/unknown";
import { secretMask, variableIn } from "../../stack/mask";
import { isSameUrl } from "../../stack/state";
import { isHiddenProvider, providerNameIn } from "../../../provider/urn";
import { shortened } from "../../../schema/text/phrase";
import type { ChangeRule, Context, Find } from "../rule";

export const baseUrlRules: readonly ChangeRule[] = [
  {
    id: "access/base-url-changed",
    severity: "error",
    title: "The API key goes to another address",
    help: "Check that the address is the API's. For a preview from a file, list the addresses as `baseUrls` in the review's configuration ([how](#what-a-preview-does-not-show)). A `Provider` whose name begins with `default` is an error, because Pulumi shows nothing of it: rename it with `aliases: [{ name: \"…\" }]`.",
    *changes(find, context) {
      for (const { urn, name, action, before, after } of context.providers) {
        // The engine counts another variable as no change.
        if (action === "delete" || (action === "same" && isSameUrl(before, after))) continue;
        const change =
          action === "create"
            ? addedText(after, [context.stackUrl], context)
            : changeText(before, after, context);
        if (change !== undefined)
          yield find({ urn, name, declaration: provider }, `its base URL ${change}: ${consequence}`);
      }
      yield* hiddenProviders(find, context);
      yield* ofStack(find, context);
    },
  },
];

const provider = { type: "Provider" };
const consequence = "the API key and all requests go there";
const listing = "list it as baseUrls in .tunnel-gateway-review.json";

/**
 * The engine shows no step of a provider whose name begins with `default`. If a program declares such a provider, its base
 * URL and the changes of it are not known.
 */
function* hiddenProviders(find: Find, { after, changes }: Context) {
  const named = [...after.all.values()].flatMap((object) => object.provider ?? []);
  const remaining = changes.filter(({ action }) => action !== "delete");
  const ofOthers = remaining.flatMap((each) => (each.after ?? each.before)?.anyProvider ?? []);
  const all = new Set([...named, ...ofOthers].filter(isHiddenProvider));
  for (const urn of all) {
    const on = { urn, name: providerNameIn(urn), declaration: provider };
    const reason = "Pulumi shows nothing of a provider whose name begins with default";
    yield find(on, `its base URL is not known, because ${reason}: give it another name`);
  }
}

/** The finding about the base URL in the stack's configuration. */
function* ofStack(find: Find, context: Context) {
  const on = { urn: "", name: "default", declaration: provider };
  const { stackUrl, deployed, baseUrls, isNewStack, stackName } = context;
  const file = `Pulumi.${shortened(stackName?.stack ?? "<stack>", 100)}.yaml`;
  const what = `the base URL of the stack's configuration (tunnel-gateway:baseUrl in ${file})`;
  if (deployed || baseUrls) {
    const change = deployed?.provider
      ? changeText(deployed.provider.baseUrl, stackUrl, context)
      : addedText(stackUrl, [], context);
    const advice = baseUrls === undefined ? "" : `; if it is the API's, ${listing}`;
    if (change !== undefined) yield find(on, `${what} ${change}: ${consequence}${advice}`);
    return;
  }
  if (stackUrl === undefined || isNewStack) return;
  const advice = `${listing}, or review with --stack`;
  const message = `${what} is ${text(stackUrl)}, and the preview does not show whether that is new: ${advice}`;
  yield find(on, message, { severity: "note" });
}

/** How a base URL changes; undefined if it stays. Whether a secret one changes is not known. */
function changeText(
  before: string | undefined,
  after: string | undefined,
  { deployed }: Context,
): string | undefined {
  if (after === secretMask) return "is marked as secret, so the review cannot read it";
  if (isSameUrl(before ?? deployed?.environmentUrl, after ?? deployed?.environmentUrl)) return undefined;
  if (after === undefined) return `is removed, was ${text(before)}, and the environment gives another`;
  return `changes from ${text(before)} to ${text(after)}`;
}

/** A new base URL; undefined if another provider or the review's configuration has it already. */
function addedText(
  url: string | undefined,
  also: readonly (string | undefined)[],
  { providers, deployed, baseUrls, isNewStack }: Context,
): string | undefined {
  // The first deployment of a stack has nothing to compare with, except for the list.
  if (url === undefined || (isNewStack && baseUrls === undefined)) return undefined;
  const olds = providers.map(({ before }) => before);
  const known = [
    ...olds,
    ...also,
    deployed?.provider?.baseUrl,
    deployed?.environmentUrl,
    ...(baseUrls ?? []),
  ];
  if (url !== secretMask && known.some((each) => each !== undefined && isSameUrl(each, url)))
    return undefined;
  const where =
    baseUrls === undefined ? "no provider had" : "neither a provider nor the review's baseUrls had";
  return `is ${text(url)}, which ${where}`;
}

function text(url: string | undefined): string {
  if (url === undefined) return "the one of the environment";
  if (url === secretMask) return "a secret";
  const variable = variableIn(url);
  if (variable !== undefined) return `that of the variable ${shortened(variable, 200)}`;
  return isUnknown(url) ? "one that is known only after the deployment" : shortened(url, 200);
}
