import { EmulatorProcess } from "../support/emulator-process";
import type { Program, Result, Stack } from "../support/engine";
import { cjs, idOf, resources, rewrite } from "./support";

describe("secrets", () => {
  const stackKey = "STACK-KEY-0123456789abcdef";
  const body = (description: string, extra = "") => `
    const office = new IpPolicy("office", { description: "${description}" });
    const key = new ApiKey("pipeline", { description: "${description}" });
    exports.token = key.token;
    ${extra}
  `;
  const results: Result[] = [];
  const emulator = EmulatorProcess.forTests({ apiKey: stackKey });
  let program: Program;
  let stack: Stack;
  let token: string;

  beforeAll(async () => {
    program = cjs(body("first"));
    stack = await program.stack({ config: emulator.config });
    // All that a user ever sees, and what the engine logs at its most talkative.
    results.push(await stack.up({ args: ["--diff", "--logtostderr", "-v=9"] }));
    token = (await stack.outputs(true)).token as string;
  });

  /** At -v=9 the engine traces what it exchanges with any provider, in clear; all else must hold no secret. */
  const ownTrace =
    /"msg":"(eventSink::\w+\(<\{%reset%\}>)?((Unm|M)arshaling property for RPC|RegisterResource RPC finished)/;
  const withoutOwnTrace = (text: string) =>
    text
      .split("\n")
      .filter((line) => !ownTrace.test(line))
      .join("\n");

  function expectNothingSecretIn(text: string): void {
    expect(token).toMatch(/^emulated_/);
    const lines = text
      .split("\n")
      .filter((line) => [token, stackKey].some((secret) => line.includes(secret)));
    expect(lines.map((line) => line.slice(0, 300))).toEqual([]);
  }

  it("lie encrypted in the state, though the program marked none of them", async () => {
    const exported = await stack.exportState();
    expectNothingSecretIn(JSON.stringify(exported));
    expectNothingSecretIn(stack.stateText());
    const { pipeline } = resources(stack);
    expect(pipeline!.outputs!.token).toHaveProperty("ciphertext");
    for (const { inputs } of Object.values(resources(stack)))
      expect(inputs!.__provider).not.toContain("token");
    expect(await stack.outputs()).toEqual({ token: "[secret]" });
  });

  it("are in no output and no log of preview, up and refresh, but for the engine's own trace of its calls", async () => {
    await emulator.api("PATCH", `/api_keys/${idOf(stack, "pipeline")}`, { description: "by hand" });
    results.push(await stack.refresh({ args: ["--diff", "--logtostderr", "-v=9"] }));
    rewrite(program, body("second"));
    results.push(await stack.preview({ args: ["--diff", "--logtostderr", "-v=9"] }));
    results.push(await stack.preview({ args: ["--json"] }));
    results.push(await stack.up({ args: ["--show-full-output", "--show-reads", "--show-sames"] }));
    for (const { output } of results) expectNothingSecretIn(withoutOwnTrace(output));
    expectNothingSecretIn(stack.stateText());
    expect((await stack.outputs(true)).token).toBe(token);
  });

  it("are taken out of a refusal in which the service repeats them", async () => {
    const msg = `the key ${stackKey} and the token ${token} may not do this`;
    await emulator.setFaults({
      rules: [
        {
          kind: "status",
          status: 403,
          method: "PATCH",
          path: "/api_keys",
          body: { error_code: "ERR_X", msg },
        },
      ],
    });
    rewrite(program, body("third"));
    const failed = await stack.up({ exitCode: 1 });
    expect(failed.output).toContain("may not do this");
    expect(failed.output).toContain("403 ERR_X");
    expectNothingSecretIn(failed.output);
    await emulator.setFaults();
    await stack.up();
    expect((await stack.outputs(true)).token).toBe(token);
  });
});
