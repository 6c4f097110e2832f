import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { median } from "./statistics.mjs";

const settings = { apiKey: "a-key", baseUrl: "http://127.0.0.1:9" };
const type = "IpPolicy";

/** Milliseconds from the start of each door's plugin until it listens, and until it has answered a check; in turns. */
export async function startTimes(dir, times) {
  const engine = clientOf(dir);
  const all = [];
  for (let i = 0; i < times; i++) {
    const turn = {};
    for (const [name, plugin] of Object.entries(pluginsOf(dir)))
      turn[name] = await started(dir, plugin, engine);
    all.push(turn);
  }
  const medians = (door) =>
    Object.fromEntries(
      ["listens", "answers"].map((moment) => [moment, median(all.map((turn) => turn[door][moment]))]),
    );
  return { times, native: medians("native"), dynamic: medians("dynamic") };
}

/** The executables that Pulumi starts, and what it sends them. */
function pluginsOf(dir) {
  const modules = join(dir, "node_modules");
  const own = join(modules, "pulumi-tunnel-gateway/dist");
  const load = createRequire(join(dir, "_"));
  const { nativeTokenPrefix, shimOf, tokenPrefix } = load(join(own, "program/shim.js"));
  const named = Object.entries(settings).map(([name, value]) => [`tunnel-gateway:${name}`, value]);
  return {
    dynamic: {
      command: join(modules, "@pulumi/pulumi/pulumi-resource-pulumi-nodejs"),
      config: Object.fromEntries(named),
      token: tokenPrefix + type,
      inputs: { __provider: shimOf(type) },
    },
    native: {
      command: join(own, "native/pulumi-resource-tunnel-gateway"),
      config: settings,
      token: nativeTokenPrefix + type,
      inputs: {},
    },
  };
}

async function started(dir, { command, config, token, inputs }, engine) {
  const begin = performance.now();
  // The dynamic plugin is a shell with a process of its own.
  const child = spawn(command, ["127.0.0.1:1"], {
    cwd: dir,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  try {
    const [port] = await once(createInterface(child.stdout), "line");
    const listens = performance.now() - begin;
    await engine.check(port, config, token, { ...inputs, description: "d" });
    return { listens, answers: performance.now() - begin };
  } finally {
    const ended = once(child, "close");
    if (child.pid !== undefined) process.kill(-child.pid);
    await ended;
  }
}

/** The calls of an engine, with the protocol of the project's SDK. */
function clientOf(dir) {
  const load = createRequire(createRequire(join(dir, "_")).resolve("@pulumi/pulumi"));
  const grpc = load("@grpc/grpc-js");
  const { ResourceProviderClient } = load("@pulumi/pulumi/proto/provider_grpc_pb");
  const messages = load("@pulumi/pulumi/proto/provider_pb");
  const { Struct } = load("google-protobuf/google/protobuf/struct_pb");
  return {
    async check(port, config, token, inputs) {
      const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
      const call = (method, request) =>
        new Promise((done, fail) => {
          client[method](request, (error, answer) => (error ? fail(error) : done(answer)));
        });
      try {
        await call("configure", new messages.ConfigureRequest().setArgs(Struct.fromJavaScript(config)));
        const urn = `urn:pulumi:bench::bench::${token}::one`;
        const request = new messages.CheckRequest().setUrn(urn).setType(token);
        request.setOlds(Struct.fromJavaScript({})).setNews(Struct.fromJavaScript(inputs));
        const failures = (await call("check", request)).getFailuresList();
        if (failures.length > 0) throw new Error(failures.map((each) => each.getReason()).join("\n"));
      } finally {
        client.close();
      }
    },
  };
}
