import { notReturned } from "../../../src/schema/secrets";
import { Life } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const eventDestination = declarationOf("EventDestination");
const httpsEdgeRouteOidc = declarationOf("HttpsEdgeRouteOidc");

const target = (ddtags?: string): object => ({
  monitoring: { apiKey: notReturned, ...(ddtags ? { ddtags } : {}) },
});
const state = {
  target: target(),
  format: "json",
  __args: ["target", "target.monitoring", "target.monitoring.apiKey"],
};

it("warns in the preview of a change that must send an unknown secret, and refuses to make it", async () => {
  const life = new Life(eventDestination, (body) => body, { patchUndocumented: true });
  const wanted = { target: target("a:b") };
  expect((await life.cycle.diff("ed_1", state, wanted)).replaces).toEqual([]);
  expect(life.lines).toEqual([
    expect.stringMatching(
      /^event destination ed_1: apiKey: the service does not return this secret.*set it in the program/,
    ),
  ]);
  await expect(life.cycle.update("ed_1", state, wanted)).rejects.toThrow("set it in the program");
});

it("prints nothing where the secret is not sent, or is known", async () => {
  const life = new Life(eventDestination, (body) => body, { patchUndocumented: true });
  await life.cycle.diff("ed_1", state, { target: target(), description: "x" });
  await life.cycle.diff("ed_1", state, { target: { monitoring: { apiKey: "known", ddtags: "a:b" } } });
  expect(life.lines).toEqual([]);
});

it("tells of a module too, which is sent whole, and lets a refresh record its drift", async () => {
  const life = new Life(httpsEdgeRouteOidc, (body) => body);
  const args = {
    edgeId: "e",
    routeId: "r",
    issuer: "https://id.example.com",
    clientId: "c",
    clientSecret: notReturned,
  };
  const drifted = { ...args, enabled: false, __args: ["clientId", "clientSecret", "issuer"] };
  expect((await life.cycle.diff("e/r", drifted, args)).replaces).toEqual([]);
  expect(life.lines).toEqual([expect.stringContaining("clientSecret: the service does not return")]);
});

it("records the private key of an adopted TLS certificate when the program gives it, without a replacement", async () => {
  const life = new Life(declarationOf("TlsCertificate"), (body) => body);
  const adopted = {
    certificatePem: "chain",
    privateKeyPem: notReturned,
    __args: ["certificatePem", "privateKeyPem"],
  };
  const wanted = { certificatePem: "chain", privateKeyPem: "key" };
  expect(await life.cycle.diff("cert_1", adopted, wanted)).toMatchObject({ replaces: [] });
  expect(await life.cycle.update("cert_1", adopted, wanted)).toMatchObject({
    outs: { privateKeyPem: { value: "key" } },
  });
  expect(life.sent).toEqual([]);
});

it("finds no drift and no change where answers show the secret of an imported object later", async () => {
  const life = new Life(eventDestination, () => ({
    format: "json",
    target: { monitoring: { api_key: "shown" } },
  }));
  const { state: found, inputs } = await life.read(state);
  expect(found).toMatchObject({ target: { monitoring: { apiKey: "shown" } } });
  expect(inputs).toBeUndefined();
  // The engine asks for the difference to the inputs of the import: after a refresh, and for the next preview.
  expect(await life.diff(found, { target: target() })).toBe("none");
});
