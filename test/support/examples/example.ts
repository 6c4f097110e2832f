/** The projects in examples/, each in its own folder, and the commands that their README lists. */
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Program } from "../engine";
import type { ProgramOptions, Result, Running } from "../engine";
import { engineSetup } from "../engine-setup";
import { npx } from "../installed-command";
import { baseEnv, startCommand } from "../pulumi-command";
import { inHosts } from "../worker-hosts";

const examples = join(__dirname, "../../../examples");

type Env = Record<string, string | undefined>;

/** A copy of an example, set up as its README says, with its own backend. */
export class Example {
  readonly program: Program;
  readonly backend: string;
  /**
   * Whether this worker's hosts run the programs and serve the resources of commands. Pulumi's own do it for what the README
   * lists, for what must fail, and for what is started to be interrupted.
   */
  hosted: boolean;
  /** Tools of this example alone. They come before others of the same name. */
  private readonly bin: string;

  constructor(
    readonly name: string,
    /** The environment of every command. */
    private readonly env: Env,
    options: Partial<ProgramOptions> = {},
  ) {
    this.program = new Program({ name, files: filesOf(name), ...options });
    this.hosted = options.install !== "copy";
    const { folder } = engineSetup();
    this.backend = mkdtempSync(join(folder, "backend-"));
    this.bin = mkdtempSync(join(folder, "bin-"));
  }

  /** Replaces a tool with a shell script. */
  replaceTool(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh -e\n${script}\n`, { mode: 0o755 });
  }

  /** The commands that the README lists for it, one after the other. */
  runReadme(options: RunOptions = {}): Promise<Result> {
    const commands = commandsOf(this.name);
    if (commands.length === 0) throw new Error(`examples/README.md gives no command for ${this.name}`);
    return this.run(commands.join("\n"), { hosted: false, ...options });
  }

  /** Runs commands in bash; the first that fails ends them. */
  async run(
    script: string,
    {
      env = {},
      exitCode = 0,
      hosted = this.hosted && (exitCode === 0 || exitCode === "any"),
    }: RunOptions = {},
  ): Promise<Result> {
    const result = await this.start(script, { ...(hosted ? await inHosts() : {}), ...env }).done;
    if (exitCode === "any" || result.exitCode === exitCode) return result;
    throw new Error(`ended with ${result.exitCode}, not ${exitCode}:\n${script}\n${result.output}`);
  }

  /** Begins to run commands in bash, in a process group of their own. */
  start(script: string, env: Env = {}): Running {
    const { path, pulumi } = engineSetup();
    const own = {
      PATH: [this.bin, dirname(pulumi), path, process.env.PATH].join(":"),
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
      npm_config_update_notifier: "false",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true", // test/full/examples/types.test.ts checks the types
      PULUMI_OPTION_SKIP_PREVIEW: "true", // of `up` and `destroy`, whose previews nobody reads here
    };
    return startCommand("bash", ["-e", "-c", script], {
      cwd: this.program.dir,
      env: { ...baseEnv(), ...own, ...this.env, ...env },
      timeoutMs: 240_000,
    });
  }
}

interface RunOptions {
  env?: Env;
  /** The exit code that it must end with. Default: 0. */
  exitCode?: number | "any";
  hosted?: boolean;
}

/** A repository with this example, as after the checkout action. */
export function checkedOut(name: string, env: Record<string, string> = {}): Example {
  const { template } = engineSetup();
  const example = new Example(name, env, { install: "none" });
  const locks = ["package.json", "package-lock.json"];
  example.program.write(
    Object.fromEntries(locks.map((lock) => [lock, readFileSync(join(template, lock), "utf8")])),
  );
  // `npm ci` takes minutes, so a link to an earlier installation replaces it.
  const install = `
    cmp package.json ${template}/package.json && cmp package-lock.json ${template}/package-lock.json
    ln -sfn ${template}/node_modules node_modules`;
  example.replaceTool("npm", `if [ "$1" = ci ]; then ${install}\nelse PATH=\${PATH#*:} exec npm "$@"; fi`);
  example.replaceTool("npx", npx);
  return example;
}

/** A text of an example. */
export function textOf(path: string): string {
  return readFileSync(join(examples, path), "utf8");
}

function filesOf(name: string): Record<string, string> {
  const folder = join(examples, name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  // tsconfig.json extends that of this repository, and the tests write Pulumi.<stack>.yaml.
  const own = paths.filter((path) => path !== "tsconfig.json" && !/^Pulumi\..+\.yaml$/.test(path));
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** The numbered commands of a section. */
function commandsOf(name: string): string[] {
  const [, section = ""] = textOf("README.md").split(`\n## ${name}\n`);
  const [text = ""] = section.split("\n## ");
  return [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, command]) => command!);
}
