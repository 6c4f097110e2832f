import * as pulumi from "@pulumi/pulumi";
import { ApiKey, BotUser, IpPolicy, Provider, RotatingApiKey } from "../../../src";

const made = new Map<string, Record<string, unknown>>();
/** What each resource was registered with, in order. */
const all: Record<string, unknown>[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => {
        made.set(name, inputs as Record<string, unknown>);
        all.push(inputs as Record<string, unknown>);
        return { id: `${name}-id`, state: inputs as Record<string, unknown> };
      },
      call: () => ({}),
    },
    "shop",
    "production",
  );
});
afterEach(() => {
  delete process.env.TUNNEL_GATEWAY_STAMP_METADATA;
  pulumi.runtime.setAllConfig({});
});

async function metadataOf(resource: pulumi.CustomResource, name: string): Promise<unknown> {
  await new Promise((resolve) => resource.id.apply(resolve));
  return made.get(name)?.metadata;
}

const stamp = (name: string): string => JSON.stringify({ project: "shop", stack: "production", name });

test("nothing is stamped unless it is asked for", async () => {
  expect(await metadataOf(new IpPolicy("plain"), "plain")).toBeUndefined();
});

test("configuration or environment ask for stamps, and a user's metadata is kept", async () => {
  pulumi.runtime.setAllConfig({ "tunnel-gateway:stampMetadata": "true" });
  expect(await metadataOf(new IpPolicy("a"), "a")).toBe(stamp("a"));
  expect(await metadataOf(new IpPolicy("b", { metadata: "mine" }), "b")).toBe("mine");
  expect(await metadataOf(new IpPolicy("c", { metadata: "" }), "c")).toBe("");
  expect(await metadataOf(new BotUser("bot", { name: "bot" }), "bot")).toBeUndefined();
  pulumi.runtime.setAllConfig({});
  process.env.TUNNEL_GATEWAY_STAMP_METADATA = "true";
  expect(await metadataOf(new IpPolicy("d"), "d")).toBe(stamp("d"));
});

test("a key, whose creation leaves a mark, also gets its URN: it has that alone", async () => {
  process.env.TUNNEL_GATEWAY_STAMP_METADATA = "true";
  all.splice(0);
  const team = new pulumi.ComponentResource("shop:index:Team", "team");
  const rotation = { rotateAfterDays: 30, overlapDays: 3 };
  const keys = [
    new ApiKey("ci"),
    new ApiKey("ci", {}, { parent: team }),
    new RotatingApiKey("ci", rotation),
    new ApiKey("own", { metadata: "mine" }),
  ];
  for (const key of keys) await metadataOf(key, "ci");
  const type = "tunnel-gateway:index:";
  expect(all.map(({ __urn }) => __urn)).toEqual(
    expect.arrayContaining([
      `urn:pulumi:production::shop::${type}ApiKey::ci`,
      `urn:pulumi:production::shop::shop:index:Team$${type}ApiKey::ci`,
      `urn:pulumi:production::shop::${type}RotatingApiKey::ci`,
    ]),
  );
  expect(all.filter(({ __urn }) => __urn !== undefined)).toHaveLength(3);
  expect(await metadataOf(new IpPolicy("h"), "h")).toBe(stamp("h"));
  expect(made.get("h")).not.toHaveProperty("__urn");
});

test("an explicit Provider counts instead of the stack's configuration, also through a parent", async () => {
  pulumi.runtime.setAllConfig({ "tunnel-gateway:stampMetadata": "true" });
  const settings = { apiKey: "a-key-for-tests", baseUrl: "https://api.example.com" };
  const without = new Provider("without", settings);
  expect(await metadataOf(new IpPolicy("e", {}, { provider: without }), "e")).toBeUndefined();
  pulumi.runtime.setAllConfig({});
  const provider = new Provider("with", { ...settings, stampMetadata: true });
  expect(await metadataOf(new IpPolicy("f", {}, { provider }), "f")).toBe(stamp("f"));
  const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [provider] });
  expect(await metadataOf(new IpPolicy("g", {}, { parent }), "g")).toBe(stamp("g"));
  // Its own provider counts before that of its parent, and that of the nearest parent before the others.
  expect(await metadataOf(new IpPolicy("own", {}, { parent, provider: without }), "own")).toBeUndefined();
  const inner = new pulumi.ComponentResource(
    "test:index:Group",
    "inner",
    {},
    { parent, providers: [without] },
  );
  expect(await metadataOf(new IpPolicy("inner", {}, { parent: inner }), "inner")).toBeUndefined();
  expect(await metadataOf(new IpPolicy("back", {}, { parent: inner, provider }), "back")).toBe(stamp("back"));
});
