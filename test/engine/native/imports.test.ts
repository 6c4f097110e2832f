/** `pulumi import` by id and the resource option `import`. */
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { preludeOf, resources } from "../support";

const emulator = EmulatorProcess.forTests();

const rule = (opts: string): string => `
  ${preludeOf("/native")}
  new IpPolicyRule("berlin", { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" }, ${opts});
`;

let stack: Stack;

beforeAll(async () => {
  await emulator.seed({
    ip_policies: [{ id: "ipp_office", description: "office" }],
    ip_policy_rules: [
      { id: "ipr_berlin", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
    ],
  });
});
beforeEach(async () => {
  const program = new Program({ kind: "cjs", door: "native", files: rule("{}") });
  stack = await program.stack({ config: emulator.config });
  await emulator.clearRequests();
});

const importing = (id: string, exitCode: number) =>
  stack.pulumi(
    ["import", "tunnel-gateway:index:IpPolicyRule", "berlin", id, "--stack", stack.name].concat([
      "--yes",
      "--skip-preview",
      "--generate-code=false",
      "--protect=false",
    ]),
    { exitCode },
  );

it("imports an object by its id with one read, and its arguments", async () => {
  await importing("ipr_berlin", 0);
  expect(await emulator.requestLines()).toEqual(["GET /ip_policy_rules/ipr_berlin"]);
  await stack.previewNoChanges();
});

it("imports by the resource option", async () => {
  stack.program.write(rule('{ import: "ipr_berlin" }'));
  expect((await stack.previewJson()).ops).toEqual(["import berlin"]);
  stack.config({ "tunnel-gateway:retryTimout": { secret: "s3cret" } });
  const { output } = await stack.up();
  // Pulumi shows a warning beside the row of its resource, and once more at the end.
  expect(
    output.match(/^ +warning: tunnel-gateway:retryTimout .* mean tunnel-gateway:retryTimeout\?/gm),
  ).toHaveLength(1);
  expect(output).not.toContain("s3cret");
  stack.program.write(rule("{}"));
  await stack.previewNoChanges();
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
});

it("refuses arguments beside the resource option that would replace the object", async () => {
  stack.program.write(rule('{ import: "ipr_berlin" }').replace('"allow"', '"deny"'));
  const { output } = await stack.up({ exitCode: "any" });
  expect(output).toMatch(/may not be replaced[^]*action: \{allow\} => \{deny\}/);
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
});

it("refuses an id that does not exist, with the reason", async () => {
  const { output } = await importing("ipr_paris", 1);
  expect(output).toMatch(/the IP policy rule ipr_paris does not exist in the account at/);
  expect(output).not.toContain("please try updating");
  expect(resources(stack)).toEqual({});
});
