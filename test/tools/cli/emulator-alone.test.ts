import { onceAlone } from "../../../src/tools/cli/commands/emulator";

it("ends the emulator once when its parent is another process, and not before", () => {
  jest.useFakeTimers();
  let parent = 7;
  const end = jest.fn();
  onceAlone(() => parent, end);
  jest.advanceTimersByTime(5_000);
  expect(end).not.toHaveBeenCalled();
  parent = 1;
  jest.advanceTimersByTime(5_000);
  expect(end).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});
