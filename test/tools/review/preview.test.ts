import { readPreview } from "../../../src/tools/inventory/read-preview";
import { previewText } from "./support";

/** All that is kept of a preview. */
function shown(text: string) {
  const { resources, before, after, ...rest } = readPreview(text);
  const objects = [before, after].map(({ all, mismatches }) => ({ all: [...all], mismatches }));
  return { ...rest, objects, resources: [...resources] };
}

describe("the reader of a preview", () => {
  it("reads it on one line, indented, with other lines around it, with line ends of Windows", () => {
    const text = previewText("pull-request");
    const document = JSON.parse(text) as object;
    const forms = [JSON.stringify(document), JSON.stringify(document, undefined, 2)];
    const noise = `warning {x}\n}\n{ "a"\n${forms[1]}\nDone {}\n`;
    for (const form of [...forms, noise, noise.replaceAll("\n", "\r\n")])
      expect(shown(form)).toEqual(shown(text));
  });

  it("reads no step of a member of the document, and none from a text", () => {
    const steps = [{ op: "create", urn: "urn:pulumi:a::b::c:d:E::f" }];
    const text = JSON.stringify({ steps: [], config: { steps, text: `\n{"steps":[]}` } }, undefined, 4);
    expect(readPreview(text).changes).toEqual([]);
  });

  it("keeps neither the shim nor anything of the resources of other packages", () => {
    const { steps, ...rest } = JSON.parse(previewText("pull-request")) as { steps: Step[] };
    for (const state of steps.flatMap(({ oldState, newState }) => [oldState, newState])) {
      if (state?.inputs) state.inputs.__provider = "SHIM";
      if (state?.outputs) state.outputs.__provider = "SHIM";
    }
    const other = {
      op: "update",
      urn: "urn:pulumi:a::b::aws:ec2:Vpc::c",
      oldState: { type: "aws:ec2:Vpc", custom: true, inputs: { a: "OTHER" } },
    };
    const preview = shown(JSON.stringify({ ...rest, steps: [...steps, other] }));
    expect(preview.others).toBe(1);
    expect(JSON.stringify(preview)).not.toMatch(/SHIM|OTHER/);
    const own = JSON.stringify(shown(previewText("pull-request")));
    expect(own).toContain('"203.0.113.128/25"');
    expect(own).not.toMatch(/__provider/);
  });

  it("joins the refresh of a resource with what is planned under its new URN", () => {
    const { steps, ...rest } = JSON.parse(previewText("drift")) as { steps: Streamed[] };
    const renamed = (urn: string): string => urn.replace(/::([^:]+)$/, "::new-$1");
    const planned = steps.map((step) =>
      step.op === "refresh" || !step.urn.includes("tunnel-gateway:")
        ? step
        : { ...step, urn: renamed(step.urn), oldState: { ...step.oldState, urn: step.urn } },
    );
    const [before, after] = [steps, planned].map((all) =>
      readPreview(JSON.stringify({ ...rest, steps: all })),
    );
    const refreshed = [...before!.resources.values()].filter(({ recorded }) => recorded !== undefined);
    expect(refreshed.length).toBeGreaterThan(1);
    expect(after!.resources.size).toBe(before!.resources.size);
    for (const { urn, recorded, action } of refreshed) {
      const { id, args, values, record } = recorded!;
      expect(after!.resources.get(renamed(urn))).toMatchObject({
        action,
        recorded: { id, args, values, record },
      });
    }
  });

  it("keeps refreshes that name each other apart", () => {
    const [one, other] = ["a", "b"].map((name) => `urn:pulumi:s::p::aws:ec2:Vpc::${name}`);
    const refresh = (urn?: string, old?: string): object => ({ op: "refresh", urn, oldState: { urn: old } });
    const steps = [refresh(one, other), refresh(other, one)];
    expect(readPreview(JSON.stringify({ steps })).changes.map(({ urn }) => urn)).toEqual([one, other]);
  });

  it("takes a stream of events without its summary for incomplete", () => {
    const { steps } = JSON.parse(previewText("pull-request")) as { steps: Streamed[] };
    const events = [
      { preludeEvent: { config: {} } },
      ...steps.map(({ op, urn, oldState: old, newState }) => ({
        resourcePreEvent: { metadata: { op, urn, old, new: newState, keys: [] } },
      })),
      { summaryEvent: { resourceChanges: {} } },
      { cancelEvent: {} },
    ];
    const lines = events.map((event, sequence) => JSON.stringify({ sequence, timestamp: 0, ...event }));
    const complete = readPreview(lines.join("\n"));
    expect([complete.errors, complete.resources.size]).toEqual([
      [],
      readPreview(previewText("pull-request")).resources.size,
    ]);
    const summary = lines.length - 2;
    for (let count = 1; count <= summary; count += 1) {
      const { errors } = readPreview(lines.slice(0, count).join("\n"));
      expect(errors).toEqual([expect.stringContaining("the stream of events ends before its summary")]);
    }
    const failed = { sequence: 1, diagnosticEvent: { severity: "error", message: "wrong cidr" } };
    expect(readPreview(JSON.stringify(failed)).errors).toEqual(["wrong cidr"]);
  });

  it("refuses what ends before the end of the document", () => {
    const text = previewText("pull-request").trimEnd();
    for (const part of [text.slice(0, -1), text.slice(0, 2000)])
      expect(() => readPreview(part)).toThrow("the input is not the output of `pulumi preview --json`");
  });
});

interface Streamed extends Step {
  op: string;
  urn: string;
}

interface Step {
  oldState?: { inputs?: Record<string, unknown>; outputs?: Record<string, unknown> };
  newState?: { inputs?: Record<string, unknown>; outputs?: Record<string, unknown> };
}
