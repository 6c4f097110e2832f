import { EmulatorProcess } from "../../support/emulator-process";
import type { Plan, Program, Stack } from "../../support/engine";
import { cjs, idOf, resources, rewrite, sent, stackTrace, writes } from "../../engine/support";

describe("Pulumi's resource options", () => {
  /** What differs between the first deployment and the second. */
  interface Shape {
    value: string;
    trigger: string;
    ruleName: string;
    aliases: string;
    home: string;
    leaving: string;
  }
  const leaving = `
    new IpPolicy("retained", { description: "stays" }, { retainOnDelete: true });
    const club = new IpPolicy("club");
    new IpPolicyRule("member", { ipPolicyId: club.id, cidr: "10.0.0.0/8", action: "allow" }, { deletedWith: club });
  `;
  const first: Shape = { value: "1", trigger: "1", ruleName: "before", aliases: "", home: "first", leaving };
  const second: Shape = {
    value: "2",
    trigger: "2",
    ruleName: "after",
    aliases: `aliases: [{ name: "before" }]`,
    home: "second",
    leaving: "",
  };
  const body = ({ value, trigger, ruleName, aliases, home, leaving }: Shape) => `
    const first = new IpPolicy("first", { description: "${value}" }, { ignoreChanges: ["description"] });
    const second = new IpPolicy("second", {}, { protect: true });
    new IpPolicyRule("${ruleName}", { ipPolicyId: second.id, cidr: "11.0.0.0/8", action: "allow" }, { ${aliases} });
    new IpPolicyRule("child", { ipPolicyId: second.id, cidr: "12.0.0.0/8", action: "deny" }, { parent: second });
    const homes = { first, second };
    new IpPolicyRule("mover", { ipPolicyId: homes.${home}.id, cidr: "13.0.0.0/8", action: "allow" });
    new IpPolicyRule("careful", { ipPolicyId: homes.${home}.id, cidr: "14.0.0.0/8", action: "allow" },
      { deleteBeforeReplace: true });
    const key = new ApiKey("rotated", { description: "rotated" }, { replacementTrigger: "${trigger}" });
    new IpPolicy("transformed", {}, {
      transforms: [({ props, opts }) => ({ props: { ...props, description: "${value} by transform" }, opts })],
    });
    ${leaving}
    exports.token = key.token;
  `;
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;
  let token: unknown;

  beforeAll(async () => {
    program = cjs(body(first));
    stack = await program.stack({ env: emulator.env });
    await stack.up();
    ({ token } = await stack.outputs(true));
  });
  beforeEach(() => emulator.clearRequests());

  const opsOf = ({ changes }: Plan, ...names: string[]) =>
    changes.filter(({ name }) => names.includes(name)).map(({ op, name }) => `${op} ${name}`);

  it("hold in preview and up alike", async () => {
    const before = resources(stack);
    expect(before.transformed!.inputs!.description).toBe("1 by transform");
    rewrite(program, body(second));
    const plan = await stack.previewJson();
    expect(plan.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([
      "delete club",
      "delete member",
      "delete retained",
      "replace careful",
      "replace mover",
      "replace rotated",
      "update transformed",
    ]);
    expect(await emulator.requestLines()).toEqual([]);
    const done = await stack.upJson();
    // A rule in another policy can stand beside the old one; the option says otherwise for the careful one.
    expect(opsOf(done, "mover")).toEqual([
      "create-replacement mover",
      "replace mover",
      "delete-replaced mover",
    ]);
    expect(opsOf(done, "careful")).toEqual([
      "delete-replaced careful",
      "replace careful",
      "create-replacement careful",
    ]);
    expect(opsOf(done, "first", "before", "after", "child")).toEqual([]);
    const after = resources(stack);
    expect(after.after!.id).toBe(before.before!.id);
    expect(after.child!.urn).toContain("IpPolicy$pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule::child");

    // What is retained is not deleted, and what is deleted with its policy needs no request.
    const deleted = (await emulator.requestLines()).filter((line) => line.startsWith("DELETE"));
    expect(deleted.sort()).toEqual(
      [
        `DELETE /api_keys/${before.rotated!.id}`,
        `DELETE /ip_policies/${before.club!.id}`,
        `DELETE /ip_policy_rules/${before.careful!.id}`,
        `DELETE /ip_policy_rules/${before.mover!.id}`,
      ].sort(),
    );
    const { ip_policies } = await emulator.state();
    const descriptions = new Map(ip_policies!.map(({ id, description }) => [id, description]));
    expect(descriptions.get(before.retained!.id)).toBe("stays");
    expect(descriptions.get(before.first!.id)).toBe("1");
    expect(descriptions.get(before.transformed!.id)).toBe("2 by transform");
    await stack.previewNoChanges();
  });

  it("rotate an API key by replacementTrigger: it has a new token, and the old one is gone", async () => {
    const { token: next } = await stack.outputs(true);
    expect(next).toMatch(/^emulated_/);
    expect(next).not.toBe(token);
    expect((await emulator.state()).api_keys).toHaveLength(1);
  });

  it("keep what is protected: the preview refuses to delete it", async () => {
    const { output } = await stack.preview({
      args: ["--target-replace", stack.urn("IpPolicy", "second")],
      exitCode: 1,
    });
    expect(output).toMatch(/second[^]*protect/);
    expect(await emulator.requestLines()).toEqual([]);
  });

  it("are joined by --target, which changes nothing else", async () => {
    rewrite(program, body({ ...second, value: "3", trigger: "3" }));
    await stack.up({ args: ["--target", stack.urn("IpPolicy", "transformed")] });
    expect(await writes(emulator)).toEqual({
      [`PATCH /ip_policies/${idOf(stack, "transformed")}`]: { description: "3 by transform" },
    });
  });

  it("make the way out when --target-replace would put a rule beside its twin", async () => {
    rewrite(program, body({ ...second, value: "3" }));
    const target = (name: string) => ["--target-replace", stack.urn("IpPolicyRule", name)];
    const failed = await stack.up({ args: target("mover"), exitCode: 1 });
    expect(failed.output).toMatch(/creating the IP policy rule failed: 409 .*set deleteBeforeReplace/);
    expect(failed.output).not.toMatch(stackTrace);
    await emulator.clearRequests();
    await stack.up({ args: target("careful") });
    expect(await sent(emulator)).toEqual(["DELETE /ip_policy_rules", "POST /ip_policy_rules"]);
    await stack.previewNoChanges();
  });

  it("name aliases where a rule is renamed without them", async () => {
    rewrite(program, body({ ...second, value: "3", ruleName: "renamed" }));
    const { output } = await stack.up({ exitCode: 1 });
    expect(output).toMatch(
      /creating the IP policy rule failed: 409 .*has this cidr and ipPolicyId.*new name.*resource option aliases/,
    );
    expect((await emulator.state()).ip_policy_rules).toHaveLength(4);
  });

  it("replace on changes of what replaceOnChanges names", async () => {
    const own = cjs(`new IpPolicy("office", { description: "a" }, { replaceOnChanges: ["description"] });`);
    const other = await own.stack({ env: emulator.env });
    await other.up();
    rewrite(own, `new IpPolicy("office", { description: "b" }, { replaceOnChanges: ["description"] });`);
    expect((await other.previewJson()).changes.map(({ op }) => op)).toEqual(["replace"]);
  });
});
