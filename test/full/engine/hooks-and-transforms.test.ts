/** Features of the engine that act between the program and the package: resource hooks, transforms and --parallel. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program } from "../../support/engine";
import { cjs, idOf, rewrite } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

const program = (description: string): string => `
  const hook = (name) => new pulumi.ResourceHook(name, (args) => {
    require("node:fs").appendFileSync(__dirname + "/hooks.log", name + " " + args.name + " " + (args.newOutputs ?? args.oldOutputs).description + "\\n");
  });
  const hooks = { afterCreate: [hook("made")], beforeUpdate: [hook("changes")], afterDelete: [hook("gone")] };
  pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
    type.endsWith(":IpPolicy") ? { props: { ...props, metadata: "by a transform" }, opts } : undefined);
  const office = new IpPolicy("office", { description: "${description}" }, { hooks });
  for (let i = 0; i < 12; i += 1)
    new IpPolicyRule("rule" + i, { ipPolicyId: office.id, cidr: "192.0.2." + i + "/32", action: "allow" });
`;

/** What the hooks wrote: their name, the resource and its description. */
function hooksOf({ dir }: Program): string {
  return readFileSync(join(dir, "hooks.log"), "utf8");
}

it("works with resource hooks and transforms, and with --parallel 1 and 64", async () => {
  const emulator = await start();
  const written = cjs(program("offices"), { name: "hooks" });
  const stack = await written.stack({ env: emulator.env });
  await stack.up({ args: ["--parallel", "64"] });
  expect(hooksOf(written)).toContain("made office offices");
  const [policy] = (await emulator.state()).ip_policies!;
  expect(policy).toMatchObject({ id: idOf(stack, "office"), metadata: "by a transform" });
  await stack.previewNoChanges({ args: ["--parallel", "1"] });

  rewrite(written, program("all offices"));
  await stack.up({ args: ["--parallel", "1", "--refresh"] });
  expect(hooksOf(written)).toContain("changes office");
  expect((await emulator.state()).ip_policies).toMatchObject([{ description: "all offices" }]);
  expect((await emulator.state()).ip_policy_rules).toHaveLength(12);

  rewrite(
    written,
    program("all offices")
      .replace(/const office[^;]*;/, "")
      .replace(/for [^;]*;[^;]*;[^;]*;/, ""),
  );
  await stack.up({ args: ["--parallel", "64"] });
  expect(hooksOf(written)).toContain("gone office all offices");
  expect((await emulator.state()).ip_policies).toEqual([]);
});

it("has an error hook repeat an operation that a service refused", async () => {
  const emulator = await start();
  const written = cjs(
    `const again = new pulumi.ErrorHook("again", ({ name, failedOperation, errors }) => {
      require("node:fs").appendFileSync(__dirname + "/hooks.log", failedOperation + " " + name + " " + errors[0] + "\\n");
      return errors.length < 2;
    });
    new IpPolicy("office", { description: "offices" }, { hooks: { onError: [again] } });`,
    { name: "errors" },
  );
  const stack = await written.stack({ env: emulator.env });
  const refusal = { kind: "status", method: "POST", path: "/ip_policies", status: 403 } as const;
  await emulator.setFaults({ rules: [{ ...refusal, times: 1 }] });
  await stack.up();
  expect(hooksOf(written)).toMatch(/^create office .*403/);
  expect((await emulator.state()).ip_policies).toMatchObject([{ description: "offices" }]);
  await stack.previewNoChanges();
});
