import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What the process runs; it ends with its parent, whose end closes stdin. */
const script = `
  const { startEmulator } = require("pulumi-tunnel-gateway/emulator");
  process.stdin.resume().on("end", () => process.exit());
  const { count, options } = JSON.parse(process.argv[1]);
  Promise.all(Array.from({ length: count }, () => startEmulator(options))).then((all) =>
    console.log(JSON.stringify(all.map(({ baseUrl, apiKey }) => ({ baseUrl, apiKey })))),
  );
`;

/** The emulator in a process of its own, as a real service is. */
export async function startService(dir, options) {
  const { services, stop } = await startServices(dir, 1, options);
  return { ...services[0], stop };
}

/** So many emulators, each with an account of its own, in one process. */
export async function startServices(dir, count, options) {
  const child = spawn(process.execPath, ["-e", script, JSON.stringify({ count, options })], {
    cwd: dir,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("close", done));
  const started = JSON.parse(
    await new Promise((done, fail) => {
      createInterface({ input: child.stdout }).once("line", done);
      void ended.then((code) => fail(new Error(`The emulators ended with exit code ${code}.`)));
    }),
  );
  return {
    services: started.map(serviceAt),
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function serviceAt({ baseUrl, apiKey }) {
  const control = (method, route, body) =>
    fetch(new URL(`/_emulator/${route}`, baseUrl), { method, headers: { "Emulator-Control": "1" }, body });
  return {
    ...{ baseUrl, apiKey },
    async seed(objects) {
      const { status } = await control("POST", "seed", JSON.stringify(objects));
      if (status !== 201) throw new Error(`The emulator refused its objects: ${status}`);
    },
    /** The objects of the account. */
    state: async () => (await control("GET", "state")).json(),
    /** The requests since the last call. */
    async takeRequests() {
      const { requests } = await (await control("GET", "requests")).json();
      await control("DELETE", "requests");
      return requests;
    },
  };
}
