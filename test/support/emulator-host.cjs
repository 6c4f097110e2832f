/**
 * The emulators of the installed package for all test files of a jest worker, each with a port and an account of its own. An
 * emulator ends with the connection that asked for it. It works in the template's folder and ends with its parent, whose end
 * closes stdin.
 */
const { createRequire } = require("node:module");
const { createServer } = require("node:net");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const load = createRequire(join(process.cwd(), "_"));
const { startEmulator } = load("pulumi-tunnel-gateway/emulator");

async function serve(socket, options, ended) {
  try {
    const { close, baseUrl, apiKey, userId } = await startEmulator(options);
    socket.write(`${JSON.stringify({ baseUrl, apiKey, userId })}\n`);
    await ended;
    await close();
  } catch (error) {
    console.error(error);
  }
  socket.end();
}

const host = createServer({ allowHalfOpen: true }, (socket) => {
  const lines = createInterface(socket);
  const ended = new Promise((resolve) => lines.once("close", resolve));
  lines.once("line", (options) => serve(socket, JSON.parse(options), ended));
});
process.stdin.resume().on("end", () => process.exit());
host.listen(0, "127.0.0.1", () => console.log(String(host.address().port)));
