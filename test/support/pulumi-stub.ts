import { readFileSync } from "node:fs";
import type { PulumiCall, PulumiResult } from "../../src/stack/pulumi";
import type { ImportEntry } from "../../src/stack/import-entry";

/**
 * The Pulumi CLI as far as `tunnel-gateway import` calls it, with the stack `test` in memory: it takes the place of
 * `pulumi` of src/stack/pulumi. Nothing is checked: what Pulumi makes of a call is tested with the real CLI.
 */
export class PulumiStub {
  /** What was imported, as the import files said it. */
  readonly resources: ImportEntry[] = [];
  /** The calls so far, one line each. */
  readonly calls: string[] = [];
  /** The configuration by its full keys, secrets in plaintext. */
  readonly config: Record<string, string>;

  constructor(
    private readonly project: string,
    config: Readonly<Record<string, string>>,
  ) {
    this.config = { ...config };
  }

  run(args: readonly string[], call: PulumiCall = {}): Promise<PulumiResult> {
    this.calls.push(args.join(" "));
    return Promise.resolve({ stdout: this.answer(args, call), stderr: "" });
  }

  private answer(args: readonly string[], { input }: PulumiCall): string {
    const [command, verb, kind, key] = args;
    if (command === "stack" && verb === "export") return JSON.stringify(this.exported());
    if (command === "config" && verb === "--json") return JSON.stringify(this.configuration());
    if (command === "config" && verb === "set" && kind === "--secret") {
      this.config[`${this.project}:${key!}`] = input!;
      return "";
    }
    if (command === "import") {
      const file = readFileSync(args[args.indexOf("--file") + 1]!, "utf8");
      this.resources.push(...(JSON.parse(file) as { resources: ImportEntry[] }).resources);
      return "";
    }
    if (command === "preview") return "";
    throw new Error(`the stub of Pulumi does not know: ${args.join(" ")}`);
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
