import { previewOf } from "./access-preview";
import { reviewText } from "./support";

const now = Date.parse("2030-06-01T12:00:00Z");
type Rules = Record<string, unknown>;

function findings(before: Rules, after: Rules): string[] {
  const network = (rules: Rules): Parameters<typeof previewOf>[0] => ({
    ...{ policies: ["office"], rules: [], edges: {} },
    sets: { office: rules as Record<string, "allow"> },
  });
  const { findings } = reviewText(previewOf(network(before), network(after)), { now });
  return findings
    .filter(({ rule }) => rule === "access/ends")
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const until = (time: string): unknown => ({ action: "allow", until: time });
const always = { "203.0.113.0/24": "allow" };

describe("access that ends", () => {
  it("is named in the week before its end, and not before that", () => {
    const rules = {
      ...always,
      "198.51.100.7": until("2030-06-08T12:00:00Z"),
      "198.51.100.8": until("2030-06-08T12:00:01Z"),
      "198.51.100.9": until("2030-06-01T14:00:01+02:00"),
    };
    expect(findings(rules, rules)).toEqual([
      "note: rules end within 7 days: 198.51.100.9 (2030-06-01T12:00:01Z), 198.51.100.7 (2030-06-08T12:00:00Z)",
    ]);
  });

  it("is named when the deployment removes it, and as a warning when it still stands", () => {
    const rules = { ...always, "198.51.100.7": until("2030-06-01T12:00:00Z") };
    expect(findings(rules, always)).toEqual([
      "note: rules have ended, so the deployment removes them: 198.51.100.7 (2030-06-01T12:00:00Z)",
    ]);
    expect(findings(rules, rules)).toEqual([
      "warning: rules have ended and still stand: 198.51.100.7 (2030-06-01T12:00:00Z)",
    ]);
  });

  it("is counted when there is much of it", () => {
    const many = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`198.51.100.${i}`, until("2030-06-02T00:00:00Z")]),
    );
    expect(findings(always, { ...always, ...many })[0]).toMatch(/198\.51\.100\.4 \([^)]*\) and 3 more$/);
  });
});
