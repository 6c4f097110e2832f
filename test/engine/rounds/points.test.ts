import { EmulatorProcess } from "../../support/emulator-process";
import { idOf } from "../support";
import type { Json } from "./subject";
import { authority, leaf, sshKey } from "./values";
import { World, operations, type WorldResource } from "./world";

describe("what is easy to get wrong", () => {
  let emulator: EmulatorProcess;
  let world: World;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start({ undocumentedUpdates: true });
    await emulator.seed({ tls_edges: [{ id: "tls" }] });
    world = await World.start(emulator);
  });
  afterAll(() => emulator.stop());
  beforeEach(() => emulator.clearRequests());

  const lines = async () => (await world.writes()).map(({ line }) => line);

  it("a policy that is replaced or deleted goes last, when nothing refers to it any more", async () => {
    const user = (policy: string[]): WorldResource[] => [
      { name: "edge", type: "TcpEdge", args: { ipRestriction: { ipPolicyIds: policy } } },
      { name: "restriction", type: "TlsEdgeIpRestriction", args: { edgeId: "tls", ipPolicyIds: policy } },
    ];
    const policy = (replacementTrigger: string): WorldResource[] => [
      { name: "policy", type: "IpPolicy", args: {}, opts: { replacementTrigger } },
      {
        name: "rule",
        type: "IpPolicyRule",
        args: { ipPolicyId: "@policy", cidr: "10.0.0.0/8", action: "allow" },
      },
    ];
    world.declare([...policy("1"), ...user(["@policy"])]);
    await world.stack.up();
    const [old, edge] = [idOf(world.stack, "policy"), idOf(world.stack, "edge")];
    const uses = [`PATCH /edges/tcp/${edge}`, "PUT /edges/tls/tls/ip_restriction"];

    await emulator.clearRequests();
    world.declare([...policy("2"), ...user(["@policy"])]);
    await world.stack.up();
    const replaced = await lines();
    expect(replaced[0]).toBe("POST /ip_policies");
    expect(replaced.at(-1)).toBe(`DELETE /ip_policies/${old}`);
    for (const use of uses) expect(replaced).toContain(use);

    await emulator.clearRequests();
    const second = idOf(world.stack, "policy");
    world.declare(user([]));
    await world.stack.up();
    const deleted = await lines();
    expect(deleted).toEqual(expect.arrayContaining(uses));
    expect(deleted.at(-1)).toBe(`DELETE /ip_policies/${second}`);
    world.declare([]);
    await world.stack.up();
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

    it("are left alone by a subscription that does not give them, whoever adds some", async () => {
      world.declare([subscription({}), source("ip_policy_created.v0")]);
      await world.stack.up();
      const id = idOf(world.stack, "subscription");
      await emulator.api("POST", `/event_subscriptions/${id}/sources`, { type: "by_hand.v0" });
      await world.stack.refresh();
      await world.stack.previewNoChanges();
    });

    it("are exactly those that it gives, once it does", async () => {
      const sources = [{ type: "ip_policy_created.v0" }, { type: "ip_policy_updated.v0" }];
      world.declare([subscription({ sources }), source("ip_policy_created.v0")]);
      await emulator.clearRequests();
      await world.stack.up();
      expect(await world.writes()).toEqual([
        { line: `PATCH /event_subscriptions/${idOf(world.stack, "subscription")}`, body: { sources } },
      ]);
      // Both ways in one program agree for as long as the set holds the source; else it shows as drift.
      await world.stack.previewNoChanges();
      world.declare([
        subscription({ sources }),
        source("ip_policy_created.v0"),
        source("ip_policy_deleted.v0"),
      ]);
      await world.stack.up();
      await world.stack.refresh();
      expect(operations(await world.stack.previewJson())).toEqual({ subscription: "update" });
      world.declare([]);
      await world.stack.up();
    });
  });

  it("an Output as a key of a weighted backend is refused with the form that works", async () => {
    const { program } = world.stack;
    const text = `
      const gateway = require("pulumi-tunnel-gateway");
      const one = new gateway.TunnelGroupBackend("one", { labels: { a: "b" } });
      new gateway.WeightedBackend("weighted", { backends: { [one.id]: 1 } });
    `;
    const other = await World.start(emulator);
    other.stack.program.write(text);
    const { output } = await other.stack.preview({ exitCode: 1 });
    expect(output).toMatch(
      /backends: has an Output as a key, .*pulumi\.all\(\[first\.id, second\.id\]\)\.apply\(/,
    );
    expect(await emulator.requestLines()).toEqual([]);
    expect(program.dir).not.toBe(other.stack.program.dir);
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
    const env = { TUNNEL_GATEWAY_PATCH_UNDOCUMENTED: "true" };
    world.declare(all("first", stream("one")));
    await world.stack.up();
    await emulator.clearRequests();

    world.declare(all("another", stream("another")));
    const replacing = operations(await world.stack.previewJson());
    expect(new Set(Object.values(replacing))).toEqual(new Set(["replace"]));
    const plan = await world.stack.previewJson({ env });
    expect(new Set(Object.values(operations(plan)))).toEqual(new Set(["update"]));
    await world.stack.up({ env });
    const ids = world.ids();
    const sent = Object.fromEntries((await world.writes()).map(({ line, body }) => [line, body]));
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
    await world.stack.previewNoChanges({ env });
    await world.stack.previewNoChanges();

    // Another kind of target is another destination all the same.
    world.declare(all("another", { deliveryStream: { auth: { creds }, deliveryStreamRef: "one" } }));
    expect(operations(await world.stack.previewJson({ env }))).toEqual({ destination: "replace" });
    await world.stack.destroy();
  });
});
