/** The rule about where the API key goes. */
import { isUnknown } from "../../schema/unknown";
import { secretMask } from "../../stack/mask";
import type { ProviderChange } from "../../stack/preview";
import { shortened } from "../../text/shortened";
import type { ChangeRule } from "../rule";

export const baseUrlChanged: ChangeRule = {
  id: "access/base-url-changed",
  severity: "error",
  title: "The API key goes to another address",
  help: "The base URL of the stack's configuration or of an explicit provider changes, or a new provider has one that no provider of the stack had. The API key of the pipeline's environment and all requests go to the new address, and whoever answers there decides what the deployment sees. Check that the address is that of the API.",
  *changes({ providers }) {
    const known = new Set(providers.flatMap(({ before }) => (before === undefined ? [] : spelling(before))));
    const isNewStack = providers.every(({ action }) => action === "create");
    for (const provider of providers) {
      const { action, before, after, isDefault, urn, name } = provider;
      if (action === "delete" || action === "same") continue;
      const isNew = action === "create";
      if (isNew && (isNewStack || after === undefined || known.has(spelling(after)))) continue;
      if (!isNew && after !== secretMask && spelling(before) === spelling(after)) continue;
      const what = isDefault ? "the base URL of the stack's configuration" : "its base URL";
      const message = `${what} ${isNew ? `is ${text(after)}, which no provider had` : happening(provider)}: the API key and all requests go there`;
      yield { on: { urn, name, declaration: { type: "Provider" } }, message };
    }
  },
};

function happening({ before, after }: ProviderChange): string {
  if (after === secretMask) return "is hidden as a secret";
  if (after === undefined) return `is removed, was ${text(before)}, and the environment gives another`;
  return `changes from ${text(before)} to ${text(after)}`;
}

function text(url: string | undefined): string {
  if (url === undefined) return "that of the environment";
  if (url === secretMask) return "a secret";
  return isUnknown(url) ? "one that is known only after the deployment" : shortened(url, 200);
}

/** Slashes at the end do not count. */
function spelling(url: string | undefined): string {
  return (url ?? "").replace(/\/+$/, "");
}
