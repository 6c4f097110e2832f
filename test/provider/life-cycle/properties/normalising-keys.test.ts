/**
 * A service that keeps another form of the description or the metadata of a rotating key, over a rotation. It gets the
 * requests of a service that keeps both, and not one more. Marks of creations are kept as they are: a service that changes
 * them would take away what finds a lost key.
 */
import { realTiming } from "../../../../src/provider/http/timing";
import { isMark } from "../../../../src/schema/metadata";
import type { Json } from "../../../../src/schema/json";
import { isRecord } from "../../../../src/schema/unknown";
import { StillClock } from "../../../support/still-clock";
import { Plugin } from "../../../support/plugin";
import { emulatorForTests } from "../../../support/emulators";

const type = "RotatingApiKey";

type Change = (value: unknown) => unknown;
const ofText = (change: (value: string) => string): Change => {
  return (value) => (typeof value === "string" && value !== "" && !isMark(value) ? change(value) : value);
};
const forms: Readonly<Record<string, Change>> = {
  "as it is": (value) => value,
  trimmed: ofText((value) => value.trim()),
  "in other case": ofText((value) => value.toUpperCase()),
  completed: ofText((value) => `${value} (managed)`),
  "left out": (value) => (isMark(value) ? value : null),
  "filled in": (value) => (value === null || value === undefined || value === "" ? "of the service" : value),
};
const programs: Readonly<Record<string, Json>> = {
  "both texts": { description: " ci Key ", metadata: " some Data " },
  "a description": { description: " ci Key " },
  "neither text": {},
};

const cases = ["description", "metadata"].flatMap((member) =>
  Object.keys(forms).flatMap((form) => Object.keys(programs).map((given) => [member, form, given] as const)),
);

const { now, date, goTo } = new StillClock();
const emulator = emulatorForTests({ now: date });

/** A process behind a gateway that changes the member of every key in every answer. */
function behind(member: string, change: Change): Plugin {
  const plugin = Plugin.for(emulator, {}, { timing: { ...realTiming, now } });
  const send = plugin.http.send.bind(plugin.http);
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    if (!isRecord(value)) return value;
    if (typeof value.id === "string") return { ...value, [member]: change(value[member]) };
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)]));
  };
  plugin.http.send = async (...call) => {
    const answer = await send(...call);
    return { ...answer, body: shown(answer.body) };
  };
  return plugin;
}

it.each(cases)("with its %s %s: %s", async (member, form, given) => {
  const process = (): Plugin => behind(member, forms[form]!);
  const args = { rotateAfterDays: 30, overlapDays: 3, ...programs[given] };
  const writes = (): string[] => {
    const sent = emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
    emulator.clearRequests();
    return sent;
  };
  const isChange = async (id: string, state: Json): Promise<boolean> =>
    (await process().hooks(type).diff(id, state, args)).changes !== false;
  const settled = async (id: string, state: Json): Promise<Json> => {
    expect(await isChange(id, state)).toBe(false);
    const read = await process().read(type, id, state);
    expect(read.inputs).toBeUndefined();
    expect(await isChange(id, read.state)).toBe(false);
    return read.state;
  };

  emulator.clearRequests();
  const { id, state } = await process().create(type, args);
  expect(writes()).toEqual(["POST", "PATCH"]);
  const quiet = await settled(id, state);
  goTo(31);
  const rotated = await settled(id, await process().update(type, id, quiet, args));
  expect(writes()).toEqual(["POST", "PATCH", "PATCH"]);
  goTo(35);
  await settled(id, await process().update(type, id, rotated, args));
  expect(writes()).toEqual(["DELETE"]);
});
