/**
 * The tests that run for each mutant of a part. They are in one file, because jest loads Pulumi's SDK again for each file.
 * Each has a block of its own, so that what it does before each test is done for its own tests alone.
 */
import * as fc from "../support/fast-check";

// One failure is enough, so none is shrunk.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

interface Part {
  readonly tests: readonly string[];
  readonly worlds?: true;
}

const parts = jest.requireActual<Record<string, Part>>("./parts.cjs");
const { tests, worlds } = parts[process.env.TUNNEL_GATEWAY_MUTATION!]!;
const last = worlds ? ["mutation/worlds"] : [];

describe.each([...tests, ...last])("%s", (file) => {
  jest.requireActual(`../${file}`);
});
