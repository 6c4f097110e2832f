/** Every program that the documentation shows compiles, and those of the package run. */
import assert from "node:assert/strict";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as gateway from "../../src";
import { declarations } from "../../src/resources/registry";
import * as testing from "../../src/testing";
import { asFunctionBody, blocks, configuration, filesOfPrograms, programs, root, unitTests } from "./blocks";
import type { Block } from "./blocks";
import { configuredHooks } from "../support/configured-hooks";

describe("the typescript blocks of JSDoc, README and docs", () => {
  let diagnostics: Map<string, string[]>;

  beforeAll(() => {
    diagnostics = compile(blocks());
  });

  it.each(blocks().map((block) => [block.where, block]))("compile in strict mode: %s", (where) => {
    expect(diagnostics.get(where)).toEqual([]);
  });
});

describe("the programs of JSDoc and README", () => {
  const mocked = testing.mocks();

  beforeAll(async () => {
    const config = Object.entries(configuration).map(([name, value]) => [`program:${name}`, value]);
    pulumi.runtime.setAllConfig(Object.fromEntries(config) as Record<string, string>);
    await pulumi.runtime.setMocks(mocked, "program");
  });

  it("are there for every resource", () => {
    const shown = programs().map(({ where }) => where.split(":")[0]);
    const missing = declarations.filter(({ type }) => !shown.includes(`src/resources/${fileOf(type)}`));
    expect(missing.map(({ type }) => type)).toEqual([]);
  });

  it.each(programs().map((block) => [block.where, block] as const))(
    "pass the check: %s",
    async (where, block) => {
      await mocked.run(() => run(block, ofPrograms));
      const own = mocked.resources;
      expect(own.length).toBeGreaterThan(0);
      const failures = await Promise.all(own.map(checkFailures));
      expect(failures).toEqual(own.map(() => []));
      const documented = declarations.find(({ type }) => where.startsWith(`src/resources/${fileOf(type)}:`));
      if (documented) expect(own.map(({ type }) => type)).toContain(documented.type);
    },
  );
});

describe("the unit tests of JSDoc and README", () => {
  it.each(unitTests().map((block) => [block.where, block] as const))("pass: %s", (_, block) =>
    run(block, { ...ofPrograms, "pulumi-tunnel-gateway/testing": testing, "node:assert/strict": assert }),
  );
});

/** What a reader of a program has. */
const files = filesOfPrograms();
const ofPrograms: Readonly<Record<string, unknown>> = {
  "pulumi-tunnel-gateway": gateway,
  "@pulumi/pulumi": pulumi,
  "node:fs": { readFileSync: (name: string) => files[name] },
};

/** The messages of each block; one program for all of them. */
function compile(all: readonly Block[]): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // A block shows one thing: what it declares may be there to be read only.
  const strict = { ...options, noUnusedLocals: false, moduleDetection: ts.ModuleDetectionKind.Force };
  // As an ES module, where a program may await.
  const files = new Map(all.map((block, i) => [join(root, `block-${i}.mts`), block]));
  const host = ts.createCompilerHost(strict);
  const [readFile, fileExists] = [host.readFile.bind(host), host.fileExists.bind(host)];
  host.readFile = (name) => files.get(name)?.code ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target, ...rest) => {
    const block = files.get(name);
    return block ? ts.createSourceFile(name, block.code, target) : getSourceFile(name, target, ...rest);
  };
  const program = ts.createProgram([...files.keys()], strict, host);
  return new Map(
    [...files].map(([name, { where }]) => {
      const source = program.getSourceFile(name);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return [where, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))];
    }),
  );
}

/** Runs a block that may load these modules. */
async function run(block: Block, modules: Readonly<Record<string, unknown>>): Promise<void> {
  const load = (name: string): unknown => {
    if (!(name in modules)) throw new Error(`the program needs ${name}, which a reader may not have`);
    return modules[name];
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
  await new Function("exports", "require", `return (async () => {${asFunctionBody(block)}})()`)({}, load);
}

/** What the plugin's check says of the inputs. */
async function checkFailures({ type, inputs }: testing.MockedResource): Promise<unknown> {
  const hook = configuredHooks(type, { apiKey: "key", baseUrl: "https://api.example.com" });
  const checked = (await hook("check")({}, inputs)) as { failures?: unknown };
  return checked.failures ?? [];
}

function fileOf(type: string): string {
  return `${type.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;
}
