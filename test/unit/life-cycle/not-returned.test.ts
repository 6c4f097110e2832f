import { notReturned } from "../../../src/declaration/not-returned";
import { eventDestination } from "../../../src/resources/event-destination";
import { httpsEdgeRouteOidc } from "../../../src/resources/https-edge-route-oidc";
import { Life } from "../resources/life";

const target = (ddtags?: string): object => ({
  monitoring: { apiKey: notReturned, ...(ddtags ? { ddtags } : {}) },
});
const state = { target: target(), format: "json", __args: ["target", "target.monitoring.apiKey"], __v: 1 };

it("refuses a change that must send a secret nobody told in the preview already", async () => {
  const { cycle } = new Life(eventDestination, (body) => body, { patchUndocumented: true });
  await expect(
    Promise.resolve().then(() => cycle.diff("ed_1", state, { target: target("a:b") })),
  ).rejects.toThrow(/apiKey: the service does not return this secret.*set it in the program/);
  // What does not touch the target sends nothing of it.
  await cycle.diff("ed_1", state, { target: target(), description: "x" });
  const told = { target: { monitoring: { apiKey: "known", ddtags: "a:b" } } };
  expect((await cycle.diff("ed_1", state, told)).replaces).toEqual([]);
});

it("refuses it of a module too, which is sent whole", async () => {
  const { cycle } = new Life(httpsEdgeRouteOidc, (body) => body);
  const args = {
    edgeId: "e",
    routeId: "r",
    issuer: "https://id.example.com",
    clientId: "c",
    clientSecret: notReturned,
  };
  const old = { ...args, enabled: true, __args: ["clientId", "clientSecret", "issuer"], __v: 1 };
  await expect(
    Promise.resolve().then(() => cycle.diff("e/r", old, { ...args, maximumDuration: 60 })),
  ).rejects.toThrow(/clientSecret: the service does not return/);
});
