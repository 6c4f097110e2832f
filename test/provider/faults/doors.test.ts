/**
 * Every class under every refusal of a service, and under answers that are late or lost, through both doors: the same
 * requests, the same messages, the same state. The provider of a resource is asked as the engine asks it.
 */
import { isDeepStrictEqual } from "node:util";
import { startEmulator, type Emulator, type FaultRule } from "../../../src/emulator";
import type * as TimingModule from "../../../src/provider/http/timing";
import { cases as table, type Case } from "../../rounds/cases";
import { doors, type Door } from "../../rounds/doors";
import { SteadyTexts } from "../../rounds/steady";
import { seed } from "../../rounds/table";
import { configuredHooks } from "../../support/configured-hooks";
import { duringTests } from "../../support/during-tests";
import type * as Hasty from "../../support/hasty";
import {
  nativeProcess,
  overHooks,
  type Known,
  type ProviderProcess,
  type ResourceProvider,
  type Written,
} from "../../support/in-process/provider";
import type { Values } from "../../support/in-process/values";
import { cases } from "../../support/cases";

jest.mock("../../../src/provider/http/timing", () => {
  const clock = jest.requireActual<typeof TimingModule>("../../../src/provider/http/timing");
  const { withoutPauses } = jest.requireActual<typeof Hasty>("../../support/hasty");
  return { ...clock, realTiming: withoutPauses(clock.realTiming) };
});

const once = { times: 1 };
/** What becomes of the first write or read of each step, or of all of them. */
const faults: Record<string, FaultRule> = {
  "a 404": { kind: "status", status: 404, ...once },
  "a 409": { kind: "status", status: 409, ...once },
  "a 422": { kind: "status", status: 422, ...once },
  "a 429": { kind: "status", status: 429, ...once },
  "a 500": { kind: "status", status: 500, ...once },
  "a 503": { kind: "status", status: 503, ...once },
  "a 503 each time": { kind: "status", status: 503 },
  "a refusal of the second request": { kind: "status", status: 422, after: 1, ...once },
  "a lost answer": { kind: "dropAfter", ...once },
};

beforeEach(() => {
  // Retries say so.
  jest.spyOn(process.stdout, "write").mockReturnValue(true);
  // Both doors know which objects this process has found, so the second one would find the account to be the stack's.
  process.env.TUNNEL_GATEWAY_ACCEPT_DELETED = "true";
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.TUNNEL_GATEWAY_ACCEPT_DELETED;
});

const emulators: Record<Door, Emulator> = {
  dynamic: duringTests(startEmulator, (emulator) => emulator.close()),
  native: duringTests(startEmulator, (emulator) => emulator.close()),
};

const tokens: Record<Door, string> = {
  dynamic: "pulumi-nodejs:dynamic/tunnel-gateway:",
  native: "tunnel-gateway:index:",
};

async function processOf(door: Door): Promise<ProviderProcess> {
  const { apiKey, baseUrl } = emulators[door];
  const settings = { apiKey, baseUrl, retryTimeout: "30", requestTimeout: String(60 + ++lives) };
  if (door === "native") return nativeProcess(settings);
  return { providerOf: ({ type }) => overHooks(configuredHooks(type, settings)) };
}
/** Connections of earlier lives know objects that are gone. */
let lives = 0;

/** What a step did: its requests, and what the engine records or shows. */
interface Step {
  readonly step: string;
  readonly result: string;
  readonly requests: readonly string[];
}

/** Creates, changes, reads and deletes an object under the fault, and then each without it where it failed. */
async function life(door: Door, { type, before, after }: Case, fault: FaultRule): Promise<Step[]> {
  const emulator = emulators[door];
  await emulator.reset();
  await emulator.seed(seed);
  const steady = new SteadyTexts(emulator.baseUrl);
  // What one deployment writes, only a later one deletes.
  const plugins = [await processOf(door), await processOf(door)] as const;
  const urn = `urn:pulumi:dev::shop::${tokens[door]}${type}::one`;
  const [provider, later] = plugins.map((plugin) =>
    plugin.providerOf({ urn, type, provider: undefined }),
  ) as [ResourceProvider, ResourceProvider];
  const steps: Step[] = [];
  const done = async <T>(
    step: string,
    rules: FaultRule[],
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    emulator.clearRequests();
    emulator.setFaults({ rules });
    const ended = await work().then(
      (value) => ({ value }),
      (error: Error) => ({ error: error.message }),
    );
    emulator.setFaults({ rules: [] });
    const requests = emulator.requests.map(({ method, path, body }) => steady.of({ method, path, body }));
    steps.push({ step, result: steady.of(shownOf(ended)), requests });
    return "value" in ended ? ended.value : undefined;
  };
  const under = (methods: readonly string[]) => methods.map((method) => ({ ...fault, method }));
  const writes = ["POST", "PUT", "PATCH", "DELETE"];
  try {
    const checked = async (olds: Values, args: Values): Promise<Values> => {
      const code = door === "dynamic" ? { __provider: "code" } : {};
      const { inputs, failures } = await provider.check(olds, { ...args, ...code });
      expect(failures).toEqual([]);
      return inputs;
    };
    const inputs = await checked({}, before);
    const create = () => provider.create(inputs, false);
    const made = (await done("create", under(writes), create)) ?? (await done("create again", [], create));
    if (made === undefined) return steps;
    let known: Known = { ...made, inputs };

    const next = await checked(inputs, after);
    const update = () => provider.update(known, next, false);
    const changed = (await done("update", under(writes), update)) ?? (await done("update again", [], update));
    if (changed) known = { ...changed, inputs: next };

    const read = () => provider.read(known);
    const found = (await done("read", under(["GET"]), read)) ?? (await done("read again", [], read));
    if (found && found.id !== "") known = found;
    await done("delete", under(writes), () => later.delete(known));
    await done("delete again", [], () => later.delete(known));
  } finally {
    for (const plugin of plugins) plugin.close?.();
  }
  // Each emulator has authorities of its own.
  const { ssh_certificate_authorities: _, ...account } = emulator.snapshot();
  steps.push({ step: "end", result: steady.of(account), requests: [] });
  return steps;
}

/** What the engine keeps of a result: outputs and inputs without the code of a dynamic resource, and reasons. */
function shownOf(ended: { value: unknown } | { error: string }): unknown {
  if ("error" in ended || ended.value === undefined) return ended;
  const { failure, ...values } = ended.value as Written;
  const text = JSON.stringify({ ...values, failure: failure && [failure.error.message, failure.reasons] });
  return JSON.parse(text, (key, value: unknown) => (key === "__provider" ? undefined : value)) as unknown;
}

it("changes an object of every class that any change leaves in place", () => {
  const unchanged = table.filter(({ before, after }) => isDeepStrictEqual(before, after));
  expect(unchanged.map(({ type }) => type)).toEqual(["CertificateAuthority", "EventSource"]);
});

/** Each class under some refusals, and each refusal for some classes, or all of them. */
const some = table.map((each, i) => ({
  ...each,
  under: Object.entries(faults).filter((_, j) => (i + j) % cases(5, 1) === 0),
}));

describe.each(some)("$type", ({ under, ...each }) => {
  it.each(under)("does the same by both doors under %s", async (_, fault) => {
    const [dynamic, native] = [await life(doors[0], each, fault), await life(doors[1], each, fault)];
    expect(native).toEqual(dynamic);
    // Else the fault would not have struck.
    expect(dynamic.flatMap(({ requests }) => requests).length).toBeGreaterThan(3);
  });
});
