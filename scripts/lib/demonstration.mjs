import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePulumi } from "../pulumi-cli.mjs";
import { sendByHand, stackEnv } from "./local-stack.mjs";
import { root } from "./paths.mjs";
import { capture, run } from "./process.mjs";

const terminal = process.stdout.isTTY === true && !process.env.NO_COLOR;
const bold = (text) => (terminal ? `\x1b[1m${text}\x1b[0m` : text);
const dim = (text) => (terminal ? `\x1b[2m${text}\x1b[0m` : text);
const green = (text) => (terminal ? `\x1b[32m${text}\x1b[0m` : text);
const red = (text) => (terminal ? `\x1b[31m${text}\x1b[0m` : text);
const width = Math.min(process.stdout.columns ?? 80, 100);

/**
 * A temporary stack of the root project. It shows the commands as they run and checks what they did. Anything
 * unexpected throws. `remove` deletes every file, and so does the end of the process.
 */
export async function demonstration(emulator) {
  const { bin, env: pulumiEnv } = await ensurePulumi();
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-quickstart-"));
  const stack = `quickstart-${randomBytes(3).toString("hex")}`;
  const [backend, home] = ["backend", "home"].map((name) => join(folder, name));
  const env = stackEnv(pulumiEnv, { backend, home, service: emulator });
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(join(root, `Pulumi.${stack}.yaml`), { force: true }); // the CLI keeps a stack's settings beside Pulumi.yaml
  };
  process.once("exit", remove);

  const full = (args) => [...args, ...(terminal ? [] : ["--non-interactive", "--color", "never"])];
  const begin = (args) => console.log(dim(`$ pulumi ${args.join(" ")}`));
  const quietly = async (...args) => {
    const withStack = [...args, "--stack", stack, "--non-interactive"];
    const { code, stdout, stderr } = await capture(bin, withStack, { cwd: root, env, timeoutMs: 120_000 });
    if (code !== 0)
      throw new Error(`pulumi ${args.join(" ")} ended with exit code ${code}:\n${stdout}${stderr}`);
  };

  const init = await capture(bin, ["stack", "init", stack, "--no-select", "--non-interactive"], {
    cwd: root,
    env,
  });
  if (init.code !== 0) {
    remove();
    throw new Error(`pulumi stack init ended with exit code ${init.code}:\n${init.stdout}${init.stderr}`);
  }

  const show = {
    heading(title, text) {
      show.forgetRequests();
      console.log(`\n${bold(`── ${title} ${"─".repeat(Math.max(3, width - title.length - 4))}`)}\n${text}\n`);
    },
    say: (text) => console.log(`${green("✓")} ${text}`),

    /** A command that must succeed. Its output is shown. */
    async pulumi(...args) {
      begin(args);
      const code = await run(bin, full([...args, "--stack", stack]), { cwd: root, env });
      if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with exit code ${code}.`);
      console.log();
    },

    /** A command that must succeed. Its output is shown only if it fails. */
    quietly,

    /** A command that must fail. Returns its output. */
    async rejected(...args) {
      begin(args);
      const color = ["--color", terminal ? "always" : "never"];
      const all = [...args, "--stack", stack, "--non-interactive", ...color];
      const onOutput = (text) => process.stdout.write(text);
      const { code, stdout, stderr, timedOut } = await capture(bin, all, {
        cwd: root,
        env,
        timeoutMs: 120_000,
        onOutput,
      });
      if (code === 0) throw new Error(`pulumi ${args.join(" ")} accepted what it should have rejected.`);
      if (timedOut) throw new Error(`pulumi ${args.join(" ")} did not end.`);
      show.say("The program is rejected.");
      return stdout + stderr;
    },

    async config(key, value) {
      console.log(dim(`$ pulumi config set ${key} ${JSON.stringify(value)}`));
      await quietly("config", "set", key, value);
    },

    removeConfig: (key) => quietly("config", "rm", key),

    /** A request that does not come from Pulumi. */
    async http(method, path, body) {
      console.log(dim(`$ curl -X ${method} ${path} -d '${JSON.stringify(body)}'`));
      await sendByHand(emulator, method, path, body);
    },

    forgetRequests: () => emulator.clearRequests(),
    requests: () => emulator.requests.map(({ method, path }) => `${method} ${path}`),

    /** Checks that since the last heading the service received these requests, one for each pattern, in this order. */
    expectRequests(patterns) {
      const got = show.requests();
      const right = got.length === patterns.length && patterns.every((pattern, at) => pattern.test(got[at]));
      show.expect(right, `requests sent: ${got.join(", ") || "none"}`);
    },

    /**
     * Checks that since the last heading the service received creates, and for each API key the request that sets its
     * metadata.
     */
    expectOnlyCreates() {
      const got = show.requests();
      const isCreate = (request) => /^(POST |PATCH \/api_keys\/)/.test(request);
      const count = (start) => got.filter((request) => request.startsWith(start)).length;
      const right =
        got.length > 0 && got.every(isCreate) && count("POST /api_keys") === count("PATCH /api_keys/");
      show.expect(right, `requests sent: ${got.join(", ") || "none"}`);
    },

    expect(condition, statement) {
      if (!condition) throw new Error(`Not so: ${statement}.`);
      show.say(`${statement[0].toUpperCase()}${statement.slice(1)}.`);
    },

    end: (text) => console.log(`\n${bold(green(text))}`),
    fail: (error) => console.error(`\n${red(`The quickstart failed: ${error.message}`)}`),

    remove() {
      process.off("exit", remove);
      remove();
    },
  };
  return show;
}
