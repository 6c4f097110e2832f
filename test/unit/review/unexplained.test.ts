/** What decides access and is not known: the review and an approval agree on what the data flow explains. */
import { unknown } from "../../../src/schema/unknown";
import { approve } from "./approval-support";
import { saidOf, urnOf, writtenPreview, type Written } from "./support";

type Values = Readonly<Record<string, unknown>>;
const created: Written = { type: "BotUser", name: "new", after: { name: "ci" } };
const changed: Written = {
  ...{ type: "BotUser", name: "old", id: "bot_old", before: { name: "ci" }, after: { name: "deploy" } },
};
const policy = (name: string, before?: Values): Written => ({
  ...{ type: "IpPolicy", name, id: `ipp_${name}`, before, after: { description: name } },
});
const botUsers = (...names: string[]): string[] => names.map((name) => urnOf("BotUser", name));
const key = (...from: string[]): Written => ({
  ...{ type: "ApiKey", name: "it", after: { ownerId: unknown }, from: { ownerId: botUsers(...from) } },
});
const edge = (ipRestriction: unknown, ...policies: string[]): Written => ({
  ...{ type: "TcpEdge", name: "it", after: { ipRestriction } },
  from: { ipRestriction: policies.map((name) => urnOf("IpPolicy", name)) },
});

const found = (resources: readonly Written[]): { review: string[]; approval: readonly string[] } => ({
  review: saidOf(resources).flatMap(
    (text) => / access\/unknown .*: known only .*: (.*)$/.exec(text)?.[1] ?? [],
  ),
  approval: approve(writtenPreview(resources)).steps.find(({ name }) => name === "it")!.notKnown,
});

it.each<[string, Written[]]>([
  ["an id of a new object", [created, key("new")]],
  ["ids of new policies", [policy("a"), policy("b"), edge({ ipPolicyIds: [unknown, unknown] }, "a", "b")]],
  ["a list of ids of a new policy", [policy("a"), edge({ ipPolicyIds: unknown }, "a")]],
  [
    "a new id beside a known one",
    [policy("a"), policy("b", {}), edge({ ipPolicyIds: ["ipp_b", unknown] }, "a", "b")],
  ],
])("the data flow explains %s", (_, resources) => {
  expect(found(resources)).toEqual({ review: [], approval: [] });
});

it.each<[string, Written[], string]>([
  [
    "a whole restriction, although only a new policy is in it",
    [policy("a"), edge(unknown, "a")],
    "ipRestriction",
  ],
  ["a value made of an object that exists", [changed, key("old")], "ownerId"],
  [
    "a value made of an object of another type",
    [policy("a"), { ...key(), from: { ownerId: [urnOf("IpPolicy", "a")] } }],
    "ownerId",
  ],
  ["a value that comes from nowhere", [key()], "ownerId"],
])("nothing explains %s", (_, resources, path) => {
  expect(found(resources)).toEqual({ review: [path], approval: [path] });
});

it("nothing explains more ids than there are new policies, which the rule about ranges reports", () => {
  const resources = [policy("a"), edge({ ipPolicyIds: [unknown, unknown] }, "a")];
  const { review, approval } = found(resources);
  expect([review, approval]).toEqual([[], ["ipRestriction.ipPolicyIds[0]", "ipRestriction.ipPolicyIds[1]"]]);
  expect(saidOf(resources)).toContain(
    "error access/unknown-ranges TcpEdge it: one of its policies is known only after the deployment",
  );
});
