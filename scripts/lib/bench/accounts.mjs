import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What the process runs; it ends with its parent, whose end closes stdin. */
const script = `
  const { startEmulator } = require("pulumi-tunnel-gateway/emulator");
  process.stdin.resume().on("end", () => process.exit());
  const start = () => startEmulator();
  Promise.all(Array.from({ length: Number(process.argv[1]) }, start)).then((all) =>
    console.log(JSON.stringify(all.map(({ baseUrl, apiKey }) => ({ baseUrl, apiKey })))),
  );
`;

/** So many accounts, each with an emulator of its own; the emulators share a process. */
export async function startAccounts(dir, count) {
  const child = spawn(process.execPath, ["-e", script, String(count)], {
    cwd: dir,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("close", done));
  const accounts = JSON.parse(
    await new Promise((done, fail) => {
      createInterface({ input: child.stdout }).once("line", done);
      void ended.then((code) => fail(new Error(`The emulators ended with exit code ${code}.`)));
    }),
  );
  const control = async (baseUrl, method, route) => {
    const headers = { "Emulator-Control": "1" };
    return (await fetch(new URL(`/_emulator/${route}`, baseUrl), { method, headers })).json();
  };
  return {
    accounts,
    /** How many requests each account had since the last call. */
    takeRequests: () =>
      Promise.all(
        accounts.map(async ({ baseUrl }) => {
          const { requests } = await control(baseUrl, "GET", "requests");
          await fetch(new URL("/_emulator/requests", baseUrl), {
            method: "DELETE",
            headers: { "Emulator-Control": "1" },
          });
          return requests.length;
        }),
      ),
    /** How many policies each account has. */
    policies: () =>
      Promise.all(
        accounts.map(async ({ baseUrl }) => (await control(baseUrl, "GET", "state")).ip_policies.length),
      ),
    async stop() {
      child.kill();
      await ended;
    },
  };
}
