/** Every program that the documentation shows compiles, and those of the package run. */
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as gateway from "../../src";
import { hooksOf } from "../../src/provider";
import { declarations } from "../../src/resources/declarations";
import { asFunctionBody, blocks, configuration, filesOfPrograms, programs, root } from "./blocks";
import type { Block } from "./blocks";

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
  const registered: pulumi.runtime.MockResourceArgs[] = [];

  beforeAll(async () => {
    const config = Object.entries(configuration).map(([name, value]) => [`program:${name}`, value]);
    pulumi.runtime.setAllConfig(Object.fromEntries(config) as Record<string, string>);
    await pulumi.runtime.setMocks(
      {
        newResource: (resource) => {
          registered.push(resource);
          return { id: idFor(resource), state: resource.inputs as object };
        },
        call: () => ({}),
      },
      "program",
    );
  });

  it("are there for every resource", () => {
    const shown = programs().map(({ where }) => where.split(":")[0]);
    const missing = declarations.filter(({ type }) => !shown.includes(`src/resources/${fileOf(type)}`));
    expect(missing.map(({ type }) => type)).toEqual([]);
  });

  it.each(programs().map((block) => [block.where, block] as const))(
    "pass the check: %s",
    async (where, block) => {
      registered.length = 0;
      await run(block);
      const own = registered.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/tunnel-gateway:"));
      expect(own.length).toBeGreaterThan(0);
      const failures = await Promise.all(own.map(checkFailures));
      expect(failures).toEqual(own.map(() => []));
      const documented = declarations.find(({ type }) => where.startsWith(`src/resources/${fileOf(type)}:`));
      if (documented) expect(own.map(({ type }) => type.split(":").at(-1))).toContain(documented.type);
    },
  );
});

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

/** Runs a program to the end: until every resource that it makes is registered. */
async function run(block: Block): Promise<void> {
  const made: pulumi.Resource[] = [];
  const files = filesOfPrograms();
  const classes = Object.entries(gateway).map(([name, value]): [string, unknown] => [
    name,
    typeof value === "function" ? noting(value, made) : value,
  ]);
  const modules: Record<string, unknown> = {
    "pulumi-tunnel-gateway": Object.fromEntries(classes),
    "@pulumi/pulumi": pulumi,
    "node:fs": { readFileSync: (name: string) => files[name] },
  };
  const load = (name: string): unknown => {
    if (!(name in modules)) throw new Error(`the program needs ${name}, which a reader may not have`);
    return modules[name];
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
  await new Function("exports", "require", `return (async () => {${asFunctionBody(block)}})()`)({}, load);
  await Promise.all(made.map(({ urn }) => new Promise((resolve) => void urn.apply(resolve))));
}

/** The class, noting its instances. */
function noting(type: object, made: pulumi.Resource[]): unknown {
  return new Proxy(type, {
    construct(target, args: unknown[], newTarget) {
      const instance = Reflect.construct(target as never, args, newTarget) as pulumi.Resource;
      made.push(instance);
      return instance;
    },
  });
}

/** An id as the service would give it. */
function idFor({ type, name, inputs }: pulumi.runtime.MockResourceArgs): string {
  const declaration = declarations.find((each) => type.endsWith(`:${each.type}`));
  if (declaration?.style === "collection") return `${declaration.idPrefix ?? "made_"}${name}`;
  const values = [...(declaration?.path.matchAll(/\{(\w+)\}/g) ?? [])].map((match) =>
    String((inputs as Record<string, unknown>)[match[1]!]),
  );
  return values.join("/") || name;
}

/** What the plugin's check says of the inputs. */
async function checkFailures({ type, inputs }: pulumi.runtime.MockResourceArgs): Promise<unknown> {
  const settings: Record<string, string> = {
    "tunnel-gateway:apiKey": "key",
    "tunnel-gateway:baseUrl": "https://api.example.com",
  };
  const config = { get: (key: string) => settings[key], require: (key: string) => settings[key]! };
  const checked = (await hooksOf(type.split(":").at(-1)!, config)("check")({}, plain(inputs))) as {
    failures?: unknown;
  };
  return checked.failures ?? [];
}

/** The value as a hook gets it: mocks get secrets wrapped. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("4dabf18193072939515e22adb298388d" in value && "value" in value) return plain(value.value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name, plain(member)]),
  );
}

function fileOf(type: string): string {
  return `${type.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;
}
