import { unknown } from "../../../src/schema/unknown";
import { secretPaths } from "../../support/in-process/values";
import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const oauth = declarationOf("HttpsEdgeRouteOauth");

const route = { edgeId: "edge_1", routeId: "route_1" };
const eight = [
  ["codeHost", "code_host"],
  ["social", "social"],
  ["softwareVendor", "software_vendor"],
  ["searchVendor", "search_vendor"],
  ["professional", "professional"],
  ["sourceControl", "source_control"],
  ["streaming", "streaming"],
  ["retail", "retail"],
] as const;

/** Answers as the specification has them: all eight providers, unused ones null, defaults filled in. */
function echo(unset: unknown): (body: Record<string, unknown>) => Record<string, unknown> {
  return ({ provider, ...body }) => ({
    enabled: true,
    options_passthrough: false,
    cookie_prefix: "gateway.",
    inactivity_timeout: 0,
    maximum_duration: 0,
    auth_check_interval: 0,
    ...body,
    provider: Object.fromEntries(
      eight.map(([, wire]) => {
        const given = (provider as Record<string, object | undefined> | undefined)?.[wire];
        const empty = {
          client_id: null,
          client_secret: null,
          scopes: unset,
          email_addresses: unset,
          email_domains: unset,
        };
        return [wire, given ? { ...empty, ...given } : null];
      }),
    ),
  });
}

test.each(eight.flatMap(([name, wire]) => [[name, wire, []] as const, [name, wire, null] as const]))(
  "an empty %s is a choice that survives (%s, lists answered as %j)",
  async (name, wire, unset) => {
    const life = new Life(oauth, echo(unset));
    const args = { ...route, provider: { [name]: {} } };
    const state = await life.create(args);
    expect(life.sent[0]!.body).toEqual({ provider: { [wire]: {} } });
    expect(state.provider).toEqual({ [name]: {} });
    expect(await life.diff(state, args)).toBe("none");
    expect(await life.read(state)).toEqual({ state });
  },
);

test("an existing module is looked up with only the provider that it uses", async () => {
  const life = new Life(oauth, () => echo([])({ provider: { social: { email_domains: ["example.com"] } } }));
  life.id = "edge_1/route_1";
  const { state } = await life.read({});
  expect(state).toMatchObject({ ...route, provider: { social: { emailDomains: ["example.com"] } } });
  expect(Object.keys(state.provider as object)).toEqual(["social"]);
});

test("another provider is an update that sends it alone", async () => {
  const life = new Life(oauth, echo([]));
  const state = await life.create({ ...route, provider: { codeHost: {} } });
  expect(await life.diff(state, { ...route, provider: { social: {} } })).toBe("update");
  const after = await life.update(state, { ...route, provider: { social: {} } });
  expect(life.sent[1]!.body).toEqual({ provider: { social: {} } });
  expect(after.provider).toEqual({ social: {} });
});

test("a provider that somebody else chose is drift, shown as it is", async () => {
  const life = new Life(oauth, echo([]));
  const state = await life.create({ ...route, provider: { codeHost: { teams: ["example/operations"] } } });
  life.answer = () => echo([])({ provider: { retail: { email_domains: ["example.org"] } } });
  const { state: found, inputs } = await life.read(state);
  expect(inputs).toMatchObject({ ...route, provider: { retail: { emailDomains: ["example.org"] } } });
  expect(Object.keys(inputs!.provider as object)).toEqual(["retail"]);
  expect(
    await life.diff(found, { ...route, provider: { codeHost: { teams: ["example/operations"] } } }),
  ).toBe("update");
});

test("a provider that was added to a module that is off is the service's, as the program never set one", async () => {
  const life = new Life(oauth, echo([]));
  const state = await life.create({ ...route, enabled: false });
  expect(state.provider).toBeNull();
  life.answer = () => echo([])({ enabled: false, provider: { social: {} } });
  expect((await life.read(state)).inputs).toBeUndefined();
});

test("a client secret is a secret in all that a hook returns, however it is nested", async () => {
  const life = new Life(oauth, echo([]));
  const args = { ...route, provider: { social: { clientId: "app", clientSecret: "not a real one" } } };
  const path = "provider.social.clientSecret";
  expect(secretPaths((await life.cycle.check({}, args)).inputs)).toEqual([path]);
  expect(secretPaths((await life.cycle.create(args)).outs)).toEqual([path]);
});

test("at most one provider may be chosen, even where it is partly unknown", () => {
  expect(problems(oauth, { ...route, provider: { codeHost: { clientId: unknown }, retail: {} } })).toEqual([
    "provider.retail: must not be set beside codeHost; only one of codeHost, social, softwareVendor, " +
      "searchVendor, professional, sourceControl, streaming, retail may be",
  ]);
});

test("a provider is required unless the module is off", () => {
  const required = ["provider: is required unless enabled is false"];
  expect(problems(oauth, route)).toEqual(required);
  expect(problems(oauth, { ...route, provider: {} })).toEqual(required);
  expect(problems(oauth, { ...route, enabled: true })).toEqual(required);
  expect(problems(oauth, { ...route, enabled: false })).toEqual([]);
  expect(problems(oauth, { ...route, enabled: unknown })).toEqual([]);
  expect(problems(oauth, { ...route, provider: unknown })).toEqual([]);
});

test.each(eight.map(([name], i) => [name, i < 4]))(
  "%s with a client id and no client secret is wrong: %s",
  (name, wrong) => {
    const found = problems(oauth, { ...route, provider: { [name]: { clientId: "app" } } });
    const problem = `provider.${name}.clientId: may be set only together with clientSecret: both belong to an app of your own`;
    expect(found).toEqual(wrong ? [problem] : []);
  },
);

test.each(eight.map(([name], i) => [name, i < 4]))(
  "%s without an app of one's own is a warning unless the specification names the service's own: %s",
  (name, hasServiceApp) => {
    const warned = (app: object): string[] =>
      adviceOnArguments(oauth, { ...route, provider: { [name]: app } });
    const noApp = `provider.${name}.clientId: is not set, and services may have no app of their own for this provider`;
    expect(warned({})).toEqual(hasServiceApp ? [] : [noApp]);
    expect(warned({ emailDomains: ["example.com"] })).toEqual(hasServiceApp ? [] : [noApp]);
    expect(warned({ clientId: "app", clientSecret: "not a real one" })).toEqual([]);
    expect(warned({ clientId: unknown })).toEqual([]);
    const alone = `provider.${name}.clientSecret: may be set only together with clientId: a secret without the app that it belongs to has no use`;
    expect(warned({ clientSecret: "not a real one" })).toEqual(hasServiceApp ? [alone] : [alone, noApp]);
    expect(problems(oauth, { ...route, provider: { [name]: { clientSecret: "not a real one" } } })).toEqual(
      [],
    );
  },
);

test.each(eight)("scopes of %s need an app of one's own", (name) => {
  const own = { clientId: "app", clientSecret: "not a real one" };
  const given = (app: object): string[] => problems(oauth, { ...route, provider: { [name]: app } });
  const problem = `provider.${name}.scopes: may be set only together with clientId and clientSecret: scopes are those of an app of your own`;
  expect(given({ scopes: ["email"] })).toEqual([problem]);
  expect(given({ clientId: "app", scopes: ["email"] })).toContain(problem);
  expect(given({ ...own, scopes: ["email"] })).toEqual([]);
  expect(given({ scopes: [] })).toEqual([]);
});

test("teams and organizations belong to the code host alone", () => {
  const app = { teams: ["example/operations"], organizations: ["example"] };
  expect(problems(oauth, { ...route, provider: { codeHost: app } })).toEqual([]);
  expect(problems(oauth, { ...route, provider: { social: app } })).toEqual([
    expect.stringMatching(/^provider\.social\.teams: is not an argument here/),
    expect.stringMatching(/^provider\.social\.organizations: is not an argument here/),
  ]);
  const odd = { organizations: ["a/b"], emailAddresses: ["x"], emailDomains: ["@x"] };
  expect(problems(oauth, { ...route, provider: { codeHost: { ...odd, teams: ["operations"] } } })).toEqual([
    expect.stringMatching(/^provider\.codeHost\.teams\[0\]: must be a team as /),
  ]);
  expect(adviceOnArguments(oauth, { ...route, provider: { codeHost: odd } })).toEqual([
    expect.stringMatching(/^provider\.codeHost\.emailAddresses\[0\]: does not look like an e-mail address /),
    expect.stringMatching(/^provider\.codeHost\.emailDomains\[0\]: does not look like an e-mail domain /),
    expect.stringMatching(
      /^provider\.codeHost\.organizations\[0\]: does not look like an organization's slug/,
    ),
  ]);
});
