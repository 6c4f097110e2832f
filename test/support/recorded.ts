/** Completes previews and exports that tests write by hand, with what the engine records of every resource. */
import { contentsOf as contents } from "../../src/tools/inventory/stack";
import type { StackContents } from "../../src/tools/inventory/stack";
import { shimOf, tokenPrefix } from "../../src/program/shim";
import { readPreview as read } from "../../src/tools/inventory/read-preview";
import type { Preview } from "../../src/tools/inventory/read-preview";

type Json = Record<string, unknown>;

/** The text of a preview or an export, completed. */
function recordedText(text: string): string {
  return JSON.stringify(recorded(JSON.parse(text) as Json));
}

/** A preview or an export, completed. What it says already stays. */
export function recorded<T extends object>(value: T): T {
  const { steps, deployment } = value as { steps?: Json[]; deployment?: Json | null };
  if (steps) return { ...value, steps: steps.map(recordedStep) };
  if (!deployment) return value;
  const { resources, pending_operations: pending } = deployment as {
    resources?: Json[];
    pending_operations?: Json[];
  };
  return {
    ...value,
    deployment: {
      ...deployment,
      ...(resources && { resources: resources.map((each) => recordedState(each)) }),
      ...(pending && {
        pending_operations: pending.map((each) => ({
          ...each,
          resource: recordedState(each.resource as Json),
        })),
      }),
    },
  };
}

/** A step of a preview, completed. */
function recordedStep(step: Json): Json {
  const states = ["oldState", "newState"].flatMap((name) => {
    const state = step[name] as Json | undefined | null;
    if (!state) return [];
    const found = recordedState(state, String(step.urn ?? state.urn));
    // What exists has an id, unless it is a component.
    const id = `id_${String(found.urn).split("::").at(-1)}`;
    return [[name, name === "oldState" && found.custom === true ? { id, ...found } : found]];
  });
  return { ...step, ...(Object.fromEntries(states) as Json) };
}

/** A state, completed by its URN. */
export function recordedState(state: Json, urn = String(state.urn)): Json {
  const type = typeof state.type === "string" ? state.type : (urn.split("::")[2] ?? "").split("$").at(-1)!;
  const inputs = (state.inputs ?? {}) as Json;
  const code = type.startsWith(tokenPrefix) ? { __provider: shimOf(type.slice(tokenPrefix.length)) } : {};
  const isComponent = type === "pulumi:pulumi:Stack" || type.startsWith("tunnel-gateway:index:");
  const found = { ...state, inputs: { ...inputs, ...("__provider" in inputs ? {} : code) } };
  return { ...found, urn: state.urn ?? urn, type, custom: state.custom ?? !isComponent };
}

/** A preview that a test writes by hand. */
export function readPreview(text: string): Preview {
  return read(recordedText(text));
}

/** The contents of an export that a test writes by hand. */
export function contentsOf(exported: object, stack: string): StackContents {
  return contents(recorded(exported), stack);
}
