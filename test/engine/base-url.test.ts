/** The review of changes of a base URL, which say where the key and all requests go. */
import { EmulatorProcess } from "../support/emulator-process";
import type { Stack } from "../support/engine";
import { reviewText } from "../unit/review/support";
import { cjs, rewrite } from "./support";

const explicit = (url: string, key: string): string =>
  `new IpPolicy("explicit", {}, { provider: new Provider("other", { apiKey: "${key}", baseUrl: "${url}" }) });`;

async function findingsOf(stack: Stack): Promise<string[]> {
  const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
  return reviewText(stdout)
    .findings.filter(({ rule }) => rule === "access/base-url-changed")
    .map(({ severity, type, name, message }) => `${severity} ${type} ${name}: ${message}`);
}

it("reports the base URL of an explicit provider that changes, and of one that is added", async () => {
  const emulator = await EmulatorProcess.start();
  try {
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
  } finally {
    await emulator.stop();
  }
});
