/** Emulators in the process of a test, for as long as its tests need them. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator";
import { duringOneTest, duringTests } from "./during-tests";

const stop = (emulator: Emulator): Promise<void> => emulator.close();

/** One emulator for all tests of a file or a block, with an empty account for each test. */
export function emulatorForTests(options?: EmulatorOptions): Emulator {
  const emulator = sharedEmulator(options);
  beforeEach(() => emulator.reset());
  return emulator;
}

/** One emulator with one account, which all tests of a file or a block share. */
export function sharedEmulator(options?: EmulatorOptions): Emulator {
  return duringTests(() => startEmulator(options), stop);
}

/** Starts emulators, and closes each after the test that started it. */
export function emulators(): (options?: EmulatorOptions) => Promise<Emulator> {
  return duringOneTest(startEmulator, stop);
}
