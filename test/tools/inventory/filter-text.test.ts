import { inline, textExclusion, textFilter } from "../../../src/tools/inventory/filter-text";
import { valueAt } from "../../../src/schema/unknown";

describe("text from the service", () => {
  it("becomes one line, whatever its kind", () => {
    expect(inline(undefined)).toBe("");
    expect(inline(["a", 1, true])).toBe("a, 1, true");
    expect(inline({ service: "web", weight: 0 })).toBe("service=web, weight=0");
    expect(inline({ id: "ipp_a", uri: "https://…" })).toBe("ipp_a");
    expect(inline({ id: "ipp_a", name: "n" })).toBe("id=ipp_a, name=n");
  });

  it("is found by its path, in which a key may hold dots", () => {
    expect(valueAt({ deployment: { name: "n" } }, "deployment.name")).toBe("n");
    expect(valueAt({ labels: { "a.b": "c" } }, "labels.a.b")).toBe("c");
    expect(valueAt({ a: 1 }, "a.b")).toBeUndefined();
  });
});

const anyField = (): undefined => undefined;

describe("metadata that another program wrote as JSON", () => {
  const metadata = JSON.stringify({
    "owned-by": "operator",
    "k8s.example.com/namespace": "web",
    n: { deep: 1 },
  });

  it.each([
    ["metadata.owned-by=operator", true],
    ["metadata.owned-by=oper*", true],
    ["metadata.owned-by=other", false],
    ["metadata.k8s.example.com/namespace=web", true],
    ["metadata.n.deep=1", true],
    ["metadata.absent=*", false],
    ["metadata=*operator*", true],
  ])("is matched by %s: %s", (text, expected) => {
    expect(textExclusion([text], anyField)({ metadata })).toBe(expected);
  });

  it("is searched by the filters of lists too, in which an absent key is empty text", () => {
    expect(textFilter(["metadata.owned-by=operator"], anyField)({ metadata })).toBe(true);
    expect(textFilter(["metadata.absent="], anyField)({ metadata })).toBe(true);
    expect(textFilter(["metadata=a=b"], anyField)({ metadata: "a=b" })).toBe(true);
  });

  it.each(["owned-by operator", '"owned-by"', "[1]", "null", "{", undefined])(
    "is not excluded by a key where it is %j",
    (other) => {
      expect(textExclusion(["metadata.owned-by=*"], anyField)({ metadata: other })).toBe(false);
    },
  );
});

describe("an exclusion", () => {
  it("leaves out what matches one of the texts, and nothing without texts", () => {
    const excludes = textExclusion(["description=a*", "region=eu"], anyField);
    expect(
      [{ description: "ab" }, { region: "eu" }, { description: "b", region: "us" }].map(excludes),
    ).toEqual([true, true, false]);
    expect(textExclusion([], anyField)({ description: "a" })).toBe(false);
  });

  it.each([{}, { description: undefined }, { description: null }])(
    "leaves in what has no such field: %j",
    (object) => {
      expect(textExclusion(["description=*"], anyField)(object)).toBe(false);
    },
  );

  it.each(["owned-by", "=x", "metadata.=x", ".owned-by=x", "metadata..a=x"])("refuses %j", (text) => {
    expect(() => textExclusion([text], anyField)).toThrow(
      `--exclude takes field=value, such as metadata.owned-by=*; not ${JSON.stringify(text)}`,
    );
  });
});
