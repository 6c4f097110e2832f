import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator";

/** Starts emulators in this process, and closes each after the test that started it. */
export function emulators(): (options?: EmulatorOptions) => Promise<Emulator> {
  const running: Emulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((emulator) => emulator.close()));
  });
  return async (options) => {
    const emulator = await startEmulator(options);
    running.push(emulator);
    return emulator;
  };
}
