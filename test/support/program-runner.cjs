/**
 * A persistent language host: for every call with `--client` it runs the plain program of the call's folder, as
 * Pulumi's Automation API runs inline programs. Pulumi's own host starts a Node for each run, which takes a second of
 * processor time to load the SDK. It works in the template's folder and ends with its parent, whose end closes stdin.
 */
const { readFileSync } = require("node:fs");
const { createRequire, flushCompileCache } = require("node:module");
const { join } = require("node:path");

const load = createRequire(join(process.cwd(), "_"));
const grpc = load("@grpc/grpc-js");
const { LanguageServer } = load("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = load("@pulumi/pulumi/proto/language_grpc_pb");
// The modules that plugins load: plugins are killed, so they write nothing into the cache of compiled code.
for (const name of ["provider_grpc_pb", "analyzer_grpc_pb", "plugin_pb"])
  load(`@pulumi/pulumi/proto/${name}`);
for (const name of ["pulumi-tunnel-gateway/provider", "undici", "zod"]) load(name);
flushCompileCache();

const kept = join(process.cwd(), "node_modules/");
const own = join(kept, "pulumi-tunnel-gateway/");

/** Runs the program in the environment of the call, with this package and the program's modules loaded again. */
function runProgram(folder) {
  for (const file of Object.keys(require.cache)) {
    if (!file.startsWith(kept) || file.startsWith(own)) delete require.cache[file];
  }
  const environment = JSON.parse(readFileSync(join(folder, process.argv[2]), "utf8"));
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const exported = createRequire(join(folder, "_"))(folder);
  return typeof exported === "function" ? exported() : exported;
}

class Host {
  run(call, callback) {
    new LanguageServer(() => Promise.resolve(runProgram(call.request.getPwd()))).run(call, callback);
  }
  getRequiredPlugins(call, callback) {
    new LanguageServer().getRequiredPlugins(call, callback);
  }
  getPluginInfo(call, callback) {
    new LanguageServer().getPluginInfo(call, callback);
  }
}

// An error after the CLI was killed must not end the host.
process.on("uncaughtException", () => undefined);
process.stdin.resume().on("end", () => process.exit());

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(LanguageRuntimeService, new Host());
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
