import { readFileSync } from "node:fs";
import type { PulumiCall, PulumiResult } from "../../src/tools/stack/pulumi";
import type { ImportEntry } from "../../src/tools/stack/import-file";

/**
 * The part of the Pulumi CLI that `tunnel-gateway import` calls, with the stack `test` in memory. It replaces
 * `pulumi` of src/tools/stack/pulumi and checks nothing: how Pulumi handles a call is tested with the real CLI.
 */
export class PulumiStub {
  /** The imported resources, as in the import files. */
  readonly resources: ImportEntry[] = [];
  /** The calls so far, one line each; a command line shows as much to every process. */
  readonly calls: string[] = [];
  /** The configuration by its full keys, secrets in plaintext. */
  readonly config: Record<string, string>;

  constructor(
    private readonly project: string,
    config: Readonly<Record<string, string>>,
    /** An old CLI takes no flags from its environment. */
    private readonly options: { readonly isOld?: boolean } = {},
  ) {
    this.config = { ...config };
  }

  run(args: readonly string[], call: PulumiCall = {}): Promise<PulumiResult> {
    this.calls.push(args.join(" "));
    return Promise.resolve({ stdout: this.answer(args, call), stderr: "" });
  }

  private answer(args: readonly string[], { input, env }: PulumiCall): string {
    const [command, verb, kind, key] = args;
    if (command === "stack" && verb === "export") return JSON.stringify(this.exported());
    if (command === "config" && verb === "--json") return JSON.stringify(this.configuration());
    if (command === "config" && verb === "set-all") {
      if (this.options.isOld) return "";
      const values = JSON.parse(env!.PULUMI_OPTION_JSON!) as Record<
        string,
        { value: string; secret: boolean }
      >;
      for (const [name, { value }] of Object.entries(values)) this.config[name] = value;
      return "";
    }
    if (command === "config" && verb === "set" && kind === "--secret") {
      this.config[key!] = input!;
      return "";
    }
    if (command === "import") {
      const file = readFileSync(args[args.indexOf("--file") + 1]!, "utf8");
      this.resources.push(...(JSON.parse(file) as { resources: ImportEntry[] }).resources);
      return "";
    }
    if (command === "preview") return "";
    throw new Error(`the stub of Pulumi does not support: ${args.join(" ")}`);
  }

  private exported(): object {
    const resources = this.resources.map(({ type, name, id, inputs, outputs }) => ({
      ...{ urn: `urn:pulumi:test::${this.project}::${type}::${name}`, type, id, custom: true },
      ...{ inputs, outputs, provider: "urn:pulumi:test::p::pulumi:providers:pulumi-nodejs::default::x" },
    }));
    return { version: 3, deployment: { resources } };
  }

  private configuration(): object {
    return Object.fromEntries(Object.entries(this.config).map(([key, value]) => [key, { value }]));
  }
}
