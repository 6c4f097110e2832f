/** What the steps of a preview make of a resource. */
import { enginePreview } from "../../../src/tools/stack/preview";

const type = "aws:ec2:Vpc";
const urn = (name: string): string => `urn:pulumi:s::p::${type}::${name}`;

/** A step on the resource; `old` and `next` are the ids of its states. */
function step(op: string, name: string, { old = "", next = "", was = name, ...more }: Step = {}): object {
  const state = (id: string, at: string) =>
    id === "" ? {} : { type, custom: true, id, urn: urn(at), ...more };
  return { op, urn: urn(name), oldState: state(old, was), newState: state(next, name) };
}

interface Step {
  readonly old?: string;
  readonly next?: string;
  /** The name of the old state. */
  readonly was?: string;
  readonly pendingReplacement?: true;
}

const refreshed = step("refresh", "a", { old: "i-1" });
const planned = step("same", "b", { old: "i-2", next: "i-2" });
const left = step("delete-replaced", "a", { old: "i-0" });
const deleted = { old: "i-1", next: "i-1", pendingReplacement: true } as const;

it.each([
  [
    "only refreshed, where all others are planned",
    [refreshed, planned],
    {},
    ["same", undefined, undefined, false],
  ],
  [
    "only refreshed, where none is planned",
    [refreshed, step("refresh", "b")],
    {},
    ["same", "i-1", "i-1", false],
  ],
  [
    "only refreshed, where the preview fails",
    [refreshed, planned],
    { diagnostics: [{ severity: "error", message: "x" }] },
    ["same", "i-1", "i-1", false],
  ],
  [
    "changed beside the remains of an interrupted replacement",
    [left, step("update", "a", { old: "i-1", next: "i-1" })],
    {},
    ["update", "i-1", "i-1", false],
  ],
  ["left of an interrupted replacement alone", [left], {}, ["delete", "i-0", undefined, false]],
  [
    "deleted by an interrupted replacement",
    [step("create", "a", deleted)],
    {},
    ["create", undefined, "i-1", false],
  ],
  [
    "replaced after its deletion",
    [step("create-replacement", "a", deleted)],
    {},
    ["replace", "i-1", "i-1", true],
  ],
  [
    "new under the old name of another one",
    [
      refreshed,
      step("same", "b", { old: "i-1", next: "i-1", was: "a" }),
      step("create", "a", { next: "i-3" }),
    ],
    {},
    ["create", undefined, "i-3", false],
  ],
])("a resource that is %s", (_, steps, more, expected) => {
  const { changes } = enginePreview(JSON.stringify({ steps, ...more }))!;
  const { action, before, after, deletedFirst } = changes.find((each) => each.urn === urn("a"))!;
  expect([action, before?.id, after?.id, deletedFirst]).toEqual(expected);
});

it("takes errors alone for errors", () => {
  const diagnostics = ["warning", "error", "info"].map((severity) => ({ severity, message: severity }));
  expect(enginePreview(JSON.stringify({ steps: [planned], diagnostics }))!.plan.errors).toEqual(["error"]);
});
