/** Native providers whose name is that of a default provider of another version, on the real engine. */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, rewrite } from "../../engine/support";

/** A resource that goes around the classes, which refuse such names and take no version. */
const note = (options: string): string =>
  `new (class extends pulumi.Resource {})("tunnel-gateway:index:TunnelGroupBackend", "note", true, ` +
  `{ labels: { a: "b" } }, ${options});`;
const registered = (url: string): string =>
  `const provider = new pulumi.ProviderResource("tunnel-gateway", "default_0_0_9", { baseUrl: "${url}" });` +
  note("{ provider }");
const ofAnotherVersion = note('{ version: "0.0.9" }');

describe("a native provider with the name of another version's default one", () => {
  const emulator = EmulatorProcess.forTests();
  const attacker = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs("", { door: "native" });
    const { apiKey, config } = emulator;
    stack = await program.stack({ config, env: { TUNNEL_GATEWAY_API_KEY: apiKey } });
  });

  async function previewOf(body: string): Promise<string> {
    rewrite(program, body);
    return (await stack.previewJson()).result.stdout;
  }

  /** The errors of a review of the preview. */
  async function errorsOf(preview: string): Promise<string[]> {
    program.write({
      "preview.json": preview,
      "settings.json": JSON.stringify({ baseUrls: [emulator.baseUrl] }),
    });
    const args = ["review", "preview.json", "--config", "settings.json", "--output", "json"];
    const { exitCode, stdout } = await tunnelGateway(program, undefined, args);
    expect(exitCode).toBe(3);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
    return findings
      .filter(({ severity }) => severity === "error")
      .map(({ rule, type, name }) => `${rule} ${type} ${name}`);
  }

  it("is an error, whether the program registers it or the engine makes it: no preview tells them apart", async () => {
    const previews = [await previewOf(registered(attacker.baseUrl)), await previewOf(ofAnotherVersion)];
    const [one, other] = previews.map(statesIn);
    expect(one).toHaveLength(2);
    expect(one).toEqual(other);
    for (const preview of previews)
      expect(await errorsOf(preview)).toEqual(["access/base-url-changed Provider default_0_0_9"]);
    expect(await attacker.requestLines()).toEqual([]);
  });
});

/** What a preview says of its resources, without their places in the program. */
function statesIn(preview: string): unknown[] {
  const { steps } = JSON.parse(preview) as { steps: { newState: object }[] };
  return steps.map((step) => ({
    ...step,
    newState: { ...step.newState, sourcePosition: undefined, stackTrace: undefined },
  }));
}
