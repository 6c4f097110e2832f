import { problems } from "../../support/life";
import { changes, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const failoverBackend = declarationOf("FailoverBackend");

test("the order of the backends counts", async () => {
  const args = { backends: ["bkdtg_1", "bkdhr_1"] };
  const state = await stateOf(failoverBackend, args, args);
  expect(await changes(failoverBackend, state, args)).toEqual([]);
  expect(await updated(failoverBackend, state, { backends: ["bkdhr_1", "bkdtg_1"] })).toEqual({
    backends: ["bkdhr_1", "bkdtg_1"],
  });
});

test("each entry must be the id of a backend that holds no others", () => {
  expect(
    problems(failoverBackend, { backends: ["bkdtg_1", "bot_1", "bkdhr_1", "bkdfo_1", "bkdwd_1"] }),
  ).toEqual([
    expect.stringMatching(/^backends\[1\]: .*"bot_1" is the id of a bot user/),
    expect.stringMatching(/^backends\[3\]: .*"bkdfo_1" is the id of a failover backend/),
    expect.stringMatching(/^backends\[4\]: .*"bkdwd_1" is the id of a weighted backend/),
  ]);
});
