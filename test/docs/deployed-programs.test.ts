/**
 * Every program that the documentation shows is deployed on the emulator, through the hooks. test/full has the engine
 * deploy them all as one program.
 */
import * as pulumi from "@pulumi/pulumi";
import * as gateway from "../../src";
import { InProcessStack } from "../support/in-process/stack";
import { asFunctionBody, configuration, filesOfPrograms, programs } from "./blocks";
import { sharedEmulator } from "../support/emulators";

const files = filesOfPrograms();
const modules: Readonly<Record<string, unknown>> = {
  "pulumi-tunnel-gateway": gateway,
  "@pulumi/pulumi": pulumi,
  "node:fs": { readFileSync: (name: string) => files[name] },
};

const emulator = sharedEmulator();

/** What the account holds, without what was there before and what the service makes by itself. */
function made(): string[] {
  const { https_edges, tls_edges, users, ssh_certificate_authorities, ...own } = emulator.snapshot();
  expect([https_edges, tls_edges]).toEqual([
    [{ id: configuration.edgeId, routes: [{ id: configuration.routeId }] }],
    [{ id: configuration.tlsEdgeId }],
  ]);
  expect(users).toEqual([]);
  expect(ssh_certificate_authorities!.length).toBeLessThanOrEqual(1);
  return Object.entries(own).flatMap(([collection, objects]) => objects.map(() => collection));
}

it.each(programs().map((block) => [block.where, block] as const))(
  "is deployed, has then nothing left to do, and is destroyed: %s",
  async (_, block) => {
    await emulator.reset();
    await emulator.seed({
      https_edges: [{ id: configuration.edgeId!, routes: [{ id: configuration.routeId! }] }],
      tls_edges: [{ id: configuration.tlsEdgeId! }],
    });
    const own = { ...configuration, partnerApiKey: emulator.apiKey, partnerBaseUrl: emulator.baseUrl };
    const config = Object.fromEntries(Object.entries(own).map(([key, value]) => [`program:${key}`, value]));
    const stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl }, { config });
    const run = (): unknown => {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
      return new Function("exports", "require", `return (async () => {${asFunctionBody(block)}})()`)(
        {},
        (name: string) => modules[name],
      );
    };
    const done = (await stack.up(run)).steps.map(({ op }) => op);
    expect(new Set(done)).toEqual(new Set(["create"]));
    const again = (await stack.up(run)).steps.map(({ op }) => op);
    expect(again).toEqual(done.map(() => "same"));
    const refreshed = (await stack.refresh()).steps.map(({ op }) => op);
    expect(refreshed).toEqual(done.map(() => "same"));
    await stack.destroy();
    expect(made()).toEqual([]);
  },
);
