// The main job, step by step: the root project's program with the real Pulumi CLI and the embedded emulator, in a temporary
// stack. Every step checks Pulumi's exit code and the requests that the service received.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { stackEnv } from "./lib/local-stack.mjs";
import { root } from "./lib/paths.mjs";
import { capture, run } from "./lib/process.mjs";
import { describe, ensurePulumi } from "./pulumi-cli.mjs";

const { startEmulator } = createRequire(import.meta.url)(`${root}/dist/emulator/index.js`);

const up = ["up", "--yes", "--skip-preview"];

/**
 * `config` is set, and `byHand` is a request that does not come from Pulumi, before the commands run. `sent` are the requests of
 * the last command in order, and `isRight` says whether the account is as it should be. A program with `mistakes` must fail and
 * name each of them.
 */
const steps = [
  {
    title: "Preview",
    text: "Shows what would be created. Sends nothing to the service.",
    commands: [["preview"]],
    sent: [],
  },
  {
    title: "Up",
    text: "Creates a policy, its rules and an API key, and sets the metadata of the key.",
    commands: [up],
    creates: true,
  },
  {
    title: "Update in place",
    text: "Changes a description: one PATCH with this field only.",
    config: ["description", "offices and VPN"],
    commands: [["preview", "--diff"], up],
    sent: [/^PATCH \/ip_policies\/ipp_/],
  },
  {
    title: "Replacement",
    text: "Changes the action of a rule. A CIDR can exist only once in a policy: delete before create.",
    config: ["action", "deny"],
    commands: [["preview", "--diff"], up],
    sent: [/^DELETE \/ip_policy_rules\/ipr_/, /^POST \/ip_policy_rules$/],
  },
  {
    title: "Drift",
    text: "The policy is changed outside of Pulumi: refresh finds the drift, up repairs it.",
    byHand: { description: "changed by hand" },
    commands: [["refresh", "--yes", "--skip-preview", "--diff"], ["preview", "--diff"], up],
    sent: [/^PATCH \/ip_policies\/ipp_/],
    statement: "the policy has its description again",
    isRight: ({ ip_policies: [policy] }) => policy.description === "offices and VPN",
  },
  {
    title: "A wrong program",
    text: "Shows all errors of the program at once, before anything is sent.",
    config: ["mistakes", "true"],
    commands: [["preview"]],
    mistakes: ["cidr", "action", "description"],
    sent: [],
  },
  {
    title: "Destroy",
    text: "Deletes everything: the account is as empty as before.",
    commands: [["destroy", "--yes", "--skip-preview"]],
    statement: "the account is empty",
    isRight: (account) => Object.values(account).every((objects) => objects.length === 0),
  },
];

const terminal = process.stdout.isTTY === true && !process.env.NO_COLOR;
const styled = (code) => (text) => (terminal ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, green, red] = [1, 2, 32, 31].map(styled);
const width = Math.min(process.stdout.columns ?? 80, 100);

export async function quickstart() {
  const emulator = await startEmulator();
  const pulumi = await ensurePulumi();
  const demonstration = new Demonstration(emulator, pulumi);
  let at = 0;
  const left = () => {
    const titles = steps.slice(at).map(({ title }) => title);
    return `Left out or unfinished: ${titles.join(", ")}.`;
  };
  whenInterrupted(() => `The quickstart was interrupted. ${left()}`);
  try {
    await demonstration.capture("stack", "init", "--no-select");
    for (; at < steps.length; at++) await demonstration.step(steps[at]);
    console.log(
      `\n${bold(green("Everything was created, changed, repaired and removed as the previews showed."))}`,
    );
    console.log(`\nNode.js ${process.versions.node}: ${process.execPath}`);
    console.log(describe(pulumi));
    return 0;
  } catch (error) {
    console.error(`\n${red(`The quickstart failed: ${error.message}`)}\n${left()}`);
    return 1;
  } finally {
    demonstration.remove();
    await emulator.close();
  }
}

class Demonstration {
  stack = `quickstart-${randomBytes(3).toString("hex")}`;
  folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-quickstart-"));

  constructor(emulator, { bin, env }) {
    Object.assign(this, { emulator, bin });
    const [backend, home] = ["backend", "home"].map((name) => join(this.folder, name));
    this.options = {
      cwd: root,
      env: stackEnv(env, { backend, home, service: emulator }),
      timeoutMs: 120_000,
    };
    process.once("exit", () => this.remove());
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(join(root, `Pulumi.${this.stack}.yaml`), { force: true }); // the CLI keeps a stack's settings beside Pulumi.yaml
  }

  /** Shows what a step does, and checks it. Anything unexpected throws. */
  async step({ title, text, config, byHand, commands, sent, creates, mistakes, statement, isRight }) {
    console.log(`\n${bold(`── ${title} ${"─".repeat(Math.max(3, width - title.length - 4))}`)}\n${text}\n`);
    if (config !== undefined) {
      console.log(dim(`$ pulumi config set ${config[0]} ${JSON.stringify(config[1])}`));
      await this.capture("config", "set", ...config);
    }
    if (byHand !== undefined) await this.changeByHand(byHand);
    for (const args of commands) {
      this.emulator.clearRequests();
      await this.command(args, mistakes);
    }
    const got = this.emulator.requests.map(({ method, path }) => `${method} ${path}`);
    const requests = `requests sent: ${got.join(", ") || "none"}`;
    if (creates)
      expect(got.length > 0 && got.every((each) => /^(POST |PATCH \/api_keys\/)/.test(each)), requests);
    if (sent !== undefined)
      expect(got.length === sent.length && sent.every((pattern, i) => pattern.test(got[i])), requests);
    if (isRight !== undefined) expect(isRight(this.emulator.snapshot()), statement);
    if (mistakes !== undefined) await this.capture("config", "rm", config[0]);
    else if (commands.at(-1) === up) {
      this.emulator.clearRequests();
      await this.capture("preview", "--expect-no-changes");
      expect(this.emulator.requests.length === 0, "another preview shows no change and sends nothing");
    }
  }

  /** A command whose output is shown. With mistakes in the program it must fail and name them. */
  async command(args, mistakes) {
    console.log(dim(`$ pulumi ${args.join(" ")}`));
    const all = [...args, "--stack", this.stack];
    if (mistakes === undefined) {
      const code = await run(
        this.bin,
        terminal ? all : [...all, "--non-interactive", "--color", "never"],
        this.options,
      );
      if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with exit code ${code}.`);
      console.log();
      return;
    }
    const onOutput = (text) => process.stdout.write(text);
    const color = ["--non-interactive", "--color", terminal ? "always" : "never"];
    const { code, stdout, stderr } = await capture(this.bin, [...all, ...color], {
      ...this.options,
      onOutput,
    });
    expect(code !== 0, "the program is rejected");
    for (const each of mistakes) expect((stdout + stderr).includes(each), `the preview names ${each}`);
  }

  /** A command that must succeed. Its output is shown only if it fails. */
  async capture(...args) {
    const all = args[1] === "init" ? [...args, this.stack] : [...args, "--stack", this.stack];
    const { code, stdout, stderr } = await capture(this.bin, [...all, "--non-interactive"], this.options);
    if (code !== 0)
      throw new Error(`pulumi ${args.join(" ")} ended with exit code ${code}:\n${stdout}${stderr}`);
  }

  /** Changes the policy with a request that does not come from Pulumi. */
  async changeByHand(change) {
    const { apiKey, baseUrl } = this.emulator;
    const path = `/ip_policies/${this.emulator.snapshot().ip_policies[0].id}`;
    const body = JSON.stringify(change);
    console.log(dim(`$ curl -X PATCH ${path} -d '${body}'`));
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      "Service-Version": "2",
      "Content-Type": "application/json",
    };
    const { ok, status } = await fetch(baseUrl + path, { method: "PATCH", headers, body });
    expect(ok, `the service answers ${status}`);
  }
}

function expect(condition, statement) {
  if (!condition) throw new Error(`Not so: ${statement}.`);
  console.log(`${green("✓")} ${statement[0].toUpperCase()}${statement.slice(1)}.`);
}
