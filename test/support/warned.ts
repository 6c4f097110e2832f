/** What a program warns of without a resource, as each run of Pulumi shows it. */
import * as pulumi from "@pulumi/pulumi";

/** Runs a program with mocks and a configuration, as a run of its own, and returns its warnings. */
export async function warnedIn(
  program: () => unknown,
  config: Readonly<Record<string, string>>,
): Promise<string[]> {
  const warnings: string[] = [];
  const warn = jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
    warnings.push(text);
    return Promise.resolve();
  });
  pulumi.runtime.setAllConfig({ ...config });
  await pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }), call: () => ({}) },
    "shop",
    "dev",
  );
  try {
    await program();
    // Pulumi's own declarations leave out the function that waits.
    await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
    return warnings;
  } finally {
    warn.mockRestore();
    pulumi.runtime.setAllConfig({});
  }
}
