import type { dynamic } from "@pulumi/pulumi";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { hooksOfType } from "../../../src/provider/dynamic/hooks";
import { startEngine } from "../../support/fake-engine";

// It would end the tests' process with the engine.
jest.mock("../../../src/provider/dynamic/engine", () => ({
  ...jest.requireActual<object>("../../../src/provider/dynamic/engine"),
  watchEngine: () => undefined,
}));

const args = process.argv;
afterAll(() => {
  process.argv = args;
});

// The engine ends right after the last answer of a preview, and loses what it would read from stdout afterwards.
it("a hook answers once the engine has the lines for the user, and prints those that it does not take", async () => {
  const engine = await startEngine();
  process.argv = ["node", "plugin", engine.address];
  const get = (key: string) => (key === "tunnel-gateway:baseUrl" ? "http://127.0.0.1:9" : undefined);
  const hooks = hooksOfType("IpPolicyRule");
  await hooks.configure({ config: { get } as unknown as dynamic.Config });
  const flip = async (id: string): Promise<void> => {
    const rule = { ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "allow" };
    await hooks.diff(id, { ...rule, __args: Object.keys(rule) }, { ...rule, action: "deny" });
  };

  await flip("ipr_1");
  const message: unknown = expect.stringMatching(
    /^IP policy rule ipr_1: 203\.0\.113\.0\/24 changes from allow to deny: /,
  );
  expect(engine.logged).toStrictEqual([{ severity: LogSeverity.INFO, urn: "", message }]);

  await engine.close();
  const printed = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  await flip("ipr_2");
  expect(printed.mock.calls).toStrictEqual([[expect.stringMatching(/^IP policy rule ipr_2: .*\n$/)]]);
  printed.mockRestore();
});
