/**
 * A persistent language host, for the calls of the CLI that `cli-folder.ts` leads here: it runs the program of the call's
 * folder as Pulumi's Automation API runs inline programs. Pulumi's own host starts a Node for each run, which takes more
 * than half a second of processor time to load the SDK and the compiler. It translates TypeScript as Pulumi does without
 * type checks. Each run gets the package, the program's modules, the environment and the working folder anew. It works in
 * the template's folder and ends with its parent, whose end closes stdin.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const { readFileSync } = require("node:fs");
const { createRequire, flushCompileCache } = require("node:module");
const { createServer } = require("node:net");
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

/** The environment of each run, and the script that the engine started for it: several may run at the same time. */
const runs = new AsyncLocalStorage();
const { env } = process;
Object.defineProperty(process, "env", { get: () => runs.getStore()?.environment ?? env });
// What the program prints is what the script prints.
for (const stream of [process.stdout, process.stderr]) {
  const { write } = stream;
  stream.write = (...args) => {
    const run = runs.getStore();
    return run ? run.script.write(...args) : write.apply(stream, args);
  };
}

// A resource's line is that of the source, as in Pulumi's own host.
load("source-map-support").install({ hookRequire: true, handleUncaughtExceptions: false });
require.extensions[".ts"] = (module, file) => {
  const { transpile, ModuleKind, ScriptTarget } = load("typescript");
  const [target, kind] = [ScriptTarget.ES2022, ModuleKind.CommonJS];
  const options = { module: kind, target, esModuleInterop: true, inlineSourceMap: true, inlineSources: true };
  module._compile(transpile(readFileSync(file, "utf8"), options, file), file);
};

function runProgram(folder) {
  for (const file of Object.keys(require.cache)) {
    if (!file.startsWith(kept) || file.startsWith(own)) delete require.cache[file];
  }
  process.chdir(folder);
  const exported = createRequire(join(folder, "_"))(folder);
  return typeof exported === "function" ? exported() : exported;
}

class Host {
  constructor(engine, context) {
    this.engine = engine;
    this.context = context;
  }

  run(call, answer) {
    const { request } = call;
    request.setArgsList([this.engine]); // where an inline program finds it
    const ended = (error, response) => {
      if (error) retire();
      answer(error, response);
    };
    runs.run(this.context, () =>
      new LanguageServer(() => Promise.resolve(runProgram(request.getPwd()))).run(call, ended),
    );
  }

  getRequiredPlugins(call, answer) {
    new LanguageServer().getRequiredPlugins(call, answer);
  }

  getPluginInfo(call, answer) {
    new LanguageServer().getPluginInfo(call, answer);
  }
}

/** A program with an SDK of its own is for Pulumi's own host. */
function usesTemplate(folder) {
  try {
    return createRequire(join(folder, "_")).resolve("@pulumi/pulumi").startsWith(kept);
  } catch {
    return false;
  }
}

function serve(script, [engine, folder, ...variables]) {
  if (!usesTemplate(folder)) return script.destroy();
  const environment = Object.fromEntries(variables.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
  server.addService(LanguageRuntimeService, new Host(engine, { script, environment }));
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) script.destroy();
    else script.write(`${port}\n`);
  });
  script.on("close", () => server.forceShutdown());
}

// An error after the CLI was killed must not end the host.
process.on("uncaughtException", () => undefined);
process.stdin.resume().on("end", () => process.exit());

const host = createServer((script) => {
  let request = "";
  script.setEncoding("utf8").on("data", (text) => {
    request += text;
    if (request.endsWith("\0\0")) serve(script, request.slice(0, -2).split("\0"));
  });
  script.on("error", () => undefined);
});
host.listen(0, "127.0.0.1", () => console.log(String(host.address().port)));

/** A program that fails can leave promises that never settle: the next call gets another host. */
function retire() {
  host.close(() => process.exit());
}
