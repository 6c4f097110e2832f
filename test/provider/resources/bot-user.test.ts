import { Life, problems } from "../../support/life";
import { changes, created, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const botUser = declarationOf("BotUser");

test("a name is required and not empty", () => {
  expect(problems(botUser, {})).toEqual(["name: is required"]);
  expect(problems(botUser, { name: "" })).toEqual(["name: must not be empty"]);
});

test("name and activity change in place, and false is sent", async () => {
  expect(await created(botUser, { name: "a", active: false })).toEqual({ name: "a", active: false });
  const state = await stateOf(botUser, { name: "a" }, { name: "a", active: true });
  expect(await changes(botUser, state, { name: "b", active: false })).toEqual(["name", "active"]);
  expect(await updated(botUser, state, { name: "a", active: false })).toEqual({ active: false });
});

test("a bot user whose activity is no longer set keeps it, and the preview says so", async () => {
  const life = new Life(botUser, (body) => ({ name: "a", active: false, ...body }));
  const state = await life.create({ name: "a", active: false });
  expect(await life.diff(state, { name: "a" })).toBe("update");
  expect(life.lines).toEqual([
    "bot user id_1: active is no longer in the program, and its default is left to the service; the value stays as it is",
  ]);
  const next = await life.update(state, { name: "a" });
  expect(next).toMatchObject({ active: false, __args: ["name"] });
  expect(life.sent.map(({ verb }) => verb)).toEqual(["create"]);
  expect(await life.diff(next, { name: "a" })).toBe("none");
  await life.update(state, { name: "b" });
  expect(life.sent.at(-1)).toEqual({ verb: "update", body: { name: "b" } });
});

test("an answer without the activity is no drift of an active bot user", async () => {
  const state = await stateOf(botUser, { name: "a", active: true }, { name: "a" });
  expect(await changes(botUser, state, { name: "a", active: true })).toEqual([]);
});

test("an activity that the program leaves out is nobody's drift", async () => {
  const state = await stateOf(botUser, { name: "a" }, { name: "a", active: false });
  expect(await changes(botUser, state, { name: "a" })).toEqual([]);
});
