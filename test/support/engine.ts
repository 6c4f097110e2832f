import { execFileSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { engineSetup } from "./engine-setup";
import { inLanguageHost, inPluginHost } from "./worker-hosts";
import { baseEnv, startCommand, type Result, type Running } from "./pulumi-command";
import { parsePreview, parseUpdate, type Plan } from "./pulumi-json";
import { encryptionOf, writeConfig, writeStack } from "./stack-files";

export type { Result, Running } from "./pulumi-command";
export type { Plan } from "./pulumi-json";

/** The languages a program may be written in; each decides the name of the main file and the package's type. */
const kinds = {
  ts: { main: "index.ts", type: "commonjs" },
  cjs: { main: "index.js", type: "commonjs" },
  esm: { main: "index.js", type: "module" },
  "ts-esm": { main: "index.ts", type: "module" },
} as const;

export type DoorName = "dynamic" | "native";

export interface ProgramOptions {
  /** The project's name, which is the namespace of its own configuration. */
  name?: string;
  kind?: keyof typeof kinds;
  /** The main file's text, or all files by their path in the program's folder. */
  files: string | Record<string, string>;
  /** `runtime.options` of Pulumi.yaml; with any, Pulumi's own language host runs a plain program too. */
  runtime?: Record<string, unknown>;
  /** Packages to leave out of node_modules, such as `typescript` to have the engine use its own old one. */
  without?: readonly string[];
  /** Whether the resources are dynamic ones (the default) or those of the native provider. */
  door?: DoorName;
  /**
   * "shared" (the default) uses the template's node_modules, "copy" links its files into a node_modules of the
   * program's own, "none" installs nothing.
   */
  install?: "shared" | "copy" | "none";
}

const plugins = {
  providers: [{ name: "tunnel-gateway", path: "node_modules/pulumi-tunnel-gateway/dist/native" }],
};

/** A Pulumi program in its own folder, with the packed package installed. */
export class Program {
  readonly dir: string;
  readonly name: string;
  readonly main: string;
  readonly door: DoorName;
  /** The parts that this worker's hosts run; Pulumi's own start a Node for each run. */
  readonly shared: { readonly program: boolean; readonly plugin: boolean };

  constructor(options: ProgramOptions) {
    const kind = kinds[options.kind ?? "ts"];
    this.name = options.name ?? "program";
    this.main = kind.main;
    this.door = options.door ?? "dynamic";
    this.dir = mkdtempSync(join(engineSetup().folder, `${this.name}-`));
    const runtime = { name: "nodejs", options: options.runtime ?? {} };
    this.write({
      "package.json": JSON.stringify({
        ...templateManifest(),
        name: this.name,
        type: kind.type,
        main: kind.main,
      }),
      // JSON is YAML
      "Pulumi.yaml": JSON.stringify({ name: this.name, runtime, ...(this.door === "native" && { plugins }) }),
    });
    this.write(options.files);
    const without = options.without ?? [];
    const how = options.install ?? (without.length === 0 ? "shared" : "copy");
    this.install(how);
    for (const name of without) this.uninstall(name);
    const isPlain = kind.type === "commonjs" && options.runtime === undefined;
    this.shared = { program: how === "shared" && isPlain, plugin: how === "shared" };
  }

  /** Writes the main file, or files by their path. */
  write(files: string | Record<string, string>): void {
    for (const [name, text] of Object.entries(typeof files === "string" ? { [this.main]: files } : files)) {
      const file = join(this.dir, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** A new stack of this program on a file backend of its own. */
  stack(options: StackOptions = {}): Promise<Stack> {
    return Promise.resolve(new Stack(this, options));
  }

  /** Removes a package from a copied node_modules, as if the user had forgotten `npm ci`. */
  uninstall(name: string): void {
    const modules = join(this.dir, "node_modules");
    if (lstatSync(modules).isSymbolicLink()) throw new Error('Give the program `install: "copy"`.');
    rmSync(join(modules, name), { recursive: true });
  }

  private install(how: "shared" | "copy" | "none"): void {
    const [from, to] = [join(engineSetup().template, "node_modules"), join(this.dir, "node_modules")];
    if (how === "shared") symlinkSync(from, to, "junction");
    if (how === "copy") copyTree(from, to);
  }
}

/** The commands that may run the program. */
const commands = new Set(["preview", "up", "refresh", "destroy"]);

/** Whether Node finds the same in two environments when it starts, such as what to preload and which authorities to trust. */
function startsAs(...environments: readonly Record<string, string | undefined>[]): boolean {
  const [one, other] = environments.map((each) =>
    Object.entries(each).filter(([name, value]) => name.startsWith("NODE_") && value !== undefined),
  );
  return isDeepStrictEqual(new Map(one), new Map(other));
}

export interface StackOptions {
  name?: string;
  /** The backend of another stack of the program; by default the stack gets one of its own. */
  backend?: string;
  passphrase?: string;
  /** The initial configuration. A key without a namespace gets the project's. */
  config?: Record<string, ConfigValue>;
  /** Environment of every call; `undefined` removes a variable. */
  env?: Record<string, string | undefined>;
}

export type ConfigValue = string | { secret: string };

export interface CallOptions {
  /** More arguments, such as `["--target", urn]`. */
  args?: string[];
  env?: Record<string, string | undefined>;
  /** The exit code this call must end with (0 by default); another one throws with all output. */
  exitCode?: number | "any";
  /** Whether this worker's hosts may run the program and serve its resources (the default), or Pulumi's own processes. */
  hosted?: boolean;
  timeoutMs?: number;
}

/** One stack; every method runs the real CLI in the program's folder. */
export class Stack {
  readonly name: string;
  readonly backend: string;
  /** The environment in which other processes work on it. */
  readonly backendEnv: Readonly<Record<string, string>>;
  private readonly env: Record<string, string | undefined>;
  private readonly passphrase: string;
  private readonly configuration: Map<string, ConfigValue>;

  constructor(
    readonly program: Program,
    options: StackOptions = {},
  ) {
    const { folder } = engineSetup();
    this.name = options.name ?? "test";
    this.backend = options.backend ?? mkdtempSync(join(folder, "backend-"));
    this.passphrase = options.passphrase ?? "a passphrase for tests";
    this.backendEnv = {
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: this.passphrase,
    };
    this.env = { ...this.backendEnv, ...options.env };
    writeStack(this.backend, program.name, this.name, encryptionOf(this.passphrase));
    this.configuration = new Map();
    this.config(options.config ?? {});
  }

  /** Sets configuration values. */
  config(values: Record<string, ConfigValue>): void {
    for (const [key, value] of Object.entries(values)) this.configuration.set(key, value);
    const { dir, name } = this.program;
    writeConfig(dir, name, this.name, encryptionOf(this.passphrase), this.configuration);
  }

  preview(options: CallOptions = {}): Promise<Result> {
    return this.operation("preview", [], options);
  }

  /** Fails if the engine plans a change. */
  previewNoChanges(options: CallOptions = {}): Promise<Result> {
    return this.operation("preview", ["--diff", "--expect-no-changes"], options);
  }

  up(options: CallOptions = {}): Promise<Result> {
    return this.operation("up", ["--yes", "--skip-preview"], options);
  }

  refresh(options: CallOptions = {}): Promise<Result> {
    return this.operation("refresh", ["--yes", "--skip-preview"], options);
  }

  destroy(options: CallOptions = {}): Promise<Result> {
    return this.operation("destroy", ["--yes", "--skip-preview"], options);
  }

  /** The planned steps; `refresh` and `destroy` take `--preview-only` and print the same form. */
  async previewJson(options: CallOptions = {}): Promise<Plan> {
    return parsePreview(await this.operation("preview", ["--json"], options));
  }

  async refreshJson(options: CallOptions = {}): Promise<Plan> {
    return parsePreview(await this.operation("refresh", ["--preview-only", "--json"], options));
  }

  /** The steps in the order in which the engine began them. */
  async upJson(options: CallOptions = {}): Promise<Plan> {
    return parseUpdate(await this.operation("up", ["--yes", "--skip-preview", "--json"], options));
  }

  async outputs(showSecrets = false): Promise<Record<string, unknown>> {
    const args = [
      "stack",
      "output",
      "--stack",
      this.name,
      "--json",
      ...(showSecrets ? ["--show-secrets"] : []),
    ];
    return JSON.parse((await this.pulumi(args)).stdout) as Record<string, unknown>;
  }

  async exportState(showSecrets = false): Promise<StackState> {
    const args = ["stack", "export", "--stack", this.name, ...(showSecrets ? ["--show-secrets"] : [])];
    return JSON.parse((await this.pulumi(args)).stdout) as StackState;
  }

  async importState(state: StackState): Promise<void> {
    const file = join(this.backend, "import.json");
    writeFileSync(file, JSON.stringify(state));
    await this.pulumi(["stack", "import", "--stack", this.name, "--file", file]);
  }

  /** `pulumi import --file`; dynamic resources have no schema, so no code is asked for. */
  importFile(entries: unknown, options: CallOptions = {}): Promise<Result> {
    const file = join(this.backend, "resources.json");
    writeFileSync(file, JSON.stringify(entries));
    return this.operation(
      "import",
      ["--yes", "--skip-preview", "--generate-code=false", "--file", file],
      options,
    );
  }

  get stateFile(): string {
    return join(this.backend, ".pulumi/stacks", this.program.name, `${this.name}.json`);
  }

  /** The text of the stack's state file, for searching it. */
  stateText(): string {
    return readFileSync(this.stateFile, "utf8");
  }

  urn(type: string, name: string): string {
    return `urn:pulumi:${this.name}::${this.program.name}::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;
  }

  /** Any command of the CLI. */
  async pulumi(args: string[], options: CallOptions = {}): Promise<Result> {
    const wanted = options.exitCode ?? 0;
    const { shared, main } = this.program;
    const isRun = commands.has(args[0]!) && options.hosted !== false;
    const environment = this.environment(options);
    const isPlugin = isRun && shared.plugin && startsAs(environment, baseEnv());
    // A program that fails can leave promises that never settle: Pulumi's own host ends its process.
    const isProgram = isRun && shared.program && wanted === 0;
    // The hosts check no types.
    const isChecked = main === "index.ts" && environment.PULUMI_NODEJS_TRANSPILE_ONLY !== "true";
    const env = {
      ...options.env,
      ...(isPlugin ? await inPluginHost() : {}),
      ...(isProgram && !isChecked ? await inLanguageHost() : {}),
    };
    const result = await this.start(args, { ...options, env }).done;
    if (wanted !== "any" && result.exitCode !== wanted) {
      throw new Error(
        `\`${result.command}\` ended with ${result.exitCode}, not ${wanted}:\n${result.output}`,
      );
    }
    return result;
  }

  /** Starts a command of the CLI with Pulumi's own language host, without waiting, to signal or to kill it. */
  start(args: string[], options: CallOptions = {}): Running {
    const { pulumi } = engineSetup();
    return startCommand(pulumi, [...args, "--non-interactive", "--color", "never"], {
      cwd: this.program.dir,
      env: this.environment(options),
      timeoutMs: options.timeoutMs ?? 120_000,
    });
  }

  private environment(options: CallOptions): Record<string, string | undefined> {
    return { ...baseEnv(), ...this.env, ...options.env };
  }

  private operation(name: string, args: string[], options: CallOptions): Promise<Result> {
    return this.pulumi([name, "--stack", this.name, ...args, ...(options.args ?? [])], options);
  }
}

export interface StackState {
  version: number;
  deployment: {
    resources?: StateResource[];
    pending_operations?: unknown[];
    [name: string]: unknown;
  };
}

export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  [name: string]: unknown;
}

/** Hard links where the system has `cp -al`: 0.2 s instead of several seconds. Nothing writes into node_modules. */
function copyTree(from: string, to: string): void {
  if (process.platform === "linux") execFileSync("cp", ["-al", from, to]);
  else cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function templateManifest(): object {
  return JSON.parse(readFileSync(join(engineSetup().template, "package.json"), "utf8")) as object;
}
