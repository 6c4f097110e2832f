/** The functions of the native provider, held against those of the package. */
import * as gateway from "../../../src";
import { accountFunctions } from "../../../src/provider/native/functions";
import { declarations } from "../../../src/resources/registry";
import type { Declaration } from "../../../src/schema/declaration";
import { isSigned, unsignedSecrets } from "../../../src/schema/secrets";
import { contains, unknown } from "../../../src/schema/unknown";
import { cases } from "../../rounds/cases";
import { seed } from "../../rounds/table";
import { emulatorForTests } from "../../support/emulators";
import { plain, secretOf } from "../../support/in-process/values";
import { nativeForTests } from "../../support/native-client";
import { makeCertificate } from "../../support/x509";

const emulator = emulatorForTests();
const native = nativeForTests();

/** What no program makes. */
const others = {
  tunnel_sessions: [{ id: "ts_one" }],
  kubernetes_operators: [{ id: "k8sop_one" }],
  endpoints: [
    { id: "ep_bound", bound_to: "k8sop_one", url: "https://bound.example.com", bindings: ["kubernetes"] },
  ],
};
/** By type: one object of the account. */
const ids: Record<string, string> = { TunnelSession: "ts_one", Endpoint: "ep_bound" };

beforeEach(async () => {
  await native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl });
  await emulator.seed({ ...seed, ...others });
  for (const { type, before } of cases) {
    const { inputs } = await native.check(type, before);
    ids[type] = (await native.create(type, inputs)).id;
  }
});

type Read = (which: unknown, options: object) => Promise<object>;
type List = (...args: unknown[]) => { toArray(): Promise<object[]> };

it("return what those of the package return, of every class", async () => {
  const { apiKey, baseUrl } = emulator;
  const settings = { settings: { apiKey, baseUrl } };
  const owners: Record<string, string> = {
    subscriptionId: "esb_one",
    operatorId: "k8sop_one",
  };
  const functions = gateway as unknown as Record<string, unknown>;
  const seen: string[] = [];
  const marked: string[] = [];
  const showsNoSecret = (name: string, { fields }: Declaration, object: object): void => {
    expect([name, unsignedSecrets(fields, { ...object })]).toEqual([name, []]);
    if (contains(object, isSigned)) marked.push(name);
  };
  for (const { name, declaration, lists, owner } of accountFunctions) {
    const token = `tunnel-gateway:index:${name}`;
    if (lists) {
      const args = owner === undefined ? [] : [owners[owner]];
      const expected = await (functions[name] as List)(...args, settings).toArray();
      const { objects } = await native.invoke(token, owner === undefined ? {} : { [owner]: args[0] });
      expect([name, plain(objects)]).toEqual([name, JSON.parse(JSON.stringify(expected))]);
      for (const each of objects as object[]) showsNoSecret(name, declaration, each);
      seen.push(...expected.map(() => name));
    } else {
      const id = ids[declaration.type];
      const expected = await (functions[name] as Read)(id, settings);
      const found = await native.invoke(token, { id });
      expect([name, plain(found)]).toEqual([name, JSON.parse(JSON.stringify(expected))]);
      showsNoSecret(name, declaration, found);
      seen.push(name);
    }
  }
  // A list without objects would show nothing.
  const names = accountFunctions.map(({ name }) => name);
  expect(names.filter((name) => !seen.includes(name))).toEqual([]);
  expect(marked).toContain("getHttpsEdgeRouteWebhookVerification");
});

it("list by the protocol's call what those of the package list, and by each text of an object, of every class with a list", async () => {
  const { apiKey, baseUrl } = emulator;
  const settings = { settings: { apiKey, baseUrl } };
  const functions = gateway as unknown as Record<string, unknown>;
  const managed = accountFunctions.filter(
    ({ lists, declaration }) => lists && ids[declaration.type] !== undefined,
  );
  let count = 0;
  for (const { name, declaration, owner } of managed) {
    if (!declarations.includes(declaration)) continue;
    const query = owner ? { [owner]: "esb_one" } : {};
    const listed = await (functions[name] as List)(...Object.values(query), settings).toArray();
    const expected = listed as ({ id: string } & Record<string, unknown>)[];
    const idsOf = async (selection = {}): Promise<unknown> =>
      (await native.list(declaration.type, { ...query, ...selection })).map((each) => each.split(" ")[0]);
    expect([name, await idsOf()]).toEqual([name, expected.map(({ id }) => id)]);
    const texts = Object.entries(expected[0]!).filter(([, value]) => typeof value === "string");
    for (const [field, text] of texts) {
      const ids = expected.filter((each) => each[field] === text).map(({ id }) => id);
      expect([name, field, await idsOf({ filter: { [field]: text } })]).toEqual([name, field, ids]);
    }
    count += expected.length;
  }
  expect(count).toBeGreaterThan(20);
});

it("list by filter and limit, with what names an object, and say what has no list", async () => {
  const nameless = makeCertificate({ subject: {}, dnsNames: ["site.example.com"] });
  await emulator.reset();
  await emulator.seed({
    ip_policies: [
      { id: "ipp_a", description: "office a" },
      { id: "ipp_b", description: "office b" },
      { id: "ipp_c", description: "" },
    ],
    bot_users: [{ id: "bot_a", name: "robot" }],
    tls_certificates: [
      { id: "cert_a", certificate_pem: nameless.pem, private_key_pem: nameless.privateKeyPem },
    ],
    ip_policy_rules: [{ id: "ipr_a", ip_policy_id: "ipp_a", cidr: "192.0.2.0/24", action: "allow" }],
  });
  expect(await native.list("IpPolicy", { filter: { description: "office b" } })).toEqual(["ipp_b office b"]);
  expect(await native.list("IpPolicy", {}, 1)).toHaveLength(1);
  const unnamed = await native.list("IpPolicy", { filter: { id: "ipp_c" } });
  expect(unnamed).toEqual([expect.stringMatching(/^ipp_c \d+-/)]);
  expect(await native.list("BotUser", { filter: { id: "bot_a" } })).toEqual(["bot_a robot"]);
  expect(await native.list("TlsCertificate")).toEqual([expect.stringMatching(/^cert_a \d+-/)]);
  expect(await native.list("IpPolicyRule", { filter: { ipPolicyId: "ipp_a" } })).toEqual([
    "ipr_a 192.0.2.0/24",
  ]);
  expect(await native.list("IpPolicyRule", { filter: { ipPolicyId: unknown } })).toEqual(["computed"]);
  await expect(native.list("TlsEdgeIpRestriction")).rejects.toThrow(
    /the API has no list of .*: import one by its id/,
  );
  await expect(native.list("EventSource")).rejects.toThrow("subscriptionId: is required");
  await expect(native.list("IpPolicy", { filter: { nmae: "x" } })).rejects.toThrow("has no field nmae");
  await expect(native.list("IpPolicy", { filter: { description: null } })).rejects.toThrow(
    "description is null; leave it out",
  );
});

it("refuse an id together with a filter, but not with an absent one", async () => {
  const token = "tunnel-gateway:index:getIpPolicy";
  const both = { id: ids.IpPolicy, filter: { description: "one" } };
  await expect(native.invoke(token, both)).rejects.toThrow(
    "getIpPolicy takes an id or a filter, not both: leave one of them out",
  );
  const one = await native.invoke(token, { id: ids.IpPolicy, filter: null });
  expect(await native.invoke(token, { id: null, filter: { id: ids.IpPolicy } })).toEqual(one);
  await expect(native.invoke(token, {})).rejects.toThrow("by its id or a filter");
  const all = await native.invoke("tunnel-gateway:index:listIpPolicies", {});
  expect(await native.invoke("tunnel-gateway:index:listIpPolicies", { filter: null, limit: null })).toEqual(
    all,
  );
});

it("ask for the object that a list belongs to", async () => {
  const { owner } = accountFunctions.find(({ name }) => name === "listEventSources")!;
  for (const args of [{}, { [owner!]: null }])
    await expect(native.invoke("tunnel-gateway:index:listEventSources", args)).rejects.toThrow(
      "subscriptionId: is required",
    );
});

it("mark a secret that a list shows", async () => {
  const target = { monitoring: { api_key: "hidden" } };
  const body = { event_destinations: [{ id: "ed_one", target }], next_page_uri: null };
  emulator.setFaults({ rules: [{ kind: "status", status: 200, path: "/event_destinations", body }] });
  const { objects } = await native.invoke("tunnel-gateway:index:listEventDestinations", {});
  expect(objects).toMatchObject([{ target: { monitoring: { apiKey: secretOf("hidden") } } }]);
});
