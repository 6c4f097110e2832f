import {
  missingKey,
  readPluginSettings,
  readSettings,
  withConfiguredAccount,
} from "../../../src/provider/settings/read-settings";
import { configuredAccount, environmentNames, settingText } from "../../../src/provider/settings/settings";

const needed = {
  "tunnel-gateway:apiKey": "a-key-for-tests",
  "tunnel-gateway:baseUrl": "https://api.example.com",
};
const read = (config: Record<string, string>, environment: Record<string, string> = {}) =>
  readSettings({ get: (key) => ({ ...needed, ...config })[key] }, environment);

test("every setting has a default, but for the key and the URL", () => {
  expect(read({})).toEqual({
    apiKey: "a-key-for-tests",
    baseUrl: "https://api.example.com",
    patchUndocumented: false,
    requestTimeout: 60,
    retryTimeout: 300,
    listTimeout: 3600,
    listObjects: 250_000,
    listMebibytes: 512,
    requestsPerMinute: undefined,
    stampMetadata: false,
  });
});

test("a setting may be another value than a text, as a configuration has it", () => {
  expect([settingText(5), settingText("5"), settingText(true), settingText(null)]).toEqual([
    ...["5", "5", "true"],
    undefined,
  ]);
});

test("configuration comes before the environment", () => {
  const environment = {
    [environmentNames.retryTimeout]: "20",
    [environmentNames.requestsPerMinute]: "100",
    [environmentNames.stampMetadata]: "true",
  };
  expect(read({}, environment)).toMatchObject({
    retryTimeout: 20,
    requestsPerMinute: 100,
    stampMetadata: true,
  });
  const config = { "tunnel-gateway:retryTimeout": "30", "tunnel-gateway:stampMetadata": "false" };
  expect(read(config, environment)).toMatchObject({
    retryTimeout: 30,
    requestsPerMinute: 100,
    stampMetadata: false,
  });
});

test.each([
  ["retryTimeout", "0", /retryTimeout .* must be at least 1/],
  ["retryTimeout", "soon", /retryTimeout .* must be a number of seconds/],
  ["requestsPerMinute", "0", /requestsPerMinute .* must be at least 1/],
  ["requestsPerMinute", "1e9", /requestsPerMinute .* must be at most 100000 requests/],
  ["retryTimeout", "Infinity", /retryTimeout .* must be a number of seconds/],
  ["retryTimeout", " ", /retryTimeout .* must be at least 1/],
  ["listTimeout", "86401", /listTimeout .* must be at most 86400 seconds/],
  ["listObjects", "0", /listObjects .* must be at least 1/],
  ["listMebibytes", "many", /listMebibytes .* must be a number of MiB/],
  ["requestTimeout", "3601", /requestTimeout .* must be at most 3600 seconds/],
  ["apiKey", "two words", /apiKey .* must be a token of an API key, without white space/],
  ["apiKey", "", /apiKey .* is not set/],
  ["baseUrl", "api.example.com", /baseUrl .* must begin with https:\/\/; the value has no scheme$/m],
  ["baseUrl", "api.example.com:8443/v2", /baseUrl .* must begin with https:\/\/; the value has no scheme$/m],
  [
    "baseUrl",
    "https://api.example.com ",
    /baseUrl .* must not contain white space: "https:\/\/api.example.com "$/m,
  ],
  ["baseUrl", "\nhttps://api.example.com", /baseUrl .* must not contain white space/m],
  ["baseUrl", "https://api.example.com/?", /baseUrl .* must not contain a query or fragment/m],
  ["baseUrl", "https://api.example.com/#", /baseUrl .* must not contain a query or fragment/m],
  ["baseUrl", "https://api example.com", /baseUrl .* must be a URL such as https:\/\/api.example.com$/m],
  ["baseUrl", "ftp://api.example.com", /baseUrl .* must be an https URL/],
  ["baseUrl", "https://user@api.example.com", /baseUrl .* must not contain a user name or password/],
  ["baseUrl", "https://:key@api.example.com", /baseUrl .* must not contain a user name or password/],
  ["baseUrl", "http://api.example.com", /baseUrl .* must be an https URL: http is only for loopback hosts/],
  ["baseUrl", "https://api.example.com?x=1", /baseUrl .* must not contain a query or fragment/],
  ["stampMetadata", "yes", /stampMetadata .* must be "true" or "false"/],
])("%s cannot be %s", (name, value, words) => {
  expect(() => read({ [`tunnel-gateway:${name}`]: value })).toThrow(words);
});

test("a fraction of the requests per minute is left out, and a slash at the end of the URL", () => {
  const config = {
    "tunnel-gateway:requestsPerMinute": "10.9",
    "tunnel-gateway:baseUrl": "https://a.example/v1//",
  };
  expect(read(config)).toMatchObject({ requestsPerMinute: 10, baseUrl: "https://a.example/v1" });
});

test("a wrong setting of an explicit provider names the argument of that provider", () => {
  const name = { "tunnel-gateway:provider": "partner" };
  expect(() => read({ ...name, "tunnel-gateway:apiKey": "two words" })).toThrow(
    'the argument apiKey of the Provider "partner" (or TUNNEL_GATEWAY_API_KEY) must be a token of an API key',
  );
  expect(() => read({ ...name, "tunnel-gateway:apiKey": "" })).toThrow(
    'the argument apiKey of the Provider "partner" (or TUNNEL_GATEWAY_API_KEY) is not set: pass a value, or leave the argument out and set',
  );
});

describe("the settings of the plugin", () => {
  const ofPlugin = (config: Record<string, string>) =>
    readPluginSettings({ get: (key) => ({ ...needed, ...config })[key] }, {});

  test("may lack a key, and an empty one is none", () => {
    expect(ofPlugin({ "tunnel-gateway:apiKey": "" })).toMatchObject({
      apiKey: "",
      baseUrl: needed["tunnel-gateway:baseUrl"],
    });
  });

  test.each([
    ["a wrong key", { "tunnel-gateway:apiKey": "two words" }, /apiKey .* must be a token/],
    ["a missing base URL", { "tunnel-gateway:baseUrl": "" }, /baseUrl .* is not set/],
    ["a wrong one", { "tunnel-gateway:baseUrl": "api.example.com" }, /baseUrl .* has no scheme/],
  ])("may not have %s", (_, config, words) => {
    expect(() => ofPlugin(config)).toThrow(words);
  });

  test("do not report a missing key beside another problem, because a preview needs none", () => {
    const config = { "tunnel-gateway:apiKey": "", "tunnel-gateway:baseUrl": "" };
    expect(() => ofPlugin(config)).not.toThrow(/apiKey .* is not set/);
  });

  test.each([
    [
      null,
      'the setting tunnel-gateway:apiKey (or TUNNEL_GATEWAY_API_KEY) is not set: run "pulumi config set',
    ],
    [
      "partner",
      'the argument apiKey of the Provider "partner" (or TUNNEL_GATEWAY_API_KEY) is not set: pass a value',
    ],
  ])("name a missing key as the provider's user sets it: %s", (provider, words) => {
    expect(missingKey({ provider })).toMatchObject({
      message: expect.stringContaining(words) as unknown,
      isIncomplete: true,
    });
  });
});

describe("the account of the configuration, which a refresh is given", () => {
  const account = { apiKey: "of-the-configuration", baseUrl: "https://api.example.com" };
  const given = { [configuredAccount]: JSON.stringify(account) };
  const refreshed = (state: Record<string, string>, environment: Record<string, string> = {}) =>
    readSettings(
      withConfiguredAccount({ get: (key) => state[key] }, { ...given, ...environment }),
      environment,
    );

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["no setting", {}, {}],
    ["the base URL alone", { "tunnel-gateway:baseUrl": account.baseUrl }, {}],
    ["nothing, and the environment the base URL", {}, { [environmentNames.baseUrl]: account.baseUrl }],
    ["nothing, and the environment an empty key", {}, { [environmentNames.apiKey]: "" }],
  ])("is used where the state has %s", (_, state, environment) => {
    expect(refreshed(state, environment)).toMatchObject(account);
  });

  test("is not used where the state or the environment has a key", () => {
    const state = { "tunnel-gateway:apiKey": "of-the-state", "tunnel-gateway:baseUrl": account.baseUrl };
    expect(refreshed(state)).toMatchObject({ apiKey: "of-the-state" });
    const environment = {
      [environmentNames.apiKey]: "of-the-environment",
      [environmentNames.baseUrl]: account.baseUrl,
    };
    expect(refreshed({}, environment)).toMatchObject({ apiKey: "of-the-environment" });
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["another base URL of the state", { "tunnel-gateway:baseUrl": "https://other.example.com" }, {}],
    ["another one of the environment", {}, { [environmentNames.baseUrl]: "https://other.example.com" }],
    [
      "an explicit provider",
      { "tunnel-gateway:provider": "partner", "tunnel-gateway:baseUrl": account.baseUrl },
      {},
    ],
  ])("never gives its key to %s", (_, state, environment) => {
    expect(() => refreshed(state, environment)).toThrow(/apiKey .* is not set/);
  });
});
