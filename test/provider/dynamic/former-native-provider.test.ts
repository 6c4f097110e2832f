/** The deployment in which a native provider becomes one of dynamic resources: the engine still gives it the old inputs. */
import { hooksOf } from "../../../src/provider/dynamic";
import { emulatorForTests } from "../../support/emulators";

const emulator = emulatorForTests();

/** Hooks of a plugin that gets these settings, as Pulumi's class for them holds and reads them. */
function configured(rawConfig: Readonly<Record<string, unknown>>) {
  const get = (key: string): string | undefined =>
    rawConfig[key.includes(":") ? key : `project:${key}`] as string | undefined;
  const config = { rawConfig, get, require: (key: string) => get(key)! };
  return hooksOf("IpPolicy", config);
}

it("works with the names of the native provider's inputs", async () => {
  const hooks = configured({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, requestTimeout: 5 });
  const { id } = (await hooks("create")({ description: "office" })) as { id: string };
  expect(id).toMatch(/^ipp_/);
});

it("prefers the names of a configuration", async () => {
  const { apiKey, baseUrl } = emulator;
  const hooks = configured({
    "tunnel-gateway:apiKey": apiKey,
    "tunnel-gateway:baseUrl": baseUrl,
    apiKey: "of another account",
  });
  await hooks("create")({});
  expect(emulator.requests).toHaveLength(1);
});
