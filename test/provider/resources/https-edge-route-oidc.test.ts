import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const oidc = declarationOf("HttpsEdgeRouteOidc");

const args = {
  edgeId: "edge_1",
  routeId: "route_1",
  issuer: "https://login.example.com",
  clientId: "dashboard",
  clientSecret: "not a real one",
};

const echo = (body: Record<string, unknown>): Record<string, unknown> => ({
  enabled: true,
  options_passthrough: false,
  cookie_prefix: "gateway.",
  inactivity_timeout: 0,
  maximum_duration: 0,
  scopes: null,
  ...body,
});

test("an answer with its defaults filled in is no change, and no drift", async () => {
  const life = new Life(oidc, echo);
  const state = await life.create(args);
  expect(life.sent).toEqual([
    {
      verb: "create",
      body: { issuer: args.issuer, client_id: "dashboard", client_secret: "not a real one" },
    },
  ]);
  expect(state).toMatchObject({ ...args, enabled: true, cookiePrefix: "gateway.", maximumDuration: 0 });
  expect(await life.diff(state, args)).toBe("none");
  expect((await life.read(state)).inputs).toBeUndefined();
});

test("a module that is off needs nothing else, and has no change afterwards", async () => {
  const off = { edgeId: "edge_1", routeId: "route_1", enabled: false };
  expect(problems(oidc, off)).toEqual([]);
  expect(problems(oidc, { ...off, enabled: true })).toEqual(
    ["issuer", "clientId", "clientSecret"].map((name) => `${name}: is required unless enabled is false`),
  );
  const life = new Life(oidc, (body) => echo({ issuer: "", client_id: "", client_secret: "", ...body }));
  const state = await life.create(off);
  expect(life.sent).toEqual([{ verb: "create", body: { enabled: false } }]);
  expect(await life.diff(state, off)).toBe("none");
  expect((await life.read(state)).inputs).toBeUndefined();
});

test.each(["issuer", "clientId", "clientSecret"])(
  "%s is taken out of a module that is off by one PUT",
  async (name) => {
    const life = new Life(oidc, (body) => echo({ issuer: "", client_id: "", client_secret: "", ...body }));
    const off = { ...args, enabled: false };
    const state = await life.create(off);
    const without = { ...off, [name]: undefined };
    expect(await life.diff(state, without)).toBe("update");
    const after = await life.update(state, without);
    expect(life.sent).toHaveLength(2);
    expect(await life.diff(after, without)).toBe("none");
  },
);

test("0 and false are sent, and say the same as what is left out", async () => {
  const life = new Life(oidc, echo);
  const state = await life.create({ ...args, enabled: false, optionsPassthrough: false, maximumDuration: 0 });
  expect(life.sent[0]!.body).toMatchObject({
    enabled: false,
    options_passthrough: false,
    maximum_duration: 0,
  });
  expect(await life.diff(state, { ...args, enabled: false, optionsPassthrough: false })).toBe("update");
  await life.update(state, { ...args, enabled: false });
  expect(life.sent).toHaveLength(1);
});

test.each([
  ["enabled", false],
  ["optionsPassthrough", true],
  ["inactivityTimeout", 60],
  ["maximumDuration", 3600],
  ["cookiePrefix", "own."],
  ["scopes", ["openid"]],
])("an argument %s that is taken out is left out of the next PUT", async (name, value) => {
  const life = new Life(oidc, echo);
  const state = await life.create({ ...args, [name]: value });
  expect(await life.diff(state, args)).toBe("update");
  const after = await life.update(state, args);
  expect(life.sent[1]).toEqual({
    verb: "update",
    body: { issuer: args.issuer, client_id: "dashboard", client_secret: "not a real one" },
  });
  expect(await life.diff(after, args)).toBe("none");
});

test("what decides who signs in and has a stated default is found, and nothing else that the program never set", async () => {
  const life = new Life(oidc, echo);
  const state = await life.create(args);
  life.answer = (body) => echo({ ...body, options_passthrough: true, scopes: ["email"] });
  const { state: found, inputs } = await life.read(state);
  expect(inputs).toEqual({ ...args, optionsPassthrough: true });
  expect(await life.diff(found, args)).toBe("update");
});

test("scopes are a set", async () => {
  const life = new Life(oidc, (body) => echo({ ...body, scopes: ["email", "openid"] }));
  const state = await life.create({ ...args, scopes: ["openid", "email"] });
  expect(state.scopes).toEqual(["openid", "email"]);
});

test.each(["edgeId", "routeId"])(
  "another %s replaces the module, and the new one comes first",
  async (name) => {
    const life = new Life(oidc, echo);
    const state = await life.create(args);
    expect(await life.cycle.diff("edge_1/route_1", state, { ...args, [name]: "other" })).toEqual({
      changes: undefined,
      replaces: [name],
      deleteBeforeReplace: false,
    });
  },
);

test("every wrong argument is reported at its place", () => {
  const wrong = {
    ...args,
    routeId: "a/b",
    issuer: "x.example.com?y",
    clientSecret: "",
  };
  expect(
    problems(oidc, { ...wrong, maximumDuration: 2 ** 32, inactivityTimeout: -1, audience: "x" }),
  ).toEqual([
    expect.stringMatching(/^audience: is not an argument here; the arguments are edgeId, routeId, /),
    expect.stringMatching(/^routeId: must be an id, without "\/"/),
    expect.stringMatching(/^inactivityTimeout: must be a whole number from 0 to 4294967295/),
    expect.stringMatching(/^maximumDuration: must be a whole number from 0 to 4294967295/),
    expect.stringMatching(/^issuer: must be an https:\/\/ URL/),
    "clientSecret: must not be empty",
  ]);
});

test("an http issuer and one with a query are warnings", () => {
  for (const issuer of ["http://x.example.com", "https://x.example.com?tenant=1"]) {
    expect(problems(oidc, { ...args, issuer })).toEqual([]);
    expect(adviceOnArguments(oidc, { ...args, issuer })).toEqual([
      expect.stringMatching(/^issuer: (is not https|has a query)/),
    ]);
  }
});

test("an empty cookie prefix is one that is left out, so that no preview shows the service's default as drift", async () => {
  const life = new Life(oidc, () => ({}));
  const checked = await life.cycle.check({}, { ...args, cookiePrefix: "" });
  expect(checked.failures).toBeUndefined();
  expect(checked.inputs).not.toHaveProperty("cookiePrefix");
});
