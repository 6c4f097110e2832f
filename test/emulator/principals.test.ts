/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { client, harness } from "./support";
import { openSshKey } from "../support/ssh";

const start = harness();

describe("API keys", () => {
  test("show their token once, and it authenticates until the key is deleted", async () => {
    const { emulator, call } = await start();
    const created = await call("POST", "/api_keys", { description: "ci" });
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^ak_/),
      owner_id: emulator.userId,
      token: expect.any(String),
    });
    const path = `/api_keys/${created.body.id}`;
    expect((await call("GET", path)).body.token).toBeNull();
    expect((await call("PATCH", path, { metadata: "m" })).body.token).toBeNull();
    expect((await call("GET", "/api_keys")).body.keys[0].token).toBeNull();
    const other = client(emulator, created.body.token);
    expect((await other("GET", path)).status).toBe(200);
    expect(JSON.stringify(emulator.snapshot())).not.toContain(created.body.token);
    await call("DELETE", path);
    expect((await other("GET", "/api_keys")).status).toBe(401);
  });

  test("of a bot user stop working when it is deactivated or deleted", async () => {
    const { emulator, call } = await start();
    const bot = (await call("POST", "/bot_users", { name: "deploy" })).body;
    const key = (await call("POST", "/api_keys", { owner_id: bot.id })).body;
    const asBot = client(emulator, key.token);
    const own = await asBot("POST", "/api_keys", {});
    expect(own.body.owner_id).toBe(bot.id);
    await call("PATCH", `/bot_users/${bot.id}`, { active: false });
    expect((await asBot("GET", "/api_keys")).status).toBe(401);
    await call("PATCH", `/bot_users/${bot.id}`, { active: true });
    expect((await asBot("GET", "/api_keys")).status).toBe(200);
    await call("DELETE", `/bot_users/${bot.id}`);
    expect((await asBot("GET", "/api_keys")).status).toBe(401);
  });

  test("take another owner from admins only, who must exist", async () => {
    const { emulator, call } = await start();
    await emulator.seed({ users: [{ id: "usr_plain" }] });
    const key = (await call("POST", "/api_keys", { owner_id: "usr_plain" })).body;
    const asPlain = client(emulator, key.token);
    expect((await asPlain("POST", "/api_keys", { owner_id: "usr_plain" })).status).toBe(201);
    const refused = await asPlain("POST", "/api_keys", { owner_id: emulator.userId });
    expect(refused.body).toMatchObject({ status_code: 403, error_code: "ERR_ADMIN_ONLY" });
    expect(refused.body.msg).toBe("owner_id: only admins may set an owner other than themselves");
    expect((await asPlain("PATCH", `/api_keys/${key.id}`, { owner_id: emulator.userId })).status).toBe(403);
    expect((await call("PATCH", `/api_keys/${key.id}`, { owner_id: "usr_plain" })).status).toBe(400);
    expect((await call("POST", "/api_keys", { owner_id: "bot_gone" })).body.msg).toContain("owner_id");
    expect((await call("POST", "/api_keys", { owner_id: "ak_x" })).body.msg).toContain("usr_ or bot_");
  });

  test("the built-in key can belong to a user who is no admin", async () => {
    const { call } = await start({ admin: false });
    expect((await call("POST", "/api_keys", { owner_id: "usr_other" })).status).toBe(403);
  });
});

describe("Bot users", () => {
  test("have a unique, not empty name, are active by default, and have no description", async () => {
    const { call } = await start();
    const bot = (await call("POST", "/bot_users", { name: "a" })).body;
    expect(Object.keys(bot).sort()).toEqual(["active", "created_at", "id", "name", "uri"]);
    expect(bot.active).toBe(true);
    expect((await call("POST", "/bot_users", { name: "" })).status).toBe(400);
    expect((await call("POST", "/bot_users", { name: "a" })).status).toBe(409);
    expect((await call("POST", "/bot_users", { name: "b", description: "d" })).status).toBe(400);
    const off = (await call("POST", "/bot_users", { name: "b", active: false })).body;
    expect(off.active).toBe(false);
    expect((await call("PATCH", `/bot_users/${off.id}`, { name: "a" })).status).toBe(409);
    expect((await call("PATCH", `/bot_users/${off.id}`, { name: "b", active: true })).body.active).toBe(true);
  });
});

describe("SSH credentials", () => {
  test("take PEM and authorized-keys form, and one key once whatever its form", async () => {
    const { call } = await start();
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const first = await call("POST", "/ssh_credentials", { public_key: pem.trim() });
    expect(first.body).toMatchObject({
      public_key: pem,
      acl: null,
      owner_id: expect.stringMatching(/^usr_/),
    });
    const twin = await call("POST", "/ssh_credentials", { public_key: openSshKey(publicKey) });
    expect(twin.body).toMatchObject({ status_code: 409, msg: expect.stringContaining("public_key") });
    const ssh = `${openSshKey(generateKeyPairSync("ed25519").publicKey)} me@host`;
    expect((await call("POST", "/ssh_credentials", { public_key: ssh })).body.public_key).toBe(ssh);
  });

  test("reject a private key and text that is no key", async () => {
    const { call } = await start();
    const { privateKey } = generateKeyPairSync("ed25519");
    for (const public_key of [
      privateKey.export({ type: "pkcs8", format: "pem" }),
      "ssh-rsa AAAA",
      "",
      "ssh-ed25519 !",
    ]) {
      const refused = await call("POST", "/ssh_credentials", { public_key });
      expect(refused.status).toBe(400);
      expect(refused.body.msg).toMatch(/^public_key: /);
    }
  });

  test.each([
    ["*", 201],
    ["bind:example.com", 201],
    ["bind:*.example.com", 201],
    ["bind:*=value", 201],
    ["bind:key=*", 201],
    ["bind:1.tcp.example:22", 201],
    ["allow:x", 400],
    ["bind:", 400],
    ["bind:a.*.com", 400],
    ["", 400],
  ])("the ACL rule %j gets the status %i", async (rule, status) => {
    const { call } = await start();
    const public_key = openSshKey(generateKeyPairSync("ed25519").publicKey);
    const answer = await call("POST", "/ssh_credentials", { public_key, acl: [rule] });
    expect(answer.status).toBe(status);
    if (status === 201)
      expect((await call("PATCH", `/ssh_credentials/${answer.body.id}`, { acl: ["*"] })).body.acl).toEqual([
        "*",
      ]);
    else expect(answer.body.msg).toContain("acl.0");
  });

  test("agree with ssh-keygen on every kind of key", async () => {
    const { call } = await start();
    for (const public_key of [
      ["rsa", "2048"],
      ["ecdsa", "256"],
      ["ecdsa", "384"],
      ["ecdsa", "521"],
      ["ed25519", "256"],
    ].map(sshKeygen)) {
      expect((await call("POST", "/ssh_credentials", { public_key })).status).toBe(201);
    }
  });
});

function sshKeygen([type, bits]: string[]): string {
  const file = `${execFileSync("mktemp", ["-d"]).toString().trim()}/key`;
  execFileSync("ssh-keygen", ["-q", "-t", type!, "-b", bits!, "-N", "", "-f", file]);
  return execFileSync("cat", [`${file}.pub`])
    .toString()
    .trim();
}
