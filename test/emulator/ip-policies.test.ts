/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { harness } from "./support";

const start = harness();

describe("IP policies and their rules", () => {
  test("a policy goes through create, get, update and delete", async () => {
    const { emulator, call } = await start();
    const created = await call("POST", "/ip_policies", { description: "office" });
    expect(created.status).toBe(201);
    expect(created.body.id).toMatch(/^ipp_[0-9A-Za-z]{27}$/);
    expect(created.body.uri).toBe(`${emulator.baseUrl}/ip_policies/${created.body.id}`);
    expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const path = `/ip_policies/${created.body.id}`;
    expect((await call("GET", path)).body).toEqual(created.body);
    const updated = await call("PATCH", path, { metadata: "m" });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ description: "office", metadata: "m" });
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("DELETE", path)).status).toBe(404);
  });

  test("an empty string clears, an omitted field stays, null is rejected", async () => {
    const { emulator, call } = await start();
    const { body } = await call("POST", "/ip_policies", { description: "a", metadata: "b" });
    await call("PATCH", `/ip_policies/${body.id}`, { description: "" });
    expect(emulator.snapshot().ip_policies).toMatchObject([{ description: "", metadata: "b" }]);
    const refused = await call("PATCH", `/ip_policies/${body.id}`, { metadata: null });
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toContain("metadata");
  });

  test("an update without fields is rejected", async () => {
    const { call } = await start();
    const { body } = await call("POST", "/ip_policies", {});
    expect((await call("PATCH", `/ip_policies/${body.id}`, {})).body.error_code).toBe("ERR_EMPTY_UPDATE");
  });

  test.each([
    "10.0.0.1/24",
    "10.0.0",
    "fe80::1%eth0",
    "300.0.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "010.0.0.0/8",
    "10/8",
    "2001:db8::1/32",
    "fe80::%eth0/64",
    "::/129",
    "",
  ])("the error about the CIDR %j names the field", async (cidr) => {
    const { call } = await start();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const refused = await call("POST", "/ip_policy_rules", { cidr, ip_policy_id: policy.id, action: "deny" });
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toMatch(/^cidr: /);
  });

  test.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.0.0.1", "10.0.0.1/32"],
    ["2001:DB8:0::1", "2001:db8::1/128"],
    ["2001:DB8:0:0::/32", "2001:db8::/32"],
    ["0:0:0:0:0:0:0:0/0", "::/0"],
    ["::ffff:192.0.2.0/120", "::ffff:c000:200/120"],
    ["::192.0.2.0/120", "::c000:200/120"],
    ["0:0:1:0:0:2:3:4/128", "::1:0:0:2:3:4/128"],
    ["1:0:0:2:0:0:0:3/128", "1:0:0:2::3/128"],
  ])("the CIDR %s comes back as %s", async (cidr, canonical) => {
    const { call } = await start();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const rule = await call("POST", "/ip_policy_rules", { cidr, ip_policy_id: policy.id, action: "allow" });
    expect(rule.body).toMatchObject({
      cidr: canonical,
      action: "allow",
      ip_policy: { id: policy.id, uri: policy.uri },
    });
  });

  test("a CIDR is unique in a policy, for both actions and every spelling, until its rule is deleted", async () => {
    const { call } = await start();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const rule = { cidr: "2001:db8::/32", ip_policy_id: policy.id, action: "allow" };
    const first = await call("POST", "/ip_policy_rules", rule);
    const twin = await call("POST", "/ip_policy_rules", { ...rule, cidr: "2001:DB8:0::/32", action: "deny" });
    expect(twin.status).toBe(409);
    expect(twin.body.msg).toContain("cidr");
    const other = await call("POST", "/ip_policy_rules", { ...rule, cidr: "10.0.0.0/8" });
    expect((await call("PATCH", `/ip_policy_rules/${other.body.id}`, { cidr: rule.cidr })).status).toBe(409);
    await call("DELETE", `/ip_policy_rules/${first.body.id}`);
    expect((await call("PATCH", `/ip_policy_rules/${other.body.id}`, { cidr: rule.cidr })).status).toBe(200);
    expect((await call("POST", "/ip_policy_rules", { ...rule, cidr: "10.0.0.0/8" })).status).toBe(201);
  });

  test("action and policy cannot be updated, and an unknown policy is named at its field", async () => {
    const { call } = await start();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const rule = { cidr: "10.0.0.0/8", ip_policy_id: policy.id, action: "allow" };
    const { body } = await call("POST", "/ip_policy_rules", rule);
    expect((await call("PATCH", `/ip_policy_rules/${body.id}`, { action: "deny" })).body.error_code).toBe(
      "ERR_UNKNOWN_FIELD",
    );
    expect((await call("PATCH", `/ip_policy_rules/${body.id}`, { ip_policy_id: policy.id })).status).toBe(
      400,
    );
    const dangling = await call("POST", "/ip_policy_rules", { ...rule, ip_policy_id: "ipp_gone" });
    expect(dangling.body).toMatchObject({ status_code: 400, error_code: "ERR_REFERENCE_NOT_FOUND" });
    expect(dangling.body.msg).toContain("ip_policy_id");
    expect((await call("POST", "/ip_policy_rules", { ...rule, ip_policy_id: "ipr_x" })).body.msg).toContain(
      "prefix ipp_",
    );
    expect((await call("POST", "/ip_policy_rules", { ...rule, action: "alow" })).body.msg).toBe(
      "action: must be one of allow, deny",
    );
  });

  test("deleting a policy deletes its rules", async () => {
    const { emulator, call } = await start();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const other = (await call("POST", "/ip_policies", {})).body;
    for (const id of [policy.id, policy.id, other.id]) {
      await call("POST", "/ip_policy_rules", {
        cidr: `10.${emulator.requests.length}.0.0/16`,
        ip_policy_id: id,
        action: "deny",
      });
    }
    expect((await call("DELETE", `/ip_policies/${policy.id}`)).status).toBe(204);
    expect(emulator.snapshot().ip_policy_rules).toHaveLength(1);
  });
});
