import { inHook, mapSecrets } from "../../../src/schema/secrets";
import { unknown } from "../../../src/schema/unknown";
import { changes, created, refreshed, stateOf, updated } from "./mapping";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const eventDestination = declarationOf("EventDestination");

const monitoring = (more: object = {}): { target: object } => ({
  target: { monitoring: { apiKey: "hush", ...more } },
});
const stream = (auth: object): { target: object } => ({ target: { stream: { auth, streamRef: "s" } } });
const keys = { creds: { accessKeyId: "hush1", secretAccessKey: "hush2" } };
const none = { stream: null, delivery_stream: null, log_group: null, monitoring: null, logs_ingestion: null };
const answered = (target: object): { format: string; target: object } => ({
  format: "json",
  target: { ...none, ...target },
});

test("exactly one kind of target must be set, also where its members are not known yet", () => {
  expect(problems(eventDestination, {})).toEqual(["target: is required"]);
  expect(problems(eventDestination, { target: {} })).toEqual([
    "target: exactly one of stream, deliveryStream, logGroup, monitoring, logsIngestion must be set, and none is",
  ]);
  const two = { monitoring: { apiKey: unknown }, ...stream(keys).target };
  expect(problems(eventDestination, { target: two })).toEqual([
    expect.stringMatching(/^target\.monitoring: exactly one of .*, and stream and monitoring are$/),
  ]);
});

test("a cloud target needs exactly one way to authenticate", () => {
  expect(problems(eventDestination, stream({}))).toEqual([
    "target.stream.auth: exactly one of role, creds must be set, and none is",
  ]);
  expect(problems(eventDestination, stream({ ...keys, role: { roleRef: "r" } }))).toHaveLength(1);
  expect(problems(eventDestination, stream(keys))).toEqual([]);
});

test("missing members of a target are named", () => {
  expect(problems(eventDestination, { target: { logsIngestion: { logsIngestionUri: "" } } })).toEqual([
    "target.logsIngestion.tenantId: is required",
    "target.logsIngestion.clientId: is required",
    "target.logsIngestion.clientSecret: is required",
    "target.logsIngestion.logsIngestionUri: must not be empty",
    "target.logsIngestion.dataCollectionRuleId: is required",
    "target.logsIngestion.dataCollectionStreamName: is required",
  ]);
});

test("members are sent under the names of the specification, and only the kind that is set", async () => {
  expect(await created(eventDestination, { ...stream(keys), format: "json" })).toEqual({
    target: {
      stream: { auth: { creds: { access_key_id: "hush1", secret_access_key: "hush2" } }, stream_ref: "s" },
    },
    format: "json",
  });
});

test("the format is sent when the program leaves it out, and is no argument of the program", async () => {
  const life = new Life(eventDestination, ({ format, target }) => ({ format, target }));
  const state = await life.create(monitoring());
  expect(life.sent).toEqual([
    { verb: "create", body: { format: "json", target: { monitoring: { api_key: "hush" } } } },
  ]);
  expect(state).toMatchObject({
    format: "json",
    __args: ["target", "target.monitoring", "target.monitoring.apiKey"],
  });
  expect(await life.diff(state, monitoring())).toBe("none");
  expect((await life.read(state)).inputs).toBeUndefined();
});

test.each(["json", undefined, null])(
  "a state of an earlier version, with the format %j, shows no difference",
  async (format) => {
    const life = new Life(eventDestination, () => answered({ monitoring: { api_key: "***" } }));
    const old = {
      ...monitoring(),
      format,
      __args: ["target", "target.monitoring", "target.monitoring.apiKey"],
    };
    expect(await life.diff(old, monitoring())).toBe("none");
    const found = await life.read(old);
    expect(found.inputs).toBeUndefined();
    expect(found.state.format).toBe("json");
    expect(await life.diff(found.state, monitoring())).toBe("none");
  },
);

test.each([
  ["redacted", { creds: { access_key_id: "***", secret_access_key: "[redacted]" }, role: null }],
  ["absent", { creds: {}, role: null }],
  ["left out with what holds them", { creds: null, role: null }],
])("secrets that are %s in an answer are no drift", async (_how, auth) => {
  const answer = answered({ stream: { auth, stream_ref: "s" } });
  const state = await refreshed(
    eventDestination,
    await stateOf(eventDestination, stream(keys), answer),
    answer,
  );
  expect(state.target).toEqual(stream(keys).target);
  expect(await changes(eventDestination, state, stream(keys))).toEqual([]);
});

test("a new secret in the program is a change", async () => {
  const state = await stateOf(eventDestination, monitoring(), answered({ monitoring: { api_key: "****" } }));
  expect(await changes(eventDestination, state, { target: { monitoring: { apiKey: "new" } } })).toEqual([
    "target.monitoring.apiKey!",
  ]);
});

test("a member that the service fills in is no difference, and one taken out is", async () => {
  const answer = answered({ monitoring: { api_key: "***", ddsite: "eu", ddtags: "", service: null } });
  expect(
    await changes(eventDestination, await stateOf(eventDestination, monitoring(), answer), monitoring()),
  ).toEqual([]);
  const sited = await stateOf(eventDestination, monitoring({ ddsite: "eu" }), answer);
  expect(await changes(eventDestination, sited, monitoring({ ddsite: "eu" }))).toEqual([]);
  expect(await changes(eventDestination, sited, monitoring())).toEqual(["target.monitoring.ddsite!"]);
});

test("every change replaces, as the specification shows no update", async () => {
  const state = await stateOf(eventDestination, monitoring(), answered({ monitoring: {} }));
  const next = { ...monitoring({ ddsite: "eu" }), description: "a", metadata: "b" };
  expect(await changes(eventDestination, state, next)).toEqual([
    "target.monitoring.ddsite!",
    "description!",
    "metadata!",
  ]);
});

test("with patchUndocumented only another kind of target replaces", async () => {
  const settings = { patchUndocumented: true };
  const state = await stateOf(eventDestination, monitoring(), answered({ monitoring: {} }));
  const next = { ...monitoring({ ddsite: "eu" }), description: "a" };
  expect(await updated(eventDestination, state, next, settings)).toEqual({
    target: { monitoring: { api_key: "hush", ddsite: "eu" } },
    description: "a",
  });
  expect(await changes(eventDestination, state, next, settings)).toEqual([
    "target.monitoring.ddsite",
    "description",
  ]);
  expect(await changes(eventDestination, state, stream(keys), settings)).toEqual(["target!"]);
  expect(await changes(eventDestination, state, { target: unknown }, settings)).toEqual(["target"]);
});

test("another way to authenticate in the same kind of target is an update with patchUndocumented", async () => {
  const state = await stateOf(
    eventDestination,
    stream(keys),
    answered({ stream: { auth: { role: null }, stream_ref: "s" } }),
  );
  const next = stream({ role: { roleRef: "r" } });
  expect(await changes(eventDestination, state, next, { patchUndocumented: true })).toEqual([
    "target.stream.auth",
  ]);
});

test("a target of a kind that is not shown keeps what is known", async () => {
  const state = await stateOf(eventDestination, monitoring(), answered({}));
  expect(await changes(eventDestination, state, monitoring())).toEqual([]);
  expect((await stateOf(eventDestination, {}, answered({}))).target).toBeNull();
});

test("every secret of a target is marked in what the hooks return", () => {
  const all = [
    monitoring(),
    stream(keys),
    { target: { logsIngestion: { clientSecret: "hush3", clientId: "open" } } },
  ].map((args) => mapSecrets(eventDestination.fields, args, inHook));
  const open = JSON.stringify(all, (_key, value: unknown) =>
    typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value ? "" : value,
  );
  expect(open).not.toContain("hush");
  expect(open).toContain("open");
});
