import { RunError } from "@pulumi/pulumi";

/**
 * An error that ends a Pulumi program with its message alone. Pulumi prints the stack of an error that comes after the
 * program's own code ended, so it has none.
 */
export function programError(message: string): RunError {
  const error = new RunError(message);
  delete error.stack;
  return error;
}
