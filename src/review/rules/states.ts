/** The rules about the state of single resources. */
import type { Found, StateRule } from "../rule";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { plaintextSecretPaths, expiringSoon, noPrincipals, unidentified } from "./single";

/** The findings of a check that looks at one resource at a time. */
function* each(
  inventory: Inventory,
  check: (resource: InventoryObject) => string | undefined,
  field?: string,
): Generator<Found> {
  for (const resource of inventory.all.values()) {
    const message = check(resource);
    if (message !== undefined) yield { on: resource, message, field };
  }
}

export const principalsEmptied: StateRule = {
  id: "access/principals-emptied",
  severity: "error",
  title: "An SSH certificate has no principals",
  help: "Without principals the holder of a user certificate may sign in as any user, and a host certificate is valid for all hosts (specification, SSH user certificate and SSH host certificate). List the principals.",
  states: (inventory) =>
    each(inventory, ({ declaration, outputs }) => noPrincipals(declaration, outputs), "principals"),
};

export const plaintextSecret: StateRule = {
  id: "hygiene/plaintext-secret",
  severity: "warning",
  title: "A secret is plaintext in the program",
  help: "The value of a secret argument is neither from secret configuration (`config.requireSecret`) nor a secret Output, so it is in the program or in plaintext configuration. Pulumi encrypts it in the state, but everyone who can read the program can read it. Set it with `pulumi config set --secret`.",
  *states(inventory) {
    for (const on of inventory.all.values()) {
      for (const path of plaintextSecretPaths(on.args)) {
        const message = `a secret is plaintext, not from secret configuration: ${path}`;
        yield { on, message, field: path };
      }
    }
  },
};

export const noOwner: StateRule = {
  id: "hygiene/no-owner",
  severity: "note",
  title: "A key or credential has neither owner nor description",
  help: "An API key or SSH credential without `ownerId` belongs to the user or bot that deploys it. Without a `description` too, its purpose is unknown later. Set at least one of them.",
  states: (inventory) =>
    each(inventory, ({ declaration, args }) => unidentified(declaration, args), "description"),
};

export const expiresSoon: StateRule = {
  id: "hygiene/expires-soon",
  severity: "warning",
  title: "A certificate expires within 30 days",
  help: "Replace the certificate before it expires. For a Kubernetes operator this is the client certificate of its binding. Not reported: SSH certificates that the program renews (`earlyRenewalHours`), TLS certificates that the service issued and renews, and certificates with a validity of at most 30 days.",
  timely: true,
  states: (inventory, { now }) =>
    each(inventory, ({ declaration, outputs }) => expiringSoon(declaration, outputs, now)),
};
