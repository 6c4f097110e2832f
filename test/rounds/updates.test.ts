/** What an update sends where the rules of one object are not enough to say it. */
import { InProcessWorld } from "./in-process-world";
import { writesTo } from "./requests";
import type { Json } from "./subject";
import { authority, leaf, sshKey } from "./values";
import { idsIn, type WorldResource } from "./world";
import { EmulatorClient } from "../support/emulator-process";
import { emulatorForTests } from "../support/emulators";

const emulator = emulatorForTests({ undocumentedUpdates: true });
let client: EmulatorClient;
let world: InProcessWorld;

beforeEach(() => {
  client = new EmulatorClient(emulator);
  world = new InProcessWorld(client);
});

describe("the sources of a subscription", () => {
  const subscription = (args: Json): WorldResource => ({
    name: "subscription",
    type: "EventSubscription",
    args,
  });
  const source = (type: string): WorldResource => ({
    name: type,
    type: "EventSource",
    args: { subscriptionId: "@subscription", type },
  });

  it("are kept by a subscription that does not set them, even where others add some", async () => {
    world.declare([subscription({}), source("ip_policy_created.v0")]);
    await world.up();
    const { subscription: id } = idsIn(world);
    await client.api("POST", `/event_subscriptions/${id}/sources`, { type: "by_hand.v0" });
    await world.refresh();
    expect((await world.preview()).ops).toEqual({});
  });

  it("are exactly those that it gives, once it does", async () => {
    world.declare([subscription({}), source("ip_policy_created.v0")]);
    await world.up();
    const { subscription: id } = idsIn(world);
    await client.api("POST", `/event_subscriptions/${id}/sources`, { type: "by_hand.v0" });
    await world.refresh();
    emulator.clearRequests();

    const sources = [{ type: "ip_policy_created.v0" }, { type: "ip_policy_updated.v0" }];
    world.declare([subscription({ sources }), source("ip_policy_created.v0")]);
    await world.up();
    expect(await writesTo(client)).toEqual([{ line: `PATCH /event_subscriptions/${id}`, body: { sources } }]);
    // Both ways in one program agree for as long as the set holds the source; else it shows as drift.
    expect((await world.preview()).ops).toEqual({});
    world.declare([
      subscription({ sources }),
      source("ip_policy_created.v0"),
      source("ip_policy_deleted.v0"),
    ]);
    await world.up();
    await world.refresh();
    expect((await world.preview()).ops).toEqual({ subscription: "update" });
  });
});

it("an argument that is left to the service keeps its value when the program no longer gives it", async () => {
  const all = (bot: Json, response: Json, endpoint: Json): WorldResource[] => [
    { name: "bot", type: "BotUser", args: { name: "one", ...bot } },
    { name: "response", type: "HttpResponseBackend", args: response },
    { name: "endpoint", type: "CloudEndpoint", args: { url: "https://one.example.com", ...endpoint } },
  ];
  world.declare(all({ active: false }, { statusCode: 503 }, { poolingEnabled: true }));
  await world.up();
  emulator.clearRequests();
  world.declare(all({}, {}, {}));
  const each = { bot: "update", response: "update", endpoint: "update" };
  expect((await world.preview()).ops).toEqual(each);
  await world.up();
  expect(await writesTo(client)).toEqual([]);
  const { bot_users, endpoints, ...rest } = emulator.snapshot();
  expect(bot_users).toMatchObject([{ active: false }]);
  expect(rest["backends/http_response"]).toMatchObject([{ status_code: 503 }]);
  expect(endpoints).toMatchObject([{ pooling_enabled: true }]);
  await world.refresh();
  expect((await world.preview()).ops).toEqual({});
  // By then they are not managed, so what somebody else sets is no drift.
  const ids = idsIn(world);
  await client.api("PATCH", `/bot_users/${ids.bot}`, { active: true });
  await world.refresh();
  expect((await world.preview()).ops).toEqual({});
});

it("with patchUndocumented the four collections whose update is not shown are changed in place", async () => {
  const texts = (value: string) => ({ description: value, metadata: value });
  const creds = { accessKeyId: "AKID", secretAccessKey: "key" };
  const pair = leaf("one");
  const [ca, key] = [authority(), sshKey("one")];
  const all = (value: string, target: Json): WorldResource[] => [
    { name: "authority", type: "CertificateAuthority", args: { ...texts(value), caPem: ca } },
    { name: "certificate", type: "TlsCertificate", args: { ...texts(value), ...pair } },
    {
      name: "user",
      type: "SshUserCertificate",
      args: { ...texts(value), sshCertificateAuthorityId: "sshca_one", publicKey: key },
    },
    { name: "destination", type: "EventDestination", args: { ...texts(value), target } },
  ];
  const stream = (streamRef: string) => ({ stream: { auth: { creds }, streamRef } });
  const names = ["authority", "certificate", "user", "destination"];
  const each = (op: string) => Object.fromEntries(names.map((name) => [name, op]));
  world.declare(all("first", stream("one")));
  await world.up();
  emulator.clearRequests();

  world.declare(all("another", stream("another")));
  expect((await world.preview()).ops).toEqual(each("replace"));
  world.configure({ patchUndocumented: "true" });
  expect((await world.preview()).ops).toEqual(each("update"));
  await world.up();
  const ids = idsIn(world);
  const sent = Object.fromEntries((await writesTo(client)).map(({ line, body }) => [line, body]));
  const wire = {
    auth: { creds: { access_key_id: "AKID", secret_access_key: "key" } },
    stream_ref: "another",
  };
  expect(sent).toEqual({
    [`PATCH /certificate_authorities/${ids.authority}`]: texts("another"),
    [`PATCH /tls_certificates/${ids.certificate}`]: texts("another"),
    [`PATCH /ssh_user_certificates/${ids.user}`]: texts("another"),
    [`PATCH /event_destinations/${ids.destination}`]: { ...texts("another"), target: { stream: wire } },
  });
  expect((await world.preview()).ops).toEqual({});
  world.configure({});
  expect((await world.preview()).ops).toEqual({});

  // Another kind of target is another destination all the same.
  world.configure({ patchUndocumented: "true" });
  world.declare(all("another", { deliveryStream: { auth: { creds }, deliveryStreamRef: "one" } }));
  expect((await world.preview()).ops).toEqual({ destination: "replace" });
  await world.destroy();
});
