/** The rules about single resources that need no change to be seen. */
import type { Found, StateRule } from "../rule";
import type { Resource, World } from "../world";
import { clearSecrets, endingSoon, noPrincipals, noTrafficPolicy, nobodys, openRange } from "./single";

/** What a judge of one resource finds in a world. */
function* each(
  world: World,
  judge: (resource: Resource) => string | undefined,
  field?: string,
): Generator<Found> {
  for (const resource of world.all.values()) {
    const message = judge(resource);
    if (message !== undefined) yield { on: resource, message, field };
  }
}

export const openCidr: StateRule = {
  id: "access/open-cidr",
  severity: "error",
  title: "A rule allows every address",
  help: "An IP policy rule allows `0.0.0.0/0` or `::/0`: whatever refers to the policy is open to everyone of that address family. Allow the ranges that need it.",
  states: (world) => each(world, ({ type, values }) => openRange(type, values), "cidr"),
};

export const principalsEmptied: StateRule = {
  id: "access/principals-emptied",
  severity: "error",
  title: "An SSH certificate has no principals",
  help: "Without principals a user certificate signs in as any user, and a host certificate is valid for all hosts. List the names it is for.",
  states: (world) => each(world, ({ type, values }) => noPrincipals(type, values), "principals"),
};

export const endpointWithoutPolicy: StateRule = {
  id: "access/endpoint-without-policy",
  severity: "error",
  title: "A cloud endpoint has no traffic policy",
  help: "A cloud endpoint does what its traffic policy says; without one nothing restricts who reaches it. Give it a policy, or remove the endpoint.",
  states: (world) => each(world, ({ type, values }) => noTrafficPolicy(type, values), "trafficPolicy"),
};

export const clearSecret: StateRule = {
  id: "hygiene/clear-secret",
  severity: "warning",
  title: "A secret is given in clear",
  help: "The value of a secret argument is neither from secret configuration (`config.requireSecret`) nor a secret Output, so it stands in the program or in plain configuration. Pulumi keeps it encrypted in the state, and everybody who reads the program knows it. Set it with `pulumi config set --secret`.",
  states: (world) =>
    each(world, ({ inputs }) => {
      const paths = clearSecrets(inputs);
      if (paths.length === 0) return undefined;
      const given = "given as plain text, not from secret configuration";
      return `${paths.length === 1 ? "a secret is" : "secrets are"} ${given}: ${paths.join(", ")}`;
    }),
};

export const noOwner: StateRule = {
  id: "hygiene/no-owner",
  severity: "note",
  title: "A key or credential has neither owner nor description",
  help: "An API key or SSH credential without `ownerId` belongs to whoever deployed it; without a `description` too, nobody can tell later what it is for and whether it may be deleted.",
  states: (world) => each(world, ({ type, inputs }) => nobodys(type, inputs), "description"),
};

export const endsSoon: StateRule = {
  id: "hygiene/ends-soon",
  severity: "warning",
  title: "A certificate ends within 30 days",
  help: "Replace the certificate before its end. SSH certificates can be replaced by the program (`earlyRenewalHours`), and those are not reported; nor are certificates that never live longer than 30 days.",
  timely: true,
  states: (world, now) => each(world, ({ type, values }) => endingSoon(type, values, now)),
};
