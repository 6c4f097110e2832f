import type { Emulator, EmulatorOptions } from "../../../src/emulator";
import { startEmulator } from "../../../src/emulator";
import type { Settings } from "../../../src/settings";

/** An emulator for one test, and the settings of its account. */
export function harness(): (
  options?: EmulatorOptions,
) => Promise<{ emulator: Emulator; settings: Partial<Settings> }> {
  const running: Emulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((emulator) => emulator.close()));
  });
  return async (options) => {
    const emulator = await startEmulator(options);
    running.push(emulator);
    return { emulator, settings: { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey } };
  };
}

/** The requests so far, as `METHOD path?query`. */
export function lines({ requests }: Emulator): string[] {
  return requests.map(({ method, path, query }) => {
    const text = new URLSearchParams(query).toString();
    return `${method} ${path}${text === "" ? "" : `?${text}`}`;
  });
}
