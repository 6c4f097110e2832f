/** The file of an approval, which a pull request may have written: each part has its form, and nothing else is read. */
import { approvalsText, readApprovals, type Approval } from "../../../src/tools/review/approval";
import type { Json } from "../../../src/schema/json";

const difference = {
  ...{ path: "rules", old: ["a"], next: ["b"], secret: false, replaces: true },
  members: { added: ["b"], removed: ["a"] },
};
const side = { restricted: true, allowed: ["10.0.0.0/8"], denied: ["10.1.0.0/16"], unknown: ["urn:x"] };
const provider = { urn: "urn:p", name: "europe", action: "update", before: "https://a", after: "https://b" };

const registered = {
  ...{ type: "aws:s3:Bucket", custom: true, external: false, retainOnDelete: true, deletedWith: "urn:b" },
  ...{ provider: "urn:p", reads: "vpc-1", code: "digest", inputs: "digest" },
};

/** An approval that has every part. */
const whole: Json = {
  ...{ approval: 2, version: "1.0.0", stack: "test", project: "p", stackUrl: "https://api.example.com" },
  steps: [
    {
      ...{ urn: "urn:a", type: "IpPolicy", name: "a", action: "update", deletesFirst: false },
      ...{ waitsFor: ["urn:b"], arguments: { description: "x" } },
      from: { ipPolicyId: ["urn:b"] },
      ...{ fields: [difference], drift: [difference], notCompared: ["secret"], notKnown: ["cidr"] },
    },
  ],
  registrations: [{ urn: "urn:a", action: "update", before: registered, after: registered }],
  providers: [provider],
  semantics: { overlap: "deny-wins" },
  access: [{ urn: "urn:e", type: "TcpEdge", name: "e", before: side, after: side }],
};

const [text, texts, flag, action] = ["text", "texts", "flag", "action"];
const ofDifference = {
  ...{ path: text, old: "anything", next: "anything", secret: flag, replaces: flag },
  members: "record?",
  "members.added": "list",
  "members.removed": "list",
};
const ofRegistered = {
  ...{ "": "record?", type: text, custom: flag, external: flag, retainOnDelete: flag, inputs: text },
  ...{ deletedWith: "text?", provider: "text?", reads: "text?", code: "text?" },
};
const ofSide = { "": "record?", restricted: flag, allowed: texts, denied: texts, unknown: texts };
const within = (prefix: string, forms: Record<string, string>): [string, string][] =>
  Object.entries(forms).map(([name, form]) => [[prefix, name].filter(Boolean).join("."), form]);

/** The forms of its parts, by path; a question mark for those that may be missing. */
const forms = new Map<string, string>([
  ...within("", { version: text, stack: text, project: text, stackUrl: "text?" }),
  ...within("", { semantics: "record?", "semantics.overlap": "text?" }),
  ...within("", { registrations: "list", steps: "list", providers: "list", access: "list" }),
  ...within("steps.0", { "": "record", urn: text, type: text, name: text, action, deletesFirst: flag }),
  ...within("steps.0", { waitsFor: texts, notKnown: texts, arguments: "record?", from: "texts by name" }),
  ...within("steps.0", { fields: "list", drift: "list", notCompared: texts }),
  ...["fields", "drift"].flatMap((name) => [
    [`steps.0.${name}.0`, "record"] as [string, string],
    ...within(`steps.0.${name}.0`, ofDifference),
  ]),
  ...within("registrations.0", { "": "record", urn: text, action }),
  ...["before", "after"].flatMap((name) => within(`registrations.0.${name}`, ofRegistered)),
  ...within("providers.0", { "": "record", urn: text, name: text, action, before: "text?", after: "text?" }),
  ...within("access.0", { "": "record", urn: "text?", type: text, name: text }),
  ...["before", "after"].flatMap((name) => within(`access.0.${name}`, ofSide)),
]);

/** Values of other forms. */
const values: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  "text",
  [],
  ["text"],
  [1],
  [null],
  {},
  { a: ["text"] },
  { a: [1] },
];

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const fits = (form: string, value: unknown): boolean => {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  switch (form.replace("?", "")) {
    case "text":
      return typeof value === "string";
    case "texts":
      return isTexts(value);
    case "flag":
      return typeof value === "boolean";
    case "list": // of what has a form of its own: none of these
      return Array.isArray(value) && value.length === 0;
    case "texts by name":
      return isRecord && Object.values(value).every(isTexts);
    default:
      return false;
  }
};

/** The approval with another value of a part; without it where the value is undefined. */
function withPart(path: string, value: unknown): string {
  const copy: Record<string, unknown> = structuredClone(whole);
  const names = path.split(".");
  const last = names.pop()!;
  const parent = names.reduce((node, name) => node[name] as Record<string, unknown>, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return JSON.stringify(copy);
}

const isRead = (file: string): boolean => {
  try {
    return readApprovals(file).length > 0;
  } catch (error) {
    expect((error as Error).message).toBe("the approval is broken: a part of it is missing or wrong");
    return false;
  }
};

describe("the file of an approval", () => {
  it("is read as it was written, with all its parts", () => {
    expect(readApprovals(JSON.stringify(whole))).toEqual([whole]);
    const several = [whole, { ...whole, stack: "other" }] as unknown as Approval[];
    expect(readApprovals(approvalsText(several))).toEqual(several);
    expect(JSON.parse(approvalsText(several.slice(0, 1)))).toEqual(whole);
  });

  it.each([...forms])("has %s as %s, and is broken with anything else", (path, form) => {
    expect(isRead(withPart(path, undefined))).toBe(form.endsWith("?") || form === "anything");
    // What has members of its own is tried member by member.
    if (form.startsWith("record") || (form === "list" && path.includes("members"))) {
      for (const value of values.filter((each) => typeof each !== "object" || each === null))
        expect([value, isRead(withPart(path, value))]).toEqual([value, false]);
      return;
    }
    for (const value of values)
      expect([value, isRead(withPart(path, value))]).toEqual([
        value,
        form === "anything" || fits(form, value),
      ]);
  });

  it.each([
    "",
    "steps.0",
    "steps.0.fields.0",
    "steps.0.fields.0.members",
    "registrations.0",
    "registrations.0.after",
    "providers.0",
    "access.0",
    "access.0.after",
  ])("is broken with a part more in %j", (path) =>
    expect(isRead(withPart([path, "more"].filter(Boolean).join("."), "x"))).toBe(false),
  );

  it.each(["create", "update", "replace", "delete", "same"])("knows the action %s, and no other", (known) => {
    expect(isRead(withPart("steps.0.action", known))).toBe(true);
    expect(isRead(withPart("steps.0.action", known.toUpperCase()))).toBe(false);
    expect(isRead(withPart("providers.0.action", known))).toBe(true);
  });

  it("holds each stack once, at least one, and nothing beside them", () => {
    const file = (stacks: unknown, more: object = {}): string =>
      JSON.stringify({ approval: 2, stacks, ...more });
    expect(isRead(file([whole]))).toBe(true);
    expect(isRead(file([whole, { ...whole, stack: "other" }]))).toBe(true);
    expect(isRead(file([whole, { ...whole, project: "other" }]))).toBe(true);
    const newer = { ...whole, approval: 3, stack: "other" };
    for (const stacks of [[], [whole, whole], [whole, null], [whole, {}], [whole, newer], {}, null, "text"])
      expect([stacks, isRead(file(stacks))]).toEqual([stacks, false]);
    expect(isRead(file([whole], { others: 1 }))).toBe(false);
  });

  it.each(["", "{", "text"])("is JSON: %j is not", (file) => {
    expect(() => readApprovals(file)).toThrow("the approval is not JSON");
  });

  it.each([
    "null",
    "[]",
    "1",
    "{}",
    JSON.stringify({ ...whole, approval: 3 }),
    JSON.stringify({ ...whole, approval: "2" }),
  ])("is of this format: %.40s is not", (file) =>
    expect(() => readApprovals(file)).toThrow("the file is not an approval of this format (2)"),
  );

  it("is not one of an earlier version, which leaves out what others may change", () => {
    expect(() => readApprovals(JSON.stringify({ ...whole, approval: 1 }))).toThrow(
      "the approval has format 1, which leaves out resources of other packages: review and approve the change again",
    );
  });
});
