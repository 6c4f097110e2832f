import { begin, clear, note, status } from "../../../src/tools/cli/terminal/progress";

const { isTTY } = process.stderr;
let written: string[];
let time: number;

beforeEach(() => {
  written = [];
  time = 1_000_000;
  jest.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  jest.spyOn(performance, "now").mockImplementation(() => time);
});
afterEach(() => {
  process.stderr.isTTY = isTTY;
  jest.restoreAllMocks();
});

it("replaces one line on a terminal, and removes it", () => {
  process.stderr.isTTY = true;
  status("Reading: 1");
  status("Reading: 2");
  note("done");
  expect(written).toEqual(["Reading: 1", "\r\u001b[2K", "Reading: 2", "\r\u001b[2K", "done\n"]);
  clear();
  expect(written).toHaveLength(5);
});

it("prints a line from time to time without a terminal", () => {
  process.stderr.isTTY = false;
  note("begin");
  for (let i = 0; i < 25; i++) {
    status(`Reading: ${i}`);
    time += 1000;
  }
  expect(written).toEqual(["begin\n", "Reading: 10\n", "Reading: 20\n"]);
});

it("is not silenced by a clock that goes back", () => {
  process.stderr.isTTY = false;
  const clock = jest.spyOn(Date, "now").mockReturnValue(5_000_000_000_000);
  note("begin");
  clock.mockReturnValue(0);
  time += 10_000;
  status("Reading: 1");
  expect(written).toEqual(["begin\n", "Reading: 1\n"]);
});

it("counts the time of each command from its begin", () => {
  process.stderr.isTTY = false;
  note("the last line of an earlier command");
  time += 60_000;
  begin();
  status("Reading: 1");
  expect(written).toEqual(["the last line of an earlier command\n"]);
});
