import { readFileSync } from "node:fs";
import { join } from "node:path";
import { leave } from "./machine/entropy";
import { worldFrom } from "../worlds/plan";
import { draftsIn } from "./from";
import { endsWell } from "./story";

const file = join(__dirname, "../fixtures/states/0.1.0/state.json");

afterAll(leave);

test("worlds begin with the resources of a stack, without its secrets, and end well", async () => {
  const { resources } = (
    JSON.parse(readFileSync(file, "utf8")) as { deployment: { resources: { type: string }[] } }
  ).deployment;
  const own = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/tunnel-gateway:"));
  const drafts = draftsIn(file, 1);
  expect(drafts.map(({ type }) => type)).toEqual(own.map(({ type }) => type.split(":").at(-1)));
  expect(JSON.stringify(drafts)).not.toMatch(/ciphertext|plaintext|4dabf18193072939515e22adb298388d/);
  // What refers to another resource of the stack does so in the world too.
  const rule = drafts.find(({ type }) => type === "IpPolicyRule")!;
  const policy = drafts.find(({ name }) => name === rule.refs[String(rule.args.ipPolicyId)]);
  expect(policy?.type).toBe("IpPolicy");
  for (const number of [1, 2]) await endsWell(worldFrom(drafts, 1, number));
});
