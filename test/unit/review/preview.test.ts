import * as fc from "fast-check";
import { PreviewReader, readPreview } from "../../../src/stack/preview";
import { PreviewSplitter } from "../../../src/stack/preview-splitter";
import { previewText } from "./support";

/** The bytes in pieces that end at these places. */
function inPieces(text: string, ends: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [0, ...ends.map((end) => end % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}

/** The parts that the splitter finds. */
function partsOf(pieces: readonly Buffer[]): { steps: unknown[]; objects: unknown[] } {
  const found = { steps: [] as unknown[], objects: [] as unknown[] };
  const splitter = new PreviewSplitter({
    step: (text) => found.steps.push(JSON.parse(text)),
    object: (text) => found.objects.push(JSON.parse(text)),
  });
  for (const piece of pieces) splitter.push(piece);
  return found;
}

describe("the splitter of a preview", () => {
  const document = fc.record({
    steps: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
    'a "key" with [ { \\': fc.jsonValue(),
    last: fc.constant("steps"),
    list: fc.array(fc.jsonValue()),
  });

  it("finds all steps and the rest of any document, however it is written and wherever it is cut", () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat()), fc.constantFrom(undefined, 2), (value, ends, indent) => {
        const text = `> some {noise}\n  ${JSON.stringify(value, undefined, indent)}\nmore`;
        const plain = JSON.parse(JSON.stringify(value)) as typeof value;
        expect(partsOf(inPieces(text, ends))).toEqual({
          steps: plain.steps,
          objects: [{ ...plain, steps: [] }],
        });
      }),
    );
  });

  it("finds the steps of the document only, not those of its members", () => {
    const value = { config: { steps: [{ a: 1 }] }, name: "steps", list: [{ b: 2 }], steps: [{ c: [{}] }] };
    const { steps, objects } = partsOf([Buffer.from(JSON.stringify(value))]);
    expect(steps).toEqual([{ c: [{}] }]);
    expect(objects).toEqual([{ ...value, steps: [] }]);
  });

  it("finds every object of a stream of lines", () => {
    const events = [{ sequence: 1, text: "}{" }, { sequence: 2 }, { sequence: 3, list: [] }];
    const text = events.map((event) => JSON.stringify(event)).join("\nnoise {}\n");
    expect(partsOf(inPieces(text, [3, 20, 21])).objects).toEqual(events);
  });
});

describe("the reader of a preview", () => {
  it.each(["pull-request", "drift", "many-rules"])("reads %s the same in pieces of one byte", (name) => {
    const text = previewText(name);
    const reader = new PreviewReader();
    for (const byte of Buffer.from(text)) reader.push(Buffer.of(byte));
    expect(reader.end()).toEqual(readPreview(text));
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
    const preview = readPreview(JSON.stringify({ ...rest, steps: [...steps, other] }));
    expect(preview.others).toBe(1);
    expect(JSON.stringify(preview)).not.toMatch(/SHIM|OTHER/);
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
    expect([complete.errors, complete.subjects.length]).toEqual([
      [],
      readPreview(previewText("pull-request")).subjects.length,
    ]);
    const summary = lines.length - 2;
    for (let count = 1; count <= summary; count += 1) {
      const { errors } = readPreview(lines.slice(0, count).join("\n"));
      expect(errors).toEqual([expect.stringContaining("the stream of events ends before its summary")]);
    }
    const failed = { sequence: 1, diagnosticEvent: { severity: "error", message: "wrong cidr" } };
    expect(readPreview(JSON.stringify(failed)).errors).toEqual(["wrong cidr"]);
  });

  it("records the registration of every resource, of other packages too, with digests of its values", () => {
    const state = {
      ...{ type: "aws:ec2:Vpc", custom: true, retainOnDelete: true, deletedWith: "urn:x" },
      provider: "urn:pulumi:a::b::pulumi:providers:aws::default_6_0_0::id",
    };
    const urn = "urn:pulumi:a::b::aws:ec2:Vpc::c";
    const stepWith = (inputs: object) =>
      readPreview(
        JSON.stringify({ changeSummary: {}, steps: [{ op: "create", urn, newState: { ...state, inputs } }] }),
      ).steps[0]!;
    const { action, before, after } = stepWith({ a: "OTHER", __provider: "CODE" });
    expect([action, before, after]).toEqual([
      "create",
      undefined,
      {
        ...{ type: "aws:ec2:Vpc", custom: true, external: false, retainOnDelete: true, deletedWith: "urn:x" },
        provider: "urn:pulumi:a::b::pulumi:providers:aws::default_6_0_0",
        code: expect.any(String) as string,
        inputs: expect.any(String) as string,
      },
    ]);
    expect(stepWith({ a: "OTHER", __provider: "CODE2" }).after).toEqual({
      ...after,
      code: expect.any(String) as string,
    });
    expect(stepWith({ a: "OTHER", __provider: "CODE2" }).after).not.toEqual(after);
    expect(stepWith({ a: "ANOTHER", __provider: "CODE" }).after?.inputs).not.toBe(after?.inputs);
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
