import { changes, created, problems, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const botUser = declarationOf("BotUser");

test("a name is required and not empty", () => {
  expect(problems(botUser, {})).toEqual(["name: is required"]);
  expect(problems(botUser, { name: "" })).toEqual(["name: must not be empty"]);
});

test("name and activity change in place, and false is sent", () => {
  expect(created(botUser, { name: "a", active: false })).toEqual({ name: "a", active: false });
  const state = stateOf(botUser, { name: "a" }, { name: "a", active: true });
  expect(changes(botUser, state, { name: "b", active: false })).toEqual(["name", "active"]);
  expect(updated(botUser, state, { name: "a", active: false })).toEqual({ active: false });
});

test("a bot user whose activity is no longer set becomes active", () => {
  const state = stateOf(botUser, { name: "a", active: false }, { name: "a", active: false });
  expect(updated(botUser, state, { name: "a" })).toEqual({ active: true });
});

test("an activity that the program leaves out is nobody's drift", () => {
  const state = stateOf(botUser, { name: "a" }, { name: "a", active: false });
  expect(changes(botUser, state, { name: "a" })).toEqual([]);
});
