/**
 * A service whose answers leave out one of the arguments, for each class and each argument of the table, through both doors: the
 * object stays as the program says, and nothing more is sent.
 */
import { startEmulator } from "../../../src/emulator";
import type * as TimingModule from "../../../src/provider/http/timing";
import { declarationOf } from "../../../src/resources/registry";
import { wireName } from "../../../src/schema/field";
import type { Fields } from "../../../src/schema/field";
import { isRecord } from "../../../src/schema/unknown";
import { fieldAt, setPaths } from "../../../src/schema/walk";
import { cases as table, type Case } from "../../rounds/cases";
import { cases } from "../../support/cases";
import { doors, type Door } from "../../rounds/doors";
import { seed } from "../../rounds/table";
import { configuredHooks } from "../../support/configured-hooks";
import { duringTests } from "../../support/during-tests";
import type * as Hasty from "../../support/hasty";
import {
  nativeProcess,
  overHooks,
  type Known,
  type ProviderProcess,
} from "../../support/in-process/provider";
import type { Values } from "../../support/in-process/values";
import { serverForTests } from "../../support/servers";

jest.mock("../../../src/provider/http/timing", () => {
  const clock = jest.requireActual<typeof TimingModule>("../../../src/provider/http/timing");
  const { withoutPauses } = jest.requireActual<typeof Hasty>("../../support/hasty");
  return { ...clock, realTiming: withoutPauses(clock.realTiming) };
});

beforeEach(() => {
  jest.spyOn(process.stdout, "write").mockReturnValue(true); // what previews say
});
afterEach(() => jest.restoreAllMocks());

const emulator = duringTests(
  () => startEmulator(),
  (each) => each.close(),
);

/** The members on the wire that lead to what answers leave out, and whether they have null in its place. */
let leftOut: { readonly path: readonly string[]; readonly isNull: boolean } | undefined;

/** The emulator, whose answers leave it out. */
const service = serverForTests((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", url = "/", headers } = request;
    const sent = Object.entries(headers).filter(
      ([name]) => !["host", "connection", "content-length"].includes(name),
    );
    const answer = await fetch(new URL(emulator.baseUrl).origin + url, {
      method,
      headers: sent as [string, string][],
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(text === "" ? text : JSON.stringify(without(JSON.parse(text))));
  })();
});

/** An object of an answer, or a list of them. */
function without(answer: unknown): unknown {
  if (!isRecord(answer) || leftOut === undefined) return answer;
  const lists = Object.entries(answer).filter(
    ([, value]) => Array.isArray(value) && "next_page_uri" in answer,
  );
  const { path, isNull } = leftOut;
  return lists.length === 0
    ? withoutMember(answer, path, isNull)
    : {
        ...answer,
        ...Object.fromEntries(lists.map(([name, items]) => [name, (items as unknown[]).map(without)])),
      };
}

function withoutMember(value: unknown, [name, ...rest]: readonly string[], isNull: boolean): unknown {
  if (!isRecord(value) || name === undefined || value[name] === undefined) return value;
  const { [name]: member, ...others } = value;
  if (rest.length > 0) return { ...others, [name]: withoutMember(member, rest, isNull) };
  return isNull ? { ...others, [name]: null } : others;
}

/** The members of an answer that lead to the argument; none where no answer holds it. */
function onWire(fields: Fields, names: readonly string[]): readonly string[] {
  return names.flatMap((name, i) => {
    const field = fieldAt(fields, names.slice(0, i + 1))!;
    const { ref, inPath, writeOnly } = field.traits;
    return inPath || writeOnly ? [] : [ref ?? wireName(name, field)];
  });
}

interface Row extends Case {
  /** The argument. */
  readonly path: string;
  readonly wire: readonly string[];
}

const entry = { description: "of the office", metadata: "m" };
const ruleSet: Case = {
  type: "IpPolicyRuleSet",
  before: { ipPolicyId: "ipp_one", rules: { "10.0.0.0/8": { action: "allow", ...entry } } },
  after: {
    ipPolicyId: "ipp_one",
    rules: { "10.0.0.0/8": { action: "allow", ...entry }, "192.0.2.0/24": { action: "deny", ...entry } },
  },
};

const rows: Row[] = table.flatMap((each): Row[] => {
  const { fields, setOf } = declarationOf(each.type);
  // A rule is known by its range and action.
  if (setOf) return ["description", "metadata"].map((path) => ({ ...ruleSet, path, wire: [path] }));
  return setPaths(fields, each.before)
    .map((path) => ({ ...each, path, wire: onWire(fields, path.split(".")) }))
    .filter(({ path, wire }) => wire.length === path.split(".").length);
});

const tokens: Record<Door, string> = {
  dynamic: "pulumi-nodejs:dynamic/tunnel-gateway:",
  native: "tunnel-gateway:index:",
};

let lives = 0;

async function processOf(door: Door): Promise<ProviderProcess> {
  // Connections of earlier lives know objects that are gone.
  const baseUrl = service.baseUrl + new URL(emulator.baseUrl).pathname;
  const settings = { apiKey: emulator.apiKey, baseUrl, requestTimeout: String(60 + ++lives) };
  if (door === "native") return nativeProcess(settings);
  return { providerOf: ({ type }) => overHooks(configuredHooks(type, settings)) };
}

/** What is not as it should be. */
async function problemsOf(
  door: Door,
  { type, before, after, wire }: Row,
  isNull: boolean,
): Promise<string[]> {
  leftOut = undefined;
  await emulator.reset();
  await emulator.seed(seed);
  leftOut = { path: wire, isNull };
  const plugin = await processOf(door);
  const provider = plugin.providerOf({
    urn: `urn:pulumi:dev::shop::${tokens[door]}${type}::one`,
    type,
    provider: undefined,
  });
  const problems: string[] = [];
  const code: Values = door === "dynamic" ? { __provider: "code" } : {};
  /** A preview, and a refresh before another preview. */
  const settled = async (step: string, known: Known): Promise<Known> => {
    const { inputs } = await provider.check(known.inputs, known.inputs);
    const first = await provider.diff(known, inputs);
    const found = await provider.read(known);
    const second = await provider.diff({ ...found, inputs }, inputs);
    for (const { changes, replaces } of [first, second])
      if (changes !== false || replaces.length > 0)
        problems.push(`${step}: it changes: ${String(changes)} ${replaces.join()}`);
    if (JSON.stringify(found.inputs) !== JSON.stringify(known.inputs))
      problems.push(`${step}: a refresh finds drift`);
    return { ...found, inputs };
  };
  try {
    const { inputs } = await provider.check({}, { ...before, ...code });
    const made = await provider.create(inputs, false);
    if (made.failure) problems.push(`create: ${made.failure.error.message}`);
    const known = await settled("create", { ...made, inputs });
    const { inputs: next } = await provider.check(inputs, { ...after, ...code });
    if ((await provider.diff(known, next)).replaces.length > 0) return problems;
    const changed = await provider.update(known, next, false);
    if (changed.failure) problems.push(`update: ${changed.failure.error.message}`);
    await settled("update", { ...changed, inputs: next });
  } finally {
    plugin.close?.();
  }
  return problems;
}

it("has arguments of every class that answers hold", () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "binding",
      "binding.endpointSelectors",
      "ipRestriction.ipPolicyIds",
      "acl",
      "target",
    ]),
  );
});

describe.each(doors.map((door, j) => [door, j] as const))("by the %s door", (door, j) => {
  const isText = ({ path }: Row): boolean => ["description", "metadata"].includes(path);
  const some = rows.filter((row, i) => (door === "dynamic" || !isText(row)) && (i + j) % cases(3, 1) === 0);
  it.each(some)("$type keeps $path", async (row) => {
    expect(await problemsOf(door, row, door === "native")).toEqual([]);
  });
});
