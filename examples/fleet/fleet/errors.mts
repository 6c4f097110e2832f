/** Something that the user can correct: its message is all there is to say, without a stack trace. */
export class UserError extends Error {}

/** Runs a program and sets its exit code. */
export async function runMain(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}
