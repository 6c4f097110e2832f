/** The file of an approval, which a pull request may have written: each part has its form, and nothing else is read. */
import { approvalsText, readApprovals } from "../../../src/tools/approval/approval";
import type { Approval } from "../../../src/tools/approval/approval";

const step = {
  ...{ urn: "urn:a", baseUrl: "https://api.example.com", after: [1], isLate: false },
  writes: [
    {
      method: "POST",
      path: "/ip_policies",
      body: { description: null },
      holes: [{ at: "/description", any: "secret" }],
    },
    { method: "POST", path: "/x", body: { id: null }, holes: [{ at: "/id", text: ["a ", 0] }], first: 0 },
  ],
};
const other = {
  urn: "urn:b",
  after: [],
  isLate: true,
  writes: [{ method: "DELETE", path: "/ip_policies/{0}" }],
};
/** An approval that has every part. */
const whole = {
  ...{ approval: 3, version: "1.0.0", stack: "test", project: "p", baseUrls: ["https://api.example.com"] },
  steps: [step, other],
};

const broken = "the approval is broken: a part of it is missing or wrong";
const problemOf = (value: unknown): string | undefined => {
  try {
    readApprovals(JSON.stringify(value));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Every value with one member left out, replaced or added, at any depth. */
function* changed(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const set = (next: unknown): unknown => {
      if (Array.isArray(value)) return value.with(Number(name), next);
      return { ...value, [name]: next };
    };
    for (const wrong of [null, 1.5, true, { a: 1 }]) yield [`${name}=${JSON.stringify(wrong)}`, set(wrong)];
    for (const [path, inner] of changed(member)) yield [`${name}.${path}`, set(inner)];
  }
  if (!Array.isArray(value)) yield ["more=1", { ...value, more: 1 }];
}

describe("the file of an approval", () => {
  it("is read as it was written, with all its parts", () => {
    expect(readApprovals(JSON.stringify(whole))).toEqual([whole]);
    const several = [whole, { ...whole, stack: "other" }] as unknown as Approval[];
    expect(readApprovals(approvalsText(several))).toEqual(several);
    expect(JSON.parse(approvalsText(several.slice(0, 1)))).toEqual(whole);
  });

  it("is broken with any part of another form, or with one more; only a body may be anything", () => {
    const all = [...changed(whole)].filter(
      ([path]) => !/\.body\b/.test(path) && !path.startsWith("approval="),
    );
    expect(all.length).toBeGreaterThan(100);
    const read = all.filter(([, value]) => problemOf(value) !== broken).map(([path]) => path);
    expect(read).toEqual(["steps.0.isLate=true", "steps.1.isLate=true"]);
  });

  it.each(["version", "stack", "project", "baseUrls", "steps"])("needs %s", (name) =>
    expect(problemOf({ ...whole, [name]: undefined })).toBe(broken),
  );

  it("has no step that waits for itself or for none of the steps", () => {
    for (const after of [[0], [2], [-1]])
      expect(problemOf({ ...whole, steps: [{ ...step, after }, other] })).toBe(broken);
  });

  it("holds each stack once, and at least one", () => {
    const file = (stacks: unknown, more: object = {}): unknown => ({ approval: 3, stacks, ...more });
    expect(problemOf(file([whole, { ...whole, project: "other" }]))).toBeUndefined();
    for (const stacks of [[], [whole, whole], [whole, null], {}, "text"])
      expect(problemOf(file(stacks))).toBe(broken);
    expect(problemOf(file([whole], { more: 1 }))).toBe(broken);
  });

  it.each(["", "{", "text"])("is JSON: %j is not", (text) => {
    expect(() => readApprovals(text)).toThrow("the approval is not JSON");
  });

  it.each([null, [], 1, {}, { ...whole, approval: 4 }, { ...whole, approval: "3" }])(
    "is of this format: %j is not",
    (value) => expect(problemOf(value)).toBe("the file is not an approval of this format (3)"),
  );

  it.each([1, 2])("is not one of format %d, which lists no writes", (approval) =>
    expect(problemOf({ ...whole, approval })).toBe(
      `the approval has format ${approval}, which lists steps and not writes: review and approve the change again`,
    ),
  );
});
