/** The rules about the state of single resources. */
import { hasUnknown, isEmptyList, isRecord } from "../../../schema/unknown";
import type { StateRule } from "../rule";
import { objects } from "./each";
import { expiringSoon, noPrincipals, plaintextSecretPaths, unidentified } from "./single";

export const stateRules: readonly StateRule[] = [
  {
    id: "access/principals-emptied",
    severity: "error",
    title: "An SSH certificate has no principals",
    help: "Without principals the holder of a user certificate may sign in as any user, and a host certificate is valid for all hosts. List the principals.",
    states: objects("of all types", noPrincipals),
  },
  {
    id: "interruption/weights-zero",
    severity: "warning",
    title: "A weighted backend has no backend with a weight above 0",
    help: "All weights are 0, or there is no backend: the traffic has no destination.",
    states: objects(["WeightedBackend"], ({ outputs: { backends } }) => {
      if (!isRecord(backends) || hasUnknown(backends)) return undefined;
      const weights = Object.values(backends);
      if (weights.some((weight) => weight !== 0)) return undefined;
      const message = weights.length === 0 ? "it has no backends" : "all of its weights are 0";
      return { field: "backends", message: `${message}: its traffic has no destination` };
    }),
  },
  {
    id: "interruption/failover-emptied",
    severity: "warning",
    title: "A failover backend has no backends",
    help: "The list of backends is empty: the traffic has no destination.",
    states: objects(["FailoverBackend"], ({ outputs }) =>
      isEmptyList(outputs.backends)
        ? { field: "backends", message: "it has no backends: its traffic has no destination" }
        : undefined,
    ),
  },
  {
    id: "hygiene/plaintext-secret",
    severity: "warning",
    title: "A secret is plaintext in the program",
    help: "The value of a secret argument is in the program or in plaintext configuration, where everyone who can read it can use it. Set it with `pulumi config set --secret`.",
    states: objects("of all types", ({ args }) =>
      plaintextSecretPaths(args).map((field) => ({
        ...{ field, message: `a secret is plaintext, not from secret configuration: ${field}` },
      })),
    ),
  },
  {
    id: "hygiene/expires-soon",
    severity: "warning",
    title: "A certificate expires within 30 days",
    help: "Replace the certificate before it expires. Not reported: certificates that the program or the service renews, and those with a validity of at most 30 days.",
    timely: true,
    states: objects("of all types", (on, _, { now }) => expiringSoon(on, now)),
  },
  {
    id: "hygiene/no-owner",
    severity: "note",
    title: "A key or credential has neither owner nor description",
    help: "A key without `ownerId` belongs to whoever deploys it, and without a `description` its purpose is unknown later. Set at least one of them.",
    states: objects("of all types", unidentified),
  },
];
