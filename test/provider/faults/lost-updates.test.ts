/** Updates and deletions of which nobody knows whether they were done: their answers are lost, and the object cannot be read. */
import { GatewayError } from "../../../src/provider/errors";
import type { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";
import { Life } from "../../support/life";
import { modules, modulePaths, moduleSeed } from "../../support/modules";
import { Plugin } from "../../support/plugin";
import { makeCertificateRequest } from "../../support/x509";

const emulator = emulatorForTests();

/** What the engine records of a write that fails. */
async function recorded(write: Promise<unknown>): Promise<Json> {
  return plain((await failureOf<PartialFailure>(write)).properties);
}

const policies = { ip_policies: [{ id: "ipp_office" }, { id: "ipp_other" }] };
const restrictionPath = modulePaths[Object.keys(modules).indexOf("restriction")]!;
const restricted = (policy: string): Json => ({
  hostports: [],
  ipRestriction: { ipPolicyIds: [policy] },
});

describe.each<[type: string, before: Json, after: Json, path: (id: string) => string]>([
  ["TcpEdge", restricted("ipp_office"), restricted("ipp_other"), (id) => `/edges/tcp/${id}`],
  [
    "TlsEdgeIpRestriction",
    modules.restriction!.args,
    { ...modules.restriction!.args, ipPolicyIds: ["ipp_other"] },
    () => restrictionPath,
  ],
])("an update of a %s", (type, before, after, path) => {
  const run = () => Plugin.for(emulator, { retryTimeout: 1 });
  let id: string;
  let state: Json;

  async function policyNow(): Promise<unknown> {
    const headers = {
      Authorization: `Bearer ${emulator.apiKey}`,
      "service-version": "2",
    };
    const answer = (await (await fetch(emulator.baseUrl + path(id), { headers })).json()) as Json;
    const module = (answer.ip_restriction ?? answer) as {
      ip_policies: { id: string }[];
    };
    return module.ip_policies[0]!.id;
  }

  beforeEach(async () => {
    await emulator.seed({ ...moduleSeed, ...policies });
    const made = await run().create(type, before);
    id = made.id;
    const outage = { kind: "status", method: "GET", status: 503 } as const;
    emulator.setFaults({
      rules: [{ kind: "dropAfter", method: "PUT" }, { kind: "dropAfter", method: "PATCH" }, outage],
    });
    state = await recorded(run().hooks(type).update(id, made.state, after));
    emulator.setFaults({ rules: [] });
    expect(await policyNow()).toBe("ipp_other");
  });

  it("is undone where the program takes it back", async () => {
    expect(await run().hooks(type).diff(id, state, before)).toMatchObject({
      changes: true,
      replaces: [],
    });
    const back = await run().update(type, id, state, before);
    expect(await policyNow()).toBe("ipp_office");
    expect((await run().hooks(type).diff(id, back, before)).changes).toBe(false);
  });

  it("is sent again where it was done, as an approval counts it as done by an answer alone", async () => {
    expect((await run().hooks(type).diff(id, state, after)).changes).toBe(true);
    emulator.clearRequests();
    const done = await run().update(type, id, state, after);
    expect(emulator.requests.map(({ method }) => method)).toEqual([
      "GET",
      type === "TcpEdge" ? "PATCH" : "PUT",
    ]);
    expect((await run().hooks(type).diff(id, done, after)).changes).toBe(false);
  });

  it("is drift for a refresh that comes before the program takes it back", async () => {
    const found = await run().read(type, id, state);
    expect(JSON.stringify(found.inputs)).toContain("ipp_other");
    expect((await run().hooks(type).diff(id, found.state, before)).changes).not.toBe(false);
  });
});

describe.each<[what: string, type: string, args: Json, other: Json, member: string]>([
  ["a secret", "HttpsEdgeRouteOidc", modules.oidc!.args, { clientSecret: "another secret" }, "client_secret"],
  ["an argument", "IpPolicy", { metadata: "one" }, { metadata: "two" }, "metadata"],
  [
    "a switch of a module",
    "TcpEdge",
    { hostports: [], trafficPolicy: { value: "one" } },
    { trafficPolicy: { value: "one", enabled: false } },
    "traffic_policy",
  ],
])("an update of %s that the service does not show", (_of, type, args, other, member) => {
  const changed = { ...args, ...other };
  const [name] = Object.keys(other);
  const hidden = ({ [member]: _, ...shown }: Json): Json => shown;
  let life: Life;
  let state: Json;

  beforeEach(async () => {
    life = new Life(declarationOf(type), hidden);
    const made = await life.create(args);
    life.answer = () => {
      throw Object.assign(new GatewayError("no answer"), { mayBeDone: true });
    };
    state = await recorded(life.cycle.update(life.id, made, changed));
    life.answer = hidden;
  });

  it.each([
    ["kept", changed],
    ["taken back", args],
  ])("is sent once more where it is %s, also after a refresh", async (_, given) => {
    for (const found of [state, (await life.read(state)).state]) {
      expect((await life.cycle.diff(life.id, found, given)).changes).toBe(true);
      life.stored = hidden(life.stored!);
      const after = await life.update(found, given);
      expect(life.stored).toMatchObject({ [member]: given[name!] });
      expect(await life.diff(after, given)).toBe("none");
    }
  });
});

it("an update of what the service does not show is sent again where its answer is lost and the object looks as asked", async () => {
  await emulator.seed({});
  const plugin = Plugin.for(emulator);
  const [args, changed] = [makeCertificateRequest(), makeCertificateRequest()].map(({ pem: csr }) => ({
    binding: { endpointSelectors: ["true"], csr },
  }));
  const { id, state } = await plugin.create("KubernetesOperator", args!);
  const certificate = () => (emulator.snapshot().kubernetes_operators![0]!.binding as Json).cert;
  const before = certificate();
  emulator.setFaults({ rules: [{ kind: "dropBefore", method: "PATCH", times: 1 }] });
  emulator.clearRequests();
  await plugin.update("KubernetesOperator", id, state, changed!);
  expect(emulator.requests.map(({ method }) => method)).toEqual(["PATCH", "GET", "PATCH"]);
  expect(certificate()).not.toEqual(before);
});

it("an argument that the program did not give before is removed where its update is taken back", async () => {
  const life = new Life(declarationOf("IpPolicy"), (stored) => stored);
  const made = await life.create({});
  life.answer = () => {
    throw Object.assign(new GatewayError("no answer"), { mayBeDone: true });
  };
  const state = await recorded(life.cycle.update(life.id, made, { metadata: "new" }));
  life.answer = (stored) => stored;
  expect(life.stored).toEqual({ metadata: "new" });
  await life.update(state, {});
  expect(life.stored).toEqual({ metadata: "" });
});

it("an argument that a lost update removes is removed by the next one", async () => {
  const life = new Life(declarationOf("IpPolicy"), (stored) => stored);
  const made = await life.create({ metadata: "old" });
  life.answer = () => {
    throw Object.assign(new GatewayError("no answer"), { mayBeDone: true });
  };
  const state = await recorded(life.cycle.update(life.id, made, {}));
  life.answer = (stored) => stored;
  life.stored = { metadata: "old" };
  await life.update(state, {});
  expect(life.stored).toEqual({ metadata: "" });
});

it("a deletion that may have been done says what to do before it is taken back", async () => {
  await emulator.seed({});
  const plugin = Plugin.for(emulator, { retryTimeout: 1 });
  const { id, state } = await plugin.create("IpPolicy", {});
  emulator.setFaults({ rules: [{ kind: "dropAfter", method: "DELETE" }] });
  const { message } = await failureOf<Error>(plugin.hooks("IpPolicy").delete(id, state));
  expect(message).toMatch(/It may have been deleted: run pulumi refresh before you declare it again$/);
  expect(emulator.snapshot().ip_policies).toEqual([]);
});
