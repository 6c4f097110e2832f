/** API keys whose token is sealed: what the state holds through faults, kills, rotations and changes of the recipient. */
import { DebugLog } from "../../../src/provider/http/debug-log";
import { stampText } from "../../../src/schema/metadata";
import { StillClock } from "../../support/still-clock";
import { accepts, hasty, onlyFirst, Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";
import { recipient, type Recipient } from "../../support/sealed-box";

type State = Readonly<Record<string, unknown>>;
type Failure = Error & { readonly id: string; readonly properties: State };

const github = recipient();
const other = recipient();

const { now, date, goTo } = new StillClock();
const emulator = emulatorForTests({ now: date });

/** All that the processes of a test print and return, where the token of a key must not be. */
let shown: string[];
/** The tokens that recipients opened. */
let tokens: Set<string>;

beforeEach(() => {
  shown = [];
  tokens = new Set();
});
afterEach(() => {
  for (const token of tokens) expect(shown.filter((text) => text.includes(token))).toEqual([]);
});

/** A process of the provider, with the debug log on. Only the first requests of one that is killed reach the service. */
function process(requests = Infinity): Plugin {
  const note = (line: string): void => void shown.push(line);
  const options = { log: new DebugLog(emulator.apiKey, note), report: note, dispatcher: onlyFirst(requests) };
  return Plugin.for(emulator, { retryTimeout: 5 }, { timing: { ...hasty, now }, ...options });
}

function noted<T>(value: T): T {
  shown.push(JSON.stringify(value));
  return value;
}

const created = async (type: string, args: State) => noted(await process().create(type, args));
const updated = async (type: string, id: string, state: State, args: State): Promise<State> =>
  noted(await process().update(type, id, state, args));

/** What a hook fails with. */
async function failed(work: Promise<unknown>): Promise<Failure> {
  const failure = await failureOf<Failure>(work);
  shown.push(failure.message, failure.stack ?? "", JSON.stringify(failure));
  return failure;
}

/** The token, opened by its recipient. The service accepts it. */
async function openedBy(by: Recipient, { sealedToken }: State): Promise<string> {
  const token = await by.open(sealedToken);
  expect(token).toMatch(/^emulated_/);
  tokens.add(token);
  expect(await isAccepted(token)).toBe(true);
  return token;
}

const isAccepted = (token: string) => accepts(emulator, token);

const keys = () => emulator.snapshot().api_keys!.filter(({ description }) => description === "ci");
const posts = () => emulator.requests.filter(({ method }) => method === "POST").length;
const differencesOf = (type: string, id: string, state: State, args: State) =>
  process().hooks(type).differences(id, state, args);

const classes = [
  ["ApiKey", { description: "ci" }],
  ["RotatingApiKey", { description: "ci", rotateAfterDays: 30, overlapDays: 3 }],
] as const;

describe.each(classes)("%s with a recipient", (type, open) => {
  const args = { ...open, sealTo: github.publicKey };

  it("has a sealed token that its recipient alone opens, and no other trace of the token", async () => {
    const { id, state } = await created(type, args);
    expect(state.token).toBeNull();
    await openedBy(github, state);
    await expect(other.open(state.sealedToken)).rejects.toThrow("incorrect key pair");
    expect(keys()).toMatchObject([{ id, metadata: "" }]);
    expect((await differencesOf(type, id, state, args)).changes).toBe(false);

    const read = noted(await process().read(type, id, state));
    expect(read.state).toEqual(state);
    expect(read.inputs).toBeUndefined();
    const renamed = await updated(type, id, state, { ...args, metadata: "team: build" });
    expect(renamed).toMatchObject({ token: null, sealedToken: state.sealedToken, metadata: "team: build" });
  });

  it("has the token of the second key where the answer about the first is lost", async () => {
    emulator.setFaults({ rules: [{ kind: "dropAfter", method: "POST", times: 1 }] });
    const { id, state } = await created(type, args);
    await openedBy(github, state);
    expect(posts()).toBe(2);
    expect(keys()).toMatchObject([{ id, metadata: "" }]);
  });

  it("is recorded with the sealed token where the second request fails, and the next update keeps it", async () => {
    emulator.setFaults({ rules: [{ kind: "status", method: "PATCH", status: 403, times: 1 }] });
    const failure = await failed(process().hooks(type).create(args));
    const recorded = plain(failure.properties);
    expect(recorded.token).toBeUndefined();
    await openedBy(github, recorded);
    expect((await differencesOf(type, failure.id, recorded, args)).replaces).toEqual([]);

    const read = noted(await process().read(type, failure.id, recorded));
    expect(read.state).toMatchObject({ sealedToken: recorded.sealedToken });
    const repaired = await updated(type, failure.id, recorded, args);
    expect(repaired).toMatchObject({ token: null, sealedToken: recorded.sealedToken });
    expect(posts()).toBe(1);
    expect(keys()).toMatchObject([{ metadata: "" }]);
    expect((await differencesOf(type, failure.id, repaired, args)).changes).toBe(false);
  });

  it("keeps its sealed token though a service repeats the token in later answers", async () => {
    const { id, state } = await created(type, args);
    const token = await openedBy(github, state);
    const key = { ...keys()[0], token };
    emulator.setFaults({
      rules: [{ kind: "status", path: "/api_keys", status: 200, body: { ...key, keys: [key] } }],
    });
    expect(noted(await process().read(type, id, state)).state).toMatchObject({
      token: null,
      sealedToken: state.sealedToken,
    });
    const after = await updated(type, id, state, { ...args, metadata: "" });
    expect(after).toMatchObject({ token: null, sealedToken: state.sealedToken });
  });

  it("is not created where the key cannot be sealed to", async () => {
    const weak = Buffer.alloc(32).toString("base64");
    const failure = await failed(
      process()
        .hooks(type)
        .create({ ...args, sealTo: weak }),
    );
    expect(failure.message).toContain(
      "the API key was not created, because its token cannot be sealed to sealTo",
    );
    expect(posts()).toBe(0);
  });
});

describe("a change of an ApiKey's recipient", () => {
  const [type, open] = classes[0];
  const sealed = { ...open, sealTo: github.publicKey };

  it.each([
    ["is added", open, sealed],
    ["changes", sealed, { ...open, sealTo: other.publicKey }],
    ["is removed", sealed, open],
    ["is known after the deployment", sealed, { ...open, sealTo: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ])("replaces the key where it %s", async (_, before, after) => {
    const { id, state } = await process().create(type, before);
    const { replaces, deleteBeforeReplace, paths } = await differencesOf(type, id, state, after);
    expect({ replaces, deleteBeforeReplace, paths }).toEqual({
      replaces: ["sealTo"],
      deleteBeforeReplace: false,
      paths: [{ path: "sealTo", replaces: true }],
    });
  });

  it("replaces a key whose state an earlier version wrote, and no key without a recipient", async () => {
    const { id, state } = await process().create(type, open);
    const { __local: _, sealedToken: __, ...earlier } = state;
    expect((await differencesOf(type, id, earlier, open)).changes).toBe(false);
    const { inputs } = (await process().hooks(type).check(open, sealed)) as { inputs: State };
    expect((await differencesOf(type, id, earlier, inputs)).replaces).toEqual(["sealTo"]);
  });
});

describe("a rotating key with a recipient", () => {
  const [type, open] = classes[1];
  const args = { ...open, sealTo: github.publicKey };

  it("seals each new token, and both keys are good in the overlap", async () => {
    const { id, state } = await created(type, args);
    const first = await openedBy(github, state);
    goTo(30);
    const after = await updated(type, id, state, args);
    const second = await openedBy(github, after);
    expect(second).not.toBe(first);
    expect(after).toMatchObject({ previousKeyId: id, token: null });
    expect(await isAccepted(first)).toBe(true);
  });

  it.each([
    ["is added", open, args],
    ["changes", args, { ...open, sealTo: other.publicKey }],
    ["is removed", args, open],
  ])("rotates where it %s, and the state holds one form of the token", async (_, before, after) => {
    const { id, state } = await process().create(type, before);
    const plugin = process();
    const { changes, replaces } = await plugin.hooks(type).differences(id, state, after);
    expect([changes, replaces]).toEqual([true, []]);
    expect(plugin.lines).toEqual([
      expect.stringContaining(
        `a new API key is created, because sealTo changed; ${id} stays valid for at least 3 days`,
      ),
    ]);
    const rotated = await process().update(type, id, state, after);
    expect(rotated).toMatchObject({ previousKeyId: id });
    expect(keys().length).toBe(2);
    if ("sealTo" in after) {
      noted(rotated);
      await openedBy(after.sealTo === other.publicKey ? other : github, rotated);
      expect(rotated.token).toBeNull();
    } else {
      expect(rotated.sealedToken).toBeNull();
      expect(await isAccepted(String(rotated.token))).toBe(true);
    }
    expect((await differencesOf(type, id, rotated, after)).changes).toBe(false);
  });

  it("names no key where the state has no id of one", async () => {
    const { id, state } = await process().create(type, open);
    const plugin = process();
    await plugin.hooks(type).diff(id, { ...state, keyId: undefined, rotatedAt: undefined }, args);
    expect(plugin.lines).toEqual([
      expect.stringContaining("sealTo changed; the current API key stays valid for at least 3 days"),
    ]);
  });

  it("deletes the previous key where the recipient changes in its overlap, and says so", async () => {
    const { id, state } = await created(type, args);
    goTo(30);
    const second = await updated(type, id, state, args);
    const after = { ...args, sealTo: other.publicKey };
    const plugin = process();
    await plugin.hooks(type).diff(id, second, after);
    expect(plugin.lines).toEqual([
      expect.stringContaining(
        `the previous API key ${id} is deleted, because sealTo changed, and the current API key takes its place`,
      ),
      expect.stringContaining(`${String(second.keyId)} stays valid for at least 3 days`),
    ]);
    const third = await updated(type, id, second, after);
    expect(third).toMatchObject({ previousKeyId: second.keyId });
    expect(
      keys()
        .map((key) => key.id)
        .sort(),
    ).toEqual([second.keyId, third.keyId].sort());
  });

  it("is whole after a rotation that was killed after any request", async () => {
    const { id, state } = await created(type, args);
    await openedBy(github, state);
    const after = { ...args, sealTo: other.publicKey };
    let kills = 0;
    for (; ; kills += 1) {
      const before = emulator.requests.length;
      await process(kills).update(type, id, state, after).catch(noted);
      if (emulator.requests.length - before < kills) break;
      const repaired = await updated(type, id, state, after);
      await openedBy(other, repaired);
      expect(repaired).toMatchObject({ previousKeyId: id, token: null });
      expect(
        keys()
          .map((key) => key.id)
          .sort(),
      ).toEqual([id, repaired.keyId].sort());
    }
    expect(kills).toBeGreaterThan(3);
  });
});

it("a creation that is killed between its two requests leaves a key that the next one deletes with stampMetadata", async () => {
  const args = {
    description: "ci",
    sealTo: github.publicKey,
    metadata: stampText({ project: "p", stack: "s", name: "ci" }),
    __urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/tunnel-gateway:ApiKey::ci",
  };
  await failed(process(1).hooks("ApiKey").create(args));
  expect(keys()).toMatchObject([{ metadata: expect.stringContaining("creation") as string }]);
  const { id, state } = await created("ApiKey", args);
  expect(keys()).toMatchObject([{ id, metadata: args.metadata }]);
  await openedBy(github, state);
});
