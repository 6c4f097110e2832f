/**
 * A persistent host of Pulumi's plugin for dynamic resources, for the calls of the CLI that `cli-folder.ts` leads here.
 * Pulumi's own plugin is a Node for each call, which takes half a second of processor time to load the SDK. Each call
 * gets the plugin and this package loaded again, with the environment of the engine. It serves one at a time and refuses
 * the second of a call with two providers. It works in the template's folder and ends with its parent, whose end closes
 * stdin.
 */
const { createRequire } = require("node:module");
const { createServer } = require("node:net");
const { join } = require("node:path");

const load = createRequire(join(process.cwd(), "_"));
const plugin = load.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const own = join(process.cwd(), "node_modules/pulumi-tunnel-gateway/");
for (const name of ["@pulumi/pulumi", "@pulumi/pulumi/proto/provider_grpc_pb", "undici"]) load(name);

/** The connection of the script that the engine started; undefined between two calls. */
let script;

// What the plugin prints is what its script prints, and what it leaves behind ends with its call.
const { write } = process.stdout;
const print = (...args) => (script ? script.write(...args) : write.apply(process.stdout, args));
process.stdout.write = process.stderr.write = print;
const end = process.exit.bind(process);
process.exit = () => undefined; // how the package's plugin outlives its engine
const left = { servers: new Set(), timers: new Set() };
const { Server } = load("@grpc/grpc-js");
remember(Server.prototype, "bindAsync", (server) => left.servers.add(server));
remember(globalThis, "setInterval", (_, timer) => left.timers.add(timer));

function remember(holder, name, note) {
  const original = holder[name];
  holder[name] = function (...args) {
    const result = original.apply(this, args);
    note(this, result);
    return result;
  };
}

const events = ["uncaughtException", "unhandledRejection", "exit"];

function serve(socket, [engine, , ...variables]) {
  script = socket;
  for (const file of Object.keys(require.cache)) {
    if (file === plugin || file.startsWith(own)) delete require.cache[file];
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const variable of variables) {
    const at = variable.indexOf("=");
    process.env[variable.slice(0, at)] = variable.slice(at + 1);
  }
  process.argv = [process.execPath, plugin, engine];
  load(plugin); // it prints the port where it listens
}

function clean() {
  script = undefined;
  for (const server of left.servers) server.forceShutdown();
  for (const timer of left.timers) clearInterval(timer);
  for (const each of Object.values(left)) each.clear();
  for (const event of events) process.removeAllListeners(event);
}

const host = createServer((socket) => {
  let request = "";
  socket.setEncoding("utf8").on("data", (text) => {
    request += text;
    if (!request.endsWith("\0\0")) return;
    if (script === undefined) serve(socket, request.slice(0, -2).split("\0"));
    else socket.destroy();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    if (script === socket) clean();
  });
});
process.stdin.resume().on("end", () => end());
host.listen(0, "127.0.0.1", () => console.log(String(host.address().port)));
