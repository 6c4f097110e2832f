import type { Emulator, EmulatorOptions } from "../../../src/emulator";
import type { Settings } from "../../../src/provider/settings/settings";
import { emulators } from "../../support/emulators";

/** An emulator for one test, and the settings of its account. */
export function harness(): (
  options?: EmulatorOptions,
) => Promise<{ emulator: Emulator; settings: Partial<Settings> }> {
  const start = emulators();
  return async (options) => {
    const emulator = await start(options);
    return { emulator, settings: { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey } };
  };
}
