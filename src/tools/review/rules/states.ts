/** The rules about the state of single resources. */
import { hasUnknown, isEmptyList, isRecord } from "../../../schema/unknown";
import type { StateRule } from "../rule";
import { objects } from "./each";
import { plaintextPathsIn } from "../../../schema/recorded-state";
import { expiringSoon, noPrincipals, unidentified } from "./single";

export const stateRules: readonly StateRule[] = [
  {
    id: "access/principals-emptied",
    severity: "error",
    title: "An SSH certificate has no principals",
    help: "The holder of a user certificate may sign in as any user, and a host certificate is valid for all hosts. List the principals.",
    states: objects("of all types", noPrincipals),
  },
  {
    id: "interruption/weights-zero",
    severity: "warning",
    title: "A weighted backend has no backend with a weight above 0",
    help: "The traffic has no destination: give one backend a weight above 0.",
    states: objects(["WeightedBackend"], ({ values: { backends } }) => {
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
    help: "The traffic has no destination: list a backend.",
    states: objects(["FailoverBackend"], ({ values }) =>
      isEmptyList(values.backends)
        ? { field: "backends", message: "it has no backends: its traffic has no destination" }
        : undefined,
    ),
  },
  {
    id: "hygiene/plaintext-secret",
    severity: "warning",
    title: "A secret is plaintext in the program",
    help: "Everyone who can read the program can read it. Set it with `pulumi config set --secret`.",
    states: objects("of all types", ({ args }) =>
      plaintextPathsIn(args).map((field) => ({
        ...{ field, message: `a secret is plaintext, not from secret configuration: ${field}` },
      })),
    ),
  },
  {
    id: "hygiene/expires-soon",
    severity: "warning",
    title: "A certificate expires within 30 days",
    help: "Replace it before. Not reported: certificates that the program or the service renews, and those with a validity of at most 30 days.",
    timely: true,
    states: objects("of all types", (on, _, { now }) => expiringSoon(on, now)),
  },
  {
    id: "hygiene/no-owner",
    severity: "note",
    title: "A key or credential has neither owner nor description",
    help: "It belongs to whoever deploys it, and its purpose is unknown later. Set one of them.",
    states: objects("of all types", unidentified),
  },
];
