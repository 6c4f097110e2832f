/**
 * Compares what the engine registers of the resources of all packages with an approval: who works on them, and what decides
 * which objects stay. The values of this package's own resources are compared argument by argument instead.
 */
import { past } from "../stack/preview";
import type { Action } from "../stack/preview";
import type { World, Step } from "../inventory/world";
import type { Registered } from "../stack/state";
import { changedRegistrations } from "./approval";
import type { Approval } from "./approval";

type Registration = Approval["registrations"][number];

/** What differs in a step from what was approved. */
export interface RegistrationProblem {
  readonly urn: string;
  /** The type token. */
  readonly type: string;
  readonly message: string;
}

/** What each part of a registration is, in a sentence. */
const parts: Readonly<Record<keyof Registered, string>> = {
  type: "its type",
  custom: "whether it is a component",
  external: "whether the program only reads it",
  retainOnDelete: "retainOnDelete",
  deletedWith: "deletedWith",
  provider: "its provider",
  reads: "the object that it reads",
  code: "the code of its dynamic provider",
  inputs: "the inputs",
};

const names = Object.keys(parts) as (keyof Registered)[];
/** What an approval compares of a resource of this package in another way. */
const ofValues: ReadonlySet<keyof Registered> = new Set(["inputs"]);
const none: ReadonlySet<keyof Registered> = new Set();

/** What an interrupted deployment may leave of a step. */
export const leftOf: Readonly<Record<Action, readonly Action[]>> = {
  create: ["create", "update"],
  update: ["update"],
  replace: ["replace", "update"],
  delete: ["delete"],
  same: ["same"],
};

export function registrationProblems(preview: World, approval: Approval): RegistrationProblem[] {
  const approved = new Map(approval.registrations.map((each) => [each.urn, each]));
  const current = new Map(preview.steps.map((step) => [step.urn, step]));
  const own = new Set([...preview.resources.keys(), ...approval.steps.map(({ urn }) => urn)]);
  const pending = changedRegistrations(preview).flatMap((step): RegistrationProblem[] => {
    const known = approved.get(step.urn);
    return problemsOf(step, known, own.has(step.urn)).map((message) => ({ ...stepIn(step), message }));
  });
  const undone = approval.registrations
    .filter(({ urn, action }) => action !== "same" && !own.has(urn))
    .filter(({ urn }) => (current.get(urn)?.action ?? "same") === "same")
    .filter((known) => !isDone(known, current.get(known.urn)))
    .map((known): RegistrationProblem => {
      const message = `it was approved to be ${past[known.action]}; the preview neither does that nor shows it as done`;
      return { ...stepIn(known), message };
    });
  return [...pending, ...undone];
}

function stepIn({ urn, before, after }: Registration | Step): Omit<RegistrationProblem, "message"> {
  return { urn, type: (after ?? before)?.type ?? "" };
}

function problemsOf(
  { action, before, after }: Step,
  known: Registration | undefined,
  isOwn: boolean,
): string[] {
  // A step of this package that nobody approved, or that does something else, has its own finding.
  const isStep = action !== "same";
  if (!known) {
    if (isStep) return isOwn ? [] : [`it is to be ${past[action]}, but that was not approved`];
    const parts = changed(before, after);
    return parts === "" ? [] : [`without a step, ${parts} would be changed, but that was not approved`];
  }
  if (!isOwn && !leftOf[known.action].includes(action))
    return [`it is to be ${past[action]}, but was approved to be ${past[known.action]}`];
  if (isOwn && (after === undefined) !== (known.after === undefined)) return [];
  const skipped = isOwn && isStep ? ofValues : none;
  const isWhole = action === known.action;
  const [now, then] = [changed(after, known.after, skipped), changed(before, known.before, skipped)];
  return [
    ...(now === "" ? [] : [`not what was approved: ${now}`]),
    ...(then === "" || !isWhole
      ? []
      : [`not what was reviewed, in the state before the deployment: ${then}`]),
  ];
}

/** The parts in which two registrations differ. Nobody works on the inputs of a component. */
function changed(one: Registered | undefined, other: Registration["after"], skipped = none): string {
  if (!one || !other) return one || other ? "whether it exists" : "";
  const isComponent = !one.custom && !other.custom;
  const compared = names.filter((name) => !skipped.has(name) && !(isComponent && name === "inputs"));
  const isOther = one.external !== other.external;
  return compared
    .filter((name) => one[name] !== other[name] && !(isOther && name === "reads"))
    .map((name) => parts[name])
    .join(", ");
}

/** Whether the stack has what an approved step leads to. */
function isDone({ action, after }: Registration, step: Step | undefined): boolean {
  if (action === "delete") return step?.after === undefined;
  return step !== undefined && changed(step.after, after) === "";
}

/** Whether the engine has registered a resource of this package as it was approved. */
export function isRegistered(known: Registration | undefined, step: Step | undefined): boolean {
  return changed(step?.after, known?.after, ofValues) === "";
}
