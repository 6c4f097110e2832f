/* eslint-disable @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { generateKeyPairSync } from "node:crypto";
import { sshLine } from "../support/ssh";
import { makeCertificate, makeCertificateRequest } from "../support/x509";
import { harness } from "./support";

const start = harness();

/** Values at the edges of what the specification allows. */

const token = sshLine("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 7), Buffer.from("ssh:"));
const dsa = sshLine("ssh-dss", ...[129, 21, 128, 128].map((size) => Buffer.alloc(size, 1)));
const old = makeCertificate({ version: 1 });
const request = makeCertificateRequest();
const small = generateKeyPairSync("rsa", { modulusLength: 768 }).publicKey;

test.each([
  ["/ssh_credentials", { public_key: token }],
  ["/ssh_credentials", { public_key: `${dsa} me@host` }],
  ["/ssh_credentials", { public_key: small.export({ type: "spki", format: "pem" }) }],
  ["/ssh_credentials", { public_key: token, acl: ["bind:team=my team", "bind:https://a"] }],
  ["/certificate_authorities", { ca_pem: old.pem }],
  ["/certificate_authorities", { ca_pem: makeCertificate({ ca: true }).pem + old.pem }],
  ["/kubernetes_operators", { binding: { csr: `text\n${request.pem}` } }],
  ["/kubernetes_operators", { binding: { csr: request.pem.replace(/CERTIFICATE/g, "NEW CERTIFICATE") } }],
  ["/kubernetes_operators", { binding: { csr: request.der.toString("base64") } }],
  ["/event_subscriptions", { sources: [{ type: "IpPolicy/Created.v01" }] }],
  ["/backends/http_response", { status_code: 999, headers: { "X-A": " a " } }],
  ["/endpoints", { url: "HTTPS://*.example.com:8443/a?b#c" }],
])("%s takes %j", async (path, body) => {
  const { call } = await start();
  const made = await call("POST", path, body);
  expect([made.status, made.body.msg]).toEqual([201, undefined]);
});

test.each([
  ["/ssh_credentials", { public_key: "ssh-dss AAAA" }, "public_key"],
  ["/ssh_credentials", { public_key: token, acl: ["bind:a=b=c"] }, "acl.0"],
  ["/certificate_authorities", { ca_pem: old.pem + makeCertificate().pem }, "ca_pem"],
  ["/backends/http_response", { status_code: 2 ** 31 }, "status_code"],
  ["/backends/http_response", { headers: { "a b": "c" } }, "headers.a b"],
  ["/backends/http_response", { headers: { a: "b\nc" } }, "headers.a"],
  ["/backends/http_response", { headers: { a: "b", A: "c" } }, "headers"],
  ["/edges/tcp", { hostports: ["a.example.com:65536"] }, "hostports.0"],
  ["/endpoints", { url: "https://a.example.com:65536" }, "url"],
  ["/event_destinations", { target: { monitoring: { api_key: "" } } }, "target.monitoring.api_key"],
])("%s refuses %j", async (path, body, field) => {
  const { call } = await start();
  const refused = await call("POST", path, body);
  expect(refused.status).toBe(400);
  expect(refused.body.msg).toMatch(new RegExp(`^${field}: `));
});

test("an event source's type may hold a slash, which its path encodes", async () => {
  const { call } = await start();
  const { id } = (await call("POST", "/event_subscriptions", {})).body as { id: string };
  const made = await call("POST", `/event_subscriptions/${id}/sources`, { type: "a/b.v1" });
  expect(made.status).toBe(201);
  expect((await call("GET", `/event_subscriptions/${id}/sources/a%2Fb.v1`)).body.type).toBe("a/b.v1");
  expect((await call("DELETE", `/event_subscriptions/${id}/sources/a%2Fb.v1`)).status).toBe(204);
});

test.each(["2030-02-30T00:00:00Z", "2030-01-01T24:00:00Z", "2030-01-01T00:00:00+24:00"])(
  "%s is no time",
  async (valid_after) => {
    const { call } = await start();
    const refused = await call("POST", "/ssh_host_certificates", {
      ssh_certificate_authority_id: "sshca_1",
      public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
      valid_after,
    });
    expect(refused.body.msg).toBe("valid_after: must be a time in RFC 3339");
  },
);
