/** The review of changes of a base URL, which say where the key and all requests go. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { baseEnv, withoutPreviewing } from "../../support/pulumi-command";
import { engineSetup } from "../../support/engine-setup";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Stack } from "../../support/engine";
import { reviewText } from "../../tools/review/support";
import { cjs, rewrite } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

const explicit = (url: string, key: string): string =>
  `new IpPolicy("explicit", {}, { provider: new Provider("other", { apiKey: "${key}", baseUrl: "${url}" }) });`;

async function findingsOf(stack: Stack): Promise<string[]> {
  const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
  return reviewText(stdout)
    .findings.filter(({ rule }) => rule === "access/base-url-changed")
    .map(({ severity, type, name, message }) => `${severity} ${type} ${name}: ${message}`);
}

it("reports the base URL of an explicit provider that changes, and of one that is added", async () => {
  const emulator = await start();
  const program = cjs(explicit(emulator.baseUrl, emulator.apiKey), { name: "base-url" });
  const stack = await program.stack({ env: emulator.env });
  expect(await findingsOf(stack)).toEqual([]);
  await stack.up();
  expect(await findingsOf(stack)).toEqual([]);

  rewrite(program, explicit("https://api.example.org", emulator.apiKey));
  expect(await findingsOf(stack)).toEqual([
    `error Provider other: its base URL changes from ${emulator.baseUrl} to https://api.example.org: ` +
      "the API key and all requests go there",
  ]);

  const added = `new IpPolicy("more", {}, { provider: new Provider("third", { baseUrl: "https://api.example.net" }) });`;
  rewrite(program, explicit(emulator.baseUrl, emulator.apiKey) + added);
  expect(await findingsOf(stack)).toEqual([
    "error Provider third: its base URL is https://api.example.net, which no provider had: " +
      "the API key and all requests go there",
  ]);
});

it("reports the base URL of the stack's configuration that changes since the last deployment", async () => {
  const emulator = await start();
  const key = "tunnel-gateway:baseUrl";
  const program = cjs(`new IpPolicy("office", {});`, { name: "configured-url" });
  const config = { [key]: emulator.baseUrl, "tunnel-gateway:apiKey": { secret: emulator.apiKey } };
  const stack = await program.stack({ config });
  const review = () => {
    const bin = join(engineSetup().template, "node_modules/.bin/tunnel-gateway");
    const env = { ...baseEnv(), ...stack.backendEnv };
    const args = [bin, "review", "--stack", stack.name, "--offline"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: program.dir, env, encoding: "utf8" },
    });
    return {
      status,
      stderr: withoutPreviewing(stderr),
      found: stdout.split("\n").filter((line) => line.includes("base-url-changed")),
    };
  };
  expect(review()).toEqual({ status: 0, stderr: "", found: [] });
  await stack.up();
  expect(review()).toEqual({ status: 0, stderr: "", found: [] });

  stack.config({ [key]: "https://api.example.org" });
  const where = `(tunnel-gateway:baseUrl in Pulumi.${stack.name}.yaml)`;
  const what = `access/base-url-changed  Provider default: the base URL of the stack's configuration ${where}`;
  expect(review()).toEqual({
    ...{ status: 3, stderr: "" },
    found: [
      `error   ${what} changes from ${emulator.baseUrl} to https://api.example.org: the API key and all requests go there`,
    ],
  });
  expect(await findingsOf(stack)).toEqual([
    `note Provider default: the base URL of the stack's configuration ${where} is https://api.example.org, and the preview does not ` +
      "show whether that is new: list it as baseUrls in .tunnel-gateway-review.json, or review with --stack",
  ]);
});
