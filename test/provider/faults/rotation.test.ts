/** Rotating API keys over a year, and killed after every request of every step. */
import type { FaultRule } from "../../../src/emulator";
import { declarationOf } from "../../../src/resources/registry";
import { realTiming } from "../../../src/provider/http/timing";
import { isMark } from "../../../src/schema/metadata";
import { problems } from "../../support/life";
import { StillClock } from "../../support/still-clock";
import { accepts, onlyFirst, Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";

const type = "RotatingApiKey";
const args = { rotateAfterDays: 30, overlapDays: 3, description: "ci" };
type State = Record<string, unknown>;

const { now, date, goTo, sleep } = new StillClock();
const emulator = emulatorForTests({ now: date });
const timing = { ...realTiming, now, sleep };

/** A process of the provider. Only the first requests of one that is killed reach the service. */
function process(requests = Infinity): Plugin {
  return Plugin.for(emulator, { retryTimeout: 5 }, { timing, dispatcher: onlyFirst(requests) });
}

interface Key {
  readonly id: string;
  readonly metadata: string;
}

/** The keys of the account beside the one that Pulumi works with. */
function keys(): Key[] {
  const all = emulator.snapshot().api_keys as unknown as (Key & { description: string })[];
  return all.filter(({ description }) => description === "ci");
}

const ids = (): string[] => keys().map(({ id }) => id);

const isAccepted = (token: unknown) => accepts(emulator, token);

async function diffOf(id: string, state: State, given: State = args): Promise<unknown> {
  const { changes, replaces } = await process().hooks(type).diff(id, state, given);
  return replaces?.length ? replaces : changes;
}

describe("a rotating API key", () => {
  it.each([
    [1.5, "1.5 days"],
    [1 / 24, "1 hour"],
    [0.0005, "43.2 seconds"],
    [0, "0 days"],
  ])("says for how long an overlap of %d days keeps the previous key", async (overlapDays, said) => {
    const given = { ...args, overlapDays };
    const { id, state } = await process().create(type, given);
    goTo(30);
    const plugin = process();
    await plugin.hooks(type).diff(id, state, given);
    expect(plugin.lines).toEqual([expect.stringContaining(`${id} stays valid for at least ${said}`)]);
  });

  it("is one key until its age is reached, then two for the overlap, then one again", async () => {
    const { id, state: first } = await process().create(type, args);
    expect(ids()).toEqual([id]);
    expect(first).toMatchObject({
      keyId: id,
      rotatedAt: "2030-01-01T00:00:00Z",
      rotatesAfter: "2030-01-31T00:00:00Z",
    });
    expect(first.previousKeyId).toBeNull();
    goTo(29.99);
    expect(await diffOf(id, first)).toBe(false);

    goTo(30);
    const plugin = process();
    expect((await plugin.hooks(type).diff(id, first, args)).changes).toBe(true);
    expect(plugin.lines).toEqual([
      expect.stringContaining(
        `a new API key is created, because ${id} was created at 2030-01-01T00:00:00Z and rotateAfterDays is 30; ` +
          `${id} stays valid for at least 3 days`,
      ),
    ]);
    const second = await process().update(type, id, first, args);
    expect(second).toMatchObject({ previousKeyId: id, rotatedAt: "2030-01-31T00:00:00Z" });
    expect(second.keyId).not.toBe(id);
    expect(second.token).not.toBe(first.token);
    expect(keys().map(({ metadata }) => metadata)).toContain("");
    expect(ids().sort()).toEqual([id, second.keyId].sort());
    expect([await isAccepted(first.token), await isAccepted(second.token)]).toEqual([true, true]);

    goTo(32.99);
    expect(await diffOf(id, second)).toBe(false);
    goTo(33);
    expect(await diffOf(id, second)).toBe(true);
    const third = await process().update(type, id, second, args);
    expect(third).toMatchObject({ keyId: second.keyId, previousKeyId: null, token: second.token });
    expect(ids()).toEqual([second.keyId]);
    expect([await isAccepted(first.token), await isAccepted(third.token)]).toEqual([false, true]);
    expect(await diffOf(id, third)).toBe(false);
  });

  it("gives the overlap in full when nothing ran for a year", async () => {
    const { id, state } = await process().create(type, args);
    goTo(365);
    const late = await process().update(type, id, state, args);
    expect(late).toMatchObject({ previousKeyId: id, rotatedAt: "2031-01-01T00:00:00Z" });
    goTo(367);
    expect(await diffOf(id, late)).toBe(false);
    goTo(730);
    const again = await process().update(type, id, late, args);
    expect(again).toMatchObject({ previousKeyId: late.keyId });
    expect(ids().sort()).toEqual([late.keyId, again.keyId].sort());
  });

  it("changes description and metadata in place, and its ages without a request to a key", async () => {
    const { id, state } = await process().create(type, args);
    const changed = { ...args, metadata: "team: build" };
    const after = await process().update(type, id, state, changed);
    expect(after).toMatchObject({ keyId: id, metadata: "team: build", token: state.token });
    expect(keys()).toMatchObject([{ id, metadata: "team: build" }]);

    emulator.clearRequests();
    const older = { ...changed, rotateAfterDays: 60 };
    expect(await diffOf(id, after, older)).toBe(true);
    const later = await process().update(type, id, after, older);
    expect(later.rotatesAfter).toBe("2030-03-02T00:00:00Z");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await diffOf(id, later, older)).toBe(false);
  });

  it("gets a new key after the current one was deleted by hand, and forgets a previous one that was", async () => {
    const { id, state } = await process().create(type, args);
    goTo(30);
    const second = await process().update(type, id, state, args);
    goTo(30.01); // in the minute after the rotation, a 404 is no deletion
    await emulatorRemove(second.keyId);
    const read = await process().read(type, id, second);
    // The metadata of the previous key names its successor.
    const { metadata } = second;
    expect(read.state).toMatchObject({ keyId: null, previousKeyId: id, metadata });
    expect(await diffOf(id, read.state)).toBe(true);
    const third = await process().update(type, id, read.state, args);
    expect(third).toMatchObject({ previousKeyId: id });
    expect(ids().sort()).toEqual([id, third.keyId].sort());

    goTo(30.02);
    await emulatorRemove(id);
    const seen = await process().read(type, id, third);
    expect(seen.state).toMatchObject({ keyId: third.keyId, previousKeyId: null });
    expect(await diffOf(id, seen.state)).toBe(false);

    goTo(30.03);
    await emulatorRemove(third.keyId);
    expect((await process().read(type, id, third)).id).toBe("");
  });

  it("is not refreshed into a change while both keys exist", async () => {
    const { id, state } = await process().create(type, args);
    goTo(30);
    const second = await process().update(type, id, state, args);
    const read = await process().read(type, id, second);
    expect(read.inputs).toBeUndefined();
    expect(read.state).toEqual(second);
  });

  it("records the new key with its token where a later request of the rotation fails", async () => {
    const { id, state } = await process().create(type, args);
    goTo(30);
    emulator.setFaults({ rules: [{ kind: "status", method: "PATCH", status: 403, times: 1 }] });
    const failure = await failureOf<{ properties: State; message: string }>(
      process().hooks(type).update(id, state, args),
    );
    const recorded = plain(failure.properties);
    expect(recorded).toMatchObject({ previousKeyId: id });
    expect(await isAccepted(recorded.token)).toBe(true);
    const repaired = await process().update(type, id, recorded, args);
    expect(repaired).toMatchObject({ keyId: recorded.keyId, token: recorded.token });
    expect(keys().map(({ metadata }) => isMark(metadata) && metadata.includes("creation"))).not.toContain(
      true,
    );
    expect(ids().sort()).toEqual([id, recorded.keyId].sort());
  });

  it("takes ages above 0, and an overlap that ends before the next rotation", () => {
    const found = (given: State): string[] => problems(declarationOf(type), { ...args, ...given });
    for (const given of [
      { overlapDays: 0 },
      { rotateAfterDays: 0.5, overlapDays: 0.1 },
      { rotateAfterDays: 36500 },
    ])
      expect(found(given)).toEqual([]);
    expect(found({ rotateAfterDays: 0 })).toContain(
      "rotateAfterDays: must be a number of days above 0 and at most 36500; got 0",
    );
    expect(found({ overlapDays: -1 })).toEqual([
      "overlapDays: must be a number of days of at least 0; got -1",
    ]);
    expect(found({ overlapDays: 30 })).toEqual([
      "overlapDays: must be less than rotateAfterDays, which is 30; got 30",
    ]);
  });
});

describe("the previous key, named after its successor was created", () => {
  /** Rotates while the service, or something before it, answers the naming of the previous key like this. */
  async function rotated(fault: Omit<FaultRule, "method" | "path" | "exact" | "times">): Promise<State> {
    const { id, state } = await process().create(type, args);
    goTo(30);
    const path = `/api_keys/${id}`;
    emulator.setFaults({ rules: [{ ...fault, method: "PATCH", path, exact: true }] });
    return process().update(type, id, state, args);
  }

  it.each([404, 410])(
    "may be deleted: %i is proved like every deletion, and the rotation succeeds",
    async (status) => {
      const after = await rotated({ kind: "status", status });
      expect(ids()).toContain(after.keyId);
      expect(await isAccepted(after.token)).toBe(true);
    },
  );

  it("does not count as deleted where a proxy answers 404, and the new key is recorded", async () => {
    const failure = await failureOf<{
      message: string;
      properties: State;
    }>(rotated({ kind: "html", status: 404 }));
    expect(failure.message).toContain("This does not prove that it was deleted");
    expect(failure.message).toContain("exists and is recorded");
    expect(ids()).toContain(failure.properties.keyId);
  });
});

describe("a process that is killed after any request of a rotation", () => {
  /** The states from which a rotation starts: with one key, and with a previous one whose overlap has ended. */
  async function prepared(withPrevious: boolean): Promise<{ id: string; state: State }> {
    const { id, state } = await process().create(type, args);
    goTo(30);
    if (!withPrevious) return { id, state };
    const second = await process().update(type, id, state, args);
    goTo(60);
    return { id, state: second };
  }

  /** Rotates, killed after so many requests. Returns whether more were wanted. */
  async function killed(id: string, state: State, requests: number): Promise<boolean> {
    emulator.clearRequests();
    await process(requests)
      .update(type, id, state, args)
      .catch(() => undefined);
    return emulator.requests.length === requests;
  }

  for (const withPrevious of [false, true]) {
    const words = withPrevious ? "with an ended overlap" : "of one key";
    it(`leaves at most two keys, and none that the next update or deletion overlooks: ${words}`, async () => {
      let wantsMore = true;
      let killsAfterCreation = 0;
      for (let requests = 0; wantsMore; requests += 1) {
        for (const next of ["update", "delete", "refresh"]) {
          await emulator.reset();
          goTo(0);
          const { id, state } = await prepared(withPrevious);
          wantsMore = await killed(id, state, requests);
          expect(ids().length).toBeLessThanOrEqual(2);
          expect(ids()).toContain(state.keyId);
          expect(await isAccepted(state.token)).toBe(true);
          if (ids().some((key) => key !== state.keyId && key !== state.previousKeyId))
            killsAfterCreation += 1;

          const known = next === "refresh" ? (await process().read(type, id, state)).state : state;
          if (next === "delete") {
            await process().hooks(type).delete(id, known);
            expect(ids()).toEqual([]);
            continue;
          }
          const after = await process().update(type, id, known, args);
          expect(ids().sort()).toEqual([state.keyId, after.keyId].sort());
          expect(after.previousKeyId).toBe(state.keyId);
          expect([await isAccepted(state.token), await isAccepted(after.token)]).toEqual([true, true]);
          expect(await diffOf(id, after)).toBe(false);
        }
      }
      expect(killsAfterCreation).toBeGreaterThan(3);
    });
  }
});

async function emulatorRemove(id: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" };
  const { status } = await fetch(`${emulator.baseUrl}/api_keys/${String(id)}`, { method: "DELETE", headers });
  expect(status).toBe(204);
}
