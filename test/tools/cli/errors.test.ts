/** What the command line prints of an error may come from a file, a preview or a service. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../src/emulator";
import { pulumi } from "../../../src/tools/stack/pulumi";
import { writtenPreview } from "../review/support";
import { runCommandLine } from "../../support/command-line";
import { temporaryFolder } from "../../support/folders";

const hostile = "\u001b]0;title\u0007\u009b2J\u202e";

it("prints no control character of a file that it refuses", async () => {
  const folder = temporaryFolder("errors");
  const [config, preview] = [join(folder, "review.json"), join(folder, "preview.json")];
  writeFileSync(config, JSON.stringify({ [hostile]: 1 }));
  writeFileSync(preview, hostile);
  const byConfig = await runCommandLine(["review", preview, "--config", config], {});
  const byPreview = await runCommandLine(["review", preview], {});
  expect(byConfig.stderr).toContain("review.json: \\u001b]0;title\\u0007\\u009b2J\\u202e is not known");
  expect(byPreview.stderr).toContain("the input is not the output of `pulumi preview --json`");
  expect([byConfig, byPreview].map(({ stderr }) => /[^\P{Cc}\n]|\p{Cf}/u.test(stderr))).toEqual([
    false,
    false,
  ]);
});

it.each([["review"], ["map", "--preview"], ["access", "--preview"]])(
  "says of a preview file that cannot be read which one it is, and how to write it: %s %s",
  async (...words) => {
    const file = join(temporaryFolder("errors"), "preview.json");
    const { code, stderr } = await runCommandLine([...words, file], {});
    expect([code, stderr]).toEqual([
      2,
      `the preview ${file} cannot be read (ENOENT): write it with \`pulumi preview --json --show-sames --show-replacement-steps > <file>\`\n`,
    ]);
  },
);

it.each([["review"], ["rehearse"]])(
  "says of an empty preview which command writes one: %s %s",
  async (...words) => {
    const file = join(temporaryFolder("errors"), "preview.json");
    writeFileSync(file, "\n");
    const { code, stderr } = await runCommandLine([...words, file], {});
    expect([code, stderr]).toEqual([
      1,
      `${file}: the preview is empty, so the command before it failed or printed nothing. Use the output of ` +
        "`pulumi preview --json --show-sames --show-replacement-steps`\n",
    ]);
  },
);

it.each([
  ["UTF-16", "\ufeff", "utf16le"],
  ["UTF-16, with the other byte first", "\ufeff", "swapped"],
  ["UTF-8 with a byte order mark", "\ufeff", "utf8"],
])("reads a preview that PowerShell wrote in %s", async (_, mark, encoding) => {
  const text = `${mark}${writtenPreview([{ type: "IpPolicy", name: "Büro", after: { description: "€" } }])}`;
  const bytes =
    encoding === "swapped" ? Buffer.from(text, "utf16le").swap16() : Buffer.from(text, encoding as "utf8");
  const file = join(temporaryFolder("errors"), "preview.json");
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await runCommandLine(["review", file, "--fail-on", "never"], {});
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("IpPolicy Büro");
});

it.each([
  ["review", "-", "--approved"],
  ["review", "-", "--config"],
  ["review", "-", "--clients"],
  ["drift", "--config"],
  ["emulator", "--seed"],
  ["emulator", "--faults"],
])(
  "ends with 2 where the file of an option cannot be read, before any other work: %s %s %s",
  async (...words) => {
    const missing = join(temporaryFolder("errors"), "missing");
    const option = words.at(-1)!;
    const { code, stdout, stderr } = await runCommandLine([...words, missing], {});
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      `the file ${missing} of ${option} does not exist: correct the path\n`,
    ]);
  },
);

it("says of a port in use how to choose another one", async () => {
  const emulator = await startEmulator();
  const { port } = new URL(emulator.baseUrl);
  const { code, stderr } = await runCommandLine(["emulator", "--port", port], {});
  await emulator.close();
  expect([code, stderr]).toEqual([
    1,
    `port ${port} of 127.0.0.1 is in use: stop the process that listens there, or choose another port with --port (--port 0 takes a free one)\n`,
  ]);
});

it("tells a missing Pulumi CLI from a missing folder", async () => {
  const { PATH } = process.env;
  const missing = join(temporaryFolder("errors"), "missing");
  try {
    await expect(pulumi(["version"], { cwd: missing })).rejects.toThrow(
      `the folder ${missing} does not exist: correct --cwd`,
    );
    process.env.PATH = missing;
    await expect(pulumi(["version"])).rejects.toThrow(
      "the Pulumi CLI is not on the PATH: install it (https://www.pulumi.com/docs/install/), and open a new shell",
    );
  } finally {
    process.env.PATH = PATH;
  }
});

it("says of every command that the folder of --cwd does not exist, and import creates none", async () => {
  const missing = join(temporaryFolder("errors"), "missing");
  const env = { TUNNEL_GATEWAY_BASE_URL: "http://127.0.0.1:9", TUNNEL_GATEWAY_API_KEY: "key" };
  for (const words of [
    ["list", "ip-policies"],
    ["import"],
    ["import", "--run"],
    ["import", "IpPolicy", "a", "ipp_1"],
  ]) {
    const { code, stderr } = await runCommandLine([...words, "--stack", "production", "--cwd", missing], env);
    expect([words, code, stderr]).toEqual([
      words,
      1,
      expect.stringContaining(`the folder ${missing} does not exist: correct --cwd\n`),
    ]);
    expect(existsSync(missing)).toBe(false);
  }
});

it("says of --json, which other commands have, what review has", async () => {
  const { code, stderr } = await runCommandLine(["review", "-", "--json"], {});
  expect([code, stderr]).toEqual([2, "review has no --json: did you mean --output json?\n"]);
});

it("says what an id looks like", async () => {
  const env = { TUNNEL_GATEWAY_BASE_URL: "http://127.0.0.1:9", TUNNEL_GATEWAY_API_KEY: "key" };
  const printed = async (...words: string[]) => {
    const { code, stderr } = await runCommandLine(["get", ...words], env);
    return code === 2 ? stderr : code;
  };
  expect(await printed("ip-policies", "1")).toBe(
    'the id of the IP policy must be an id that starts with ipp_; got "1"\n',
  );
  expect(await printed("https-edge-route-oidc", "edghts_1/a b")).toContain(
    '"edghts_1/a b" is not a valid id; it must have the form <edgeId>/<routeId>',
  );
});
