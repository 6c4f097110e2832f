import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What the process runs; it ends with its parent, whose end closes stdin. */
const script = `
  process.stdin.resume().on("end", () => process.exit());
  require("pulumi-tunnel-gateway/emulator")
    .startEmulator()
    .then(({ baseUrl, apiKey }) => console.log(JSON.stringify({ baseUrl, apiKey })));
`;

/** The emulator in a process of its own, as a real service is. */
export async function startService(dir) {
  const child = spawn(process.execPath, ["-e", script], { cwd: dir, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.once("close", done));
  const { baseUrl, apiKey } = JSON.parse(
    await new Promise((done, fail) => {
      createInterface({ input: child.stdout }).once("line", done);
      void ended.then((code) => fail(new Error(`The emulator ended with exit code ${code}.`)));
    }),
  );
  const control = (method, route, body) =>
    fetch(new URL(`/_emulator/${route}`, baseUrl), { method, headers: { "Emulator-Control": "1" }, body });
  return {
    ...{ baseUrl, apiKey },
    async seed(objects) {
      const { status } = await control("POST", "seed", JSON.stringify(objects));
      if (status !== 201) throw new Error(`The emulator refused its objects: ${status}`);
    },
    /** The requests since the last call. */
    async takeRequests() {
      const { requests } = await (await control("GET", "requests")).json();
      await control("DELETE", "requests");
      return requests;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
