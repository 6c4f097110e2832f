/** The programs of JSDoc and pages that read an account, command agents or start an emulator: each is run. */
import { spawnSync } from "node:child_process";
import { lockFile, sha256Of } from "../../src/program/ranges/lock-file";
import { readers, programOf, scriptOfBlock, withEmulator } from "../support/documentation/others";
import { smallAccount } from "../support/documentation/account";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { baseEnv } from "../support/pulumi-command";

/** What `ranges pull` writes for the sources of docs/large-accounts.md. */
function pulledRanges(): string {
  const ranges = ["198.51.100.0/24", "2001:db8::/32"];
  const sourceOf = (name: string) => ({
    url: `https://ranges.example.com/${name}.txt`,
    date: "2026-11-21T10:11:12Z",
    sha256: sha256Of(ranges),
    ranges,
  });
  const sources = { builds: sourceOf("builds"), threats: sourceOf("threats") };
  return JSON.stringify({ version: 1, sources });
}

describe("the programs of the documentation without resources", () => {
  const emulator = EmulatorProcess.forTests();
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed(smallAccount());
    const program = new Program({
      kind: "cjs",
      files: { "index.js": programOf(readers(), emulator.baseUrl), [lockFile]: pulledRanges() },
    });
    stack = await program.stack({
      config: {
        ...emulator.config,
        partnerApiKey: { secret: emulator.apiKey },
        partnerBaseUrl: emulator.baseUrl,
      },
      env: { AUDIT_KEY: emulator.apiKey },
    });
  });

  it("read what the account holds, and command its agents", async () => {
    const { output } = await stack.up();
    const outputs = await stack.outputs();
    const exported = Object.assign({}, ...readers().map(({ where }) => outputs[where])) as Record<
      string,
      unknown
    >;
    expect(exported).toMatchObject({
      ends: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      policyId: "ipp_office",
      theirs: [expect.objectContaining({ name: "deployer" })],
      keys: [expect.objectContaining({ description: "used by the audit" })],
    });
    expect(outputs.mocked).toEqual(["ipp_office"]);
    expect(output).toContain("203.0.113.0/24");
    expect(output).not.toContain("203.0.113.128/25");
    expect(output).toMatch(/ts_\w+ updated/);
  });

  it.each(withEmulator().map((block) => [block.where, block] as const))(
    "start an emulator: %s",
    (_, block) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", scriptOfBlock(block)], {
        cwd: engineSetup().template,
        env: baseEnv(),
        encoding: "utf8",
        timeout: 60_000,
      });
      expect([status, stderr]).toEqual([0, ""]);
      if (block.code.includes("console.log")) expect(stdout).toMatch(/^ipp_\w+\n$/);
    },
  );
});
