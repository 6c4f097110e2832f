/** Numbers and names that pages state in sentences are those of the code. Tables of options and settings are generated. */
import { startEmulator } from "../../src/emulator";
import { readSettings } from "../../src/provider/settings/read-settings";
import { requiredNode } from "../../src/provider/version";
import { pages, textOf } from "../support/documentation/blocks";

const settings = readSettings(
  { get: () => undefined },
  { TUNNEL_GATEWAY_API_KEY: "key", TUNNEL_GATEWAY_BASE_URL: "https://api.example.com" },
);
const text = pages()
  .filter((page) => page !== "CHANGELOG.md")
  .map(textOf)
  .join("\n");

it("states the defaults of settings as they are", () => {
  const stated = [...text.matchAll(/`(\w+)`\s+\(([\d,]+)(?: seconds)?\)/g)]
    .map(([, name, value]) => [name!, Number(value!.replaceAll(",", ""))] as const)
    .filter(([name]) => name in settings);
  expect(stated.length).toBeGreaterThanOrEqual(4);
  expect(stated.filter(([name, value]) => settings[name as keyof typeof settings] !== value)).toEqual([]);
});

it("states the required version of Node.js as it is", () => {
  const [major, minor] = requiredNode.split(".");
  const stated = [...text.matchAll(/Node(?:\.js)? +\|? *(22(?:\.\d+)+)/g)].map(([, version]) => version);
  expect(stated.length).toBeGreaterThanOrEqual(4);
  expect(stated.filter((version) => ![requiredNode, `${major}.${minor}`].includes(version!))).toEqual([]);
});

it("states the emulator's own key as it is", async () => {
  const emulator = await startEmulator();
  await emulator.close();
  const stated = [...text.matchAll(/emulator-key[\w-]*/g)].map(([key]) => key);
  expect(stated.length).toBeGreaterThanOrEqual(4);
  expect([...new Set(stated)]).toEqual([emulator.apiKey]);
});
