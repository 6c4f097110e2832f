import { asFunctionBody, configuration, filesOfPrograms, programs } from "../docs/blocks";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { ConfigValue, Stack } from "../support/engine";

/**
 * One program of all that the documentation shows. Each example gets configuration and resource names of its
 * own, so that two of them may both call a policy "office".
 */
const main = `
const pulumi = require("@pulumi/pulumi");
const gateway = require("pulumi-tunnel-gateway");

function requireFor(example) {
  class Config extends pulumi.Config {
    constructor(name) {
      super(name ?? example);
    }
  }
  const named = (type) =>
    new Proxy(type, {
      construct: (target, [name, ...rest]) => new target(example + "-" + name, ...rest),
    });
  const classes = Object.entries(gateway).map(([name, value]) => [name, typeof value === "function" ? named(value) : value]);
  const modules = { "@pulumi/pulumi": { ...pulumi, Config }, "pulumi-tunnel-gateway": Object.fromEntries(classes) };
  return (name) => modules[name] ?? require(name);
}

module.exports = async () => {
${programs()
  .map(
    (block, i) =>
      `  // ${block.where}\n  await (async (exports, require) => {\n${asFunctionBody(block)}\n  })({}, requireFor("example${i}"));`,
  )
  .join("\n")}
};
`;

describe("the examples of the documentation, as one program", () => {
  const emulator = EmulatorProcess.forTests();
  let stack: Stack;

  beforeAll(async () => {
    const examples = programs().map((_, i) => i);
    await emulator.seed({
      https_edges: [
        { id: configuration.edgeId!, routes: examples.map((i) => ({ id: `${configuration.routeId}${i}` })) },
      ],
      tls_edges: examples.map((i) => ({ id: `${configuration.tlsEdgeId}${i}` })),
    });
    const program = new Program({ kind: "cjs", files: { "index.js": main, ...filesOfPrograms() } });
    stack = await program.stack({
      config: {
        ...emulator.config,
        ...Object.fromEntries(examples.flatMap((i) => Object.entries(configurationOf(i)))),
      },
    });
  });

  /** A route and an edge for each example, since a route takes one module that signs users in. */
  function configurationOf(i: number): Record<string, ConfigValue> {
    const own = {
      ...configuration,
      routeId: `${configuration.routeId}${i}`,
      tlsEdgeId: `${configuration.tlsEdgeId}${i}`,
      partnerApiKey: emulator.apiKey,
      partnerBaseUrl: emulator.baseUrl,
    };
    return Object.fromEntries(Object.entries(own).map(([name, value]) => [`example${i}:${name}`, value]));
  }

  it("is previewed as creations, without a request", async () => {
    const { changes } = await stack.previewJson();
    expect(changes.length).toBeGreaterThan(programs().length);
    expect(new Set(changes.map(({ op }) => op))).toEqual(new Set(["create"]));
    expect(await emulator.requestLines()).toEqual([]);
  });

  it("is deployed, and then has nothing left to do", async () => {
    await stack.up();
    await stack.previewNoChanges();
    await stack.refresh({ args: ["--expect-no-changes"] });
  });

  it("is destroyed, and leaves only what was there before", async () => {
    await stack.destroy();
    const { https_edges, tls_edges, users, ssh_certificate_authorities, ...made } = await emulator.state();
    expect(Object.entries(made).filter(([, objects]) => objects.length > 0)).toEqual([]);
    expect(https_edges![0]!.routes).toEqual(
      programs().map((_, i) => ({ id: `${configuration.routeId}${i}` })),
    );
    expect(tls_edges).toHaveLength(programs().length);
    expect(users).toEqual([]);
    expect(ssh_certificate_authorities!.length).toBeLessThanOrEqual(1);
  });
});
