/** What the command line prints of an error may come from a file, a preview or a service. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readable } from "../../../src/resources/registry";
import { startEmulator } from "../../../src/emulator";
import { pulumi } from "../../../src/tools/stack/pulumi";
import { previewOf } from "../review/access-preview";
import { writtenPreview } from "../review/support";
import { runCommandLine } from "../../support/command-line";
import { filesIn, temporaryFolder } from "../../support/folders";
import { servers } from "../../support/servers";

const start = servers();

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
  ["map"],
  ["access"],
  ["access", "--unused", "clients.log"],
  ["access", "--propose", "clients.log"],
  ["access", "--test", "--config", "tests.json"],
])(
  "says of a preview that failed why, and what it lacks, and ends with 1 whatever it finds: %s %s",
  async (...words) => {
    const folder = temporaryFolder("errors");
    const file = filesIn(folder);
    const network = { policies: ["office"], rules: [], edges: { database: ["office"] } };
    const preview = JSON.parse(previewOf(network, network)) as object;
    const diagnostics = [{ severity: "error", message: "no" }];
    const failed = file(
      "preview.json",
      JSON.stringify({ ...preview, changeSummary: { same: 3 }, diagnostics }),
    );
    file("clients.log", "203.0.113.7\n");
    file(
      "tests.json",
      JSON.stringify({ accessTests: [{ resource: "TcpEdge database", allowed: ["203.0.113.7"] }] }),
    );
    const args = words.map((word) => (word.includes(".") ? join(folder, word) : word));
    const { code, stdout, stderr } = await runCommandLine([...args, "--preview", failed], {});
    expect([code, stderr]).toEqual([
      1,
      "The preview failed: no\nThe preview leaves out unchanged resources: run it with --show-sames\n",
    ]);
    expect(stdout).toContain("database");
  },
);

it.each([
  ["map", "is not on the map"],
  ["access", "is left out"],
])("says which object of an account it cannot read: %s", async (command, how) => {
  const { baseUrl } = await start((request, response) => {
    const { pathname } = new URL(request.url!, "http://x");
    const { listKey = "" } = readable.find(({ path }) => path === pathname)!;
    const objects = pathname === "/ip_policies" ? [{ id: "ipp_1", description: 5 }] : [];
    response.end(JSON.stringify({ [listKey]: objects, uri: "https://x.example.com", next_page_uri: null }));
  });
  const env = { TUNNEL_GATEWAY_BASE_URL: baseUrl, TUNNEL_GATEWAY_API_KEY: "key" };
  expect(await runCommandLine([command, "--account"], env)).toMatchObject({
    ...{
      code: 0,
      stderr: expect.stringContaining(`The IP policy ipp_1 ${how}: the member description is `) as string,
    },
  });
});

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
