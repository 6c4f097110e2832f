import { checkClock } from "../../../src/tools/cli/commands/doctor/run";
import { collectionOf, collections } from "../../../src/tools/cli/collections";
import { filterOf } from "../../../src/tools/cli/input/account-objects";
import { declarations } from "../../../src/resources/registry";

describe("collections", () => {
  it("are found by their name, their class and their path", () => {
    const names = ["ip-policy-rules", "IpPolicyRule", "ip_policy_rules", "/ip_policy_rules"];
    const found = names.map((name) => collectionOf(name, "lists").declaration.type);
    expect(new Set(found)).toEqual(new Set(["IpPolicyRule"]));
    expect(collectionOf("backends/weighted", "gets").name).toBe("weighted-backends");
  });

  it("hold all that the API has, with columns that exist", () => {
    const types = new Set(collections.map(({ declaration }) => declaration.type));
    for (const { type } of declarations) expect(types).toContain(type);
    for (const { declaration } of collections) {
      const fields = Object.keys(declaration.fields);
      expect(declaration.columns.length > 0).toBe(declaration.listKey !== undefined);
      for (const column of declaration.columns) expect(fields).toContain(column.split(".")[0]);
    }
  });
});

describe("--filter", () => {
  const { declaration } = collectionOf("tunnel-group-backends", "lists");
  const backend = { id: "bkdtg_a", description: "a (b) = c", labels: { service: "web", zone: "eu-1" } };

  it.each([
    ["description=a (b) = c", true],
    ["description=a *", true],
    ["description=*", true],
    ["description=a", false],
    ["labels.service=w*b", true],
    ["labels.none=", true],
    ["labels.service=", false],
    ["id=bkdtg_?", false],
  ])("%s: %s", (text, expected) => {
    expect(filterOf(declaration, [text])(backend)).toBe(expected);
  });

  it("asks for all at once, and for items of lists", () => {
    expect(filterOf(declaration, ["labels.service=web", "labels.zone=us*"])(backend)).toBe(false);
    const edges = collectionOf("tcp-edges", "lists").declaration;
    expect(filterOf(edges, ["hostports=b:2"])({ hostports: ["a:1", "b:2"] })).toBe(true);
  });
});

describe("doctor's clock", () => {
  const now = 1_000_000_000;
  const check = (theirs: number | undefined): string =>
    checkClock({ http: { serverTime: () => theirs } as never }, now).status;

  it.each([
    [0, "ok"],
    [-5, "ok"],
    [6, "warning"],
    [-60, "warning"],
    [61, "failed"],
    [-3600, "failed"],
  ])("is %s seconds off: %s", (seconds, status) => expect(check(now + seconds * 1000)).toBe(status));

  it("is skipped where no answer shows the time", () => expect(check(undefined)).toBe("skipped"));
});
