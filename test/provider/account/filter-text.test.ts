import { inline } from "../../../src/account/filter-text";
import { valueAt } from "../../../src/schema/unknown";

describe("text from the service", () => {
  it("becomes one line, whatever its kind", () => {
    expect(inline(undefined)).toBe("");
    expect(inline(["a", 1, true])).toBe("a, 1, true");
    expect(inline({ service: "web", weight: 0 })).toBe("service=web, weight=0");
    expect(inline({ id: "ipp_a", uri: "https://…" })).toBe("ipp_a");
  });

  it("is found by its path, in which a key may hold dots", () => {
    expect(valueAt({ deployment: { name: "n" } }, "deployment.name")).toBe("n");
    expect(valueAt({ labels: { "a.b": "c" } }, "labels.a.b")).toBe("c");
    expect(valueAt({ a: 1 }, "a.b")).toBeUndefined();
  });
});
