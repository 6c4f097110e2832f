import * as fc from "../../../support/fast-check";
import { declarations } from "../../../../src/resources/registry";
import { account, argumentsOf, isAccepted, seed, type Json } from "./arbitraries";
import { sharedEmulator } from "../../../support/emulators";
import { plain } from "../../../support/in-process/values";
import { configuredHooks } from "../../../support/configured-hooks";
import { cases } from "../../../support/cases";

interface Answers {
  check: { inputs: Json; failures?: { reason: string }[] };
  create: { id: string; outs: Json };
  read: { id: string; props: Json; inputs?: Json };
  diff: { changes: boolean; replaces: string[] };
  delete: undefined;
}

const emulator = sharedEmulator();
beforeAll(() => emulator.seed(account));

let processes = 0;

/** The hooks of a type in a process of their own, as each operation of Pulumi has one; secrets are in plaintext. */
function life(type: string) {
  processes += 1; // connections are shared by equal settings
  const { apiKey, baseUrl } = emulator;
  const hooks = configuredHooks(type, { apiKey, baseUrl, retryTimeout: String(300 + processes) });
  return async <N extends keyof Answers>(name: N, ...values: unknown[]): Promise<Answers[N]> =>
    plain(await hooks(name)(...values)) as Answers[N];
}

describe.each(declarations.map((declaration) => [declaration.type, declaration] as const))(
  "any valid %s",
  (type, declaration) => {
    const args = argumentsOf(declaration);

    it("is checked to what a second check leaves alone", async () => {
      const hook = life(type);
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const first = await hook("check", {}, given);
          expect(first.failures).toBeUndefined();
          expect(await hook("check", first.inputs, first.inputs)).toEqual(first);
          expect(await hook("check", first.inputs, given)).toEqual(first);
        }),
        { seed, numRuns: cases(8, 80) },
      );
    });

    it("is created, read and found unchanged", async () => {
      await fc.assert(
        fc.asyncProperty(
          args.filter((each) => isAccepted(type, each)),
          async (given) => {
            const hook = life(type);
            const { inputs } = await hook("check", {}, given);
            const { id, outs } = await hook("create", inputs);
            try {
              const unchanged = { changes: false, replaces: [] };
              expect(await hook("diff", id, outs, inputs)).toMatchObject(unchanged);
              const found = await hook("read", id, outs);
              expect(found).toEqual({ id, props: outs });
              expect(await hook("diff", id, found.props, inputs)).toMatchObject(unchanged);
            } finally {
              await life(type)("delete", id, outs);
            }
          },
        ),
        { seed, numRuns: cases(6, 50) },
      );
    });
  },
);
