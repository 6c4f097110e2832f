import fc from "../../support/fast-check";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { isGenerated, slashes, withHeader } from "../../../src/tools/import/program/generated-file";
import { linesLiteral, textLiteral } from "../../../src/tools/import/program/literal";
import { newStatement } from "../../../src/tools/import/program/statement";
import type { PlannedResource } from "../../../src/tools/import/objects/plan";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { temporaryFolder } from "../../support/folders";
import { cases, seedOf } from "../../support/cases";
import { codePoint } from "../../support/any-text";

const odd = fc.oneof(
  fc.string({ maxLength: 90 }),
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.constantFrom(
    '"',
    "'",
    `'"`,
    "`${x}`",
    "\\",
    '\\"',
    "a\nb",
    'a\r\n`${b}`\\n\n"\\\n',
    "*/",
    "// x",
    "{\n",
    "\u2028",
    "\u202e",
    "",
    "__proto__",
    "日本語".repeat(20),
    "👩‍👩‍👧",
  ),
);
const ids = fc.stringMatching(/^(ipp|bkdtg)_[A-Za-z0-9]{1,30}$/);
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

/** Arguments with every kind of value, as no single class has them. */
const args = {
  HttpResponseBackend: fc.record({ body: odd, headers: some(fc.dictionary(odd, odd, { maxKeys: 4 })) }),
  WeightedBackend: fc.record({
    backends: fc.dictionary(ids, fc.nat(1000), { maxKeys: 4 }),
    metadata: some(odd),
  }),
  TcpEdge: fc.record({
    hostports: some(fc.array(odd, { maxLength: 4 })),
    backend: some(fc.record({ backendId: ids, enabled: some(fc.boolean()) })),
    ipRestriction: some(fc.record({ ipPolicyIds: fc.array(ids, { maxLength: 4 }) })),
  }),
  EventSubscription: fc.record({
    description: some(odd),
    sources: fc.array(fc.record({ type: odd }), { maxLength: 3 }),
    destinationIds: fc.array(ids, { maxLength: 5 }),
  }),
  HttpsEdgeRouteOidc: fc.record({
    issuer: odd,
    clientId: odd,
    clientSecret: fc.constant("the secret"),
    scopes: some(fc.array(odd, { maxLength: 6 })),
  }),
};
const resources: fc.Arbitrary<PlannedResource> = fc
  .constantFrom(...(Object.keys(args) as (keyof typeof args)[]))
  .chain((type) =>
    fc.record({
      declaration: fc.constant(declarationOf(type)),
      id: odd,
      name: odd,
      variable: fc.stringMatching(/^v[A-Z0-9][A-Za-z0-9]{0,44}$/), // never a reserved word such as var
      args: args[type].map((values) => JSON.parse(JSON.stringify(values)) as Record<string, unknown>),
      values: fc.constant({}),
    }),
  );

/** Every second id is that of a resource of the program. */
const refer = (id: string): string | undefined => (id.length % 2 === 0 ? `of_${id}` : undefined);
const options = { protect: true, refer };
const textOf = (resource: PlannedResource): string => newStatement(resource, options).text;

/** What the constructor gets when the statement runs. */
function parametersOf(text: string, { declaration: { type } }: PlannedResource): unknown[] {
  let given: unknown[] = [];
  const scope = {
    [type]: class {
      constructor(...parameters: unknown[]) {
        given = parameters;
      }
    },
    config: { requireSecret: () => "the secret" },
    weights: (entries: [string, number][]) => Object.fromEntries(entries),
    ...Object.fromEntries([...text.matchAll(/\bof_(\w+)\.id/g)].map(([, id]) => [`of_${id}`, { id }])),
  };
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
  new Function("exports", ...Object.keys(scope), outputText)({}, ...Object.values(scope));
  return given;
}

it("runs as what was imported, whatever the values are", () => {
  fc.assert(
    fc.property(resources, (resource) => {
      expect(parametersOf(textOf(resource), resource)).toEqual([
        resource.name,
        resource.args,
        { protect: true },
      ]);
    }),
    { numRuns: cases(50, 400) },
  );
});

it("has the same layout by the compiler inside of @pulumi/pulumi, and every level indented by two spaces", () => {
  const all = fc.sample(resources, { numRuns: cases(50, 400), seed: seedOf(7) });
  const texts = all.map(textOf);
  jest.isolateModules(() => {
    const bundled = "@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js";
    jest.doMock("@pulumi/pulumi/typescript-shim", () => jest.requireActual<object>(bundled));
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module is loaded with the mock
    const isolated = require("../../../src/tools/import/program/statement") as {
      newStatement: typeof newStatement;
    };
    expect(all.map((each) => isolated.newStatement(each, options).text)).toEqual(texts);
  });
  const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|`(?:\\.|[^`\\])*`/g;
  for (const written of texts) {
    const text = written.replace(quoted, (each) => (each.startsWith("`") ? "text" : each)); // a template has lines of its own
    let depth = 0;
    // A comment may end as a level begins.
    for (const line of text
      .trimEnd()
      .split(/\n(?: *\/\/.*\n)*/)
      .slice(1)) {
      if (/^\s*[)\]}]/.test(line)) depth -= 1;
      expect(/^ */.exec(line)![0]).toHaveLength(2 * depth);
      if (/[([{]$/.test(line)) depth += 1;
    }
    expect(depth).toBe(0);
  }
});

/** Files as prettier would write them; jest cannot load prettier itself. */
function formatted(texts: readonly string[], ...flags: readonly string[]): string[] {
  const folder = temporaryFolder("format");
  texts.forEach((text, i) => writeFileSync(join(folder, `${String(i).padStart(5, "0")}.ts`), text));
  const prettier = resolve(__dirname, "../../../node_modules/prettier/bin/prettier.cjs");
  const given = [prettier, "--no-config", "--write", "--log-level=error", ...flags, folder];
  execFileSync(process.execPath, given, { stdio: "pipe" });
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

const imports = `import { ${declarations.map(({ type }) => type).join(", ")} } from "pulumi-tunnel-gateway";\n`;

it.each([[[]], [["--tab-width=4", "--trailing-comma=none", "--print-width=120"]]])(
  "is still taken for generated where prettier lays it out with %j",
  (flags) => {
    const texts = fc
      .sample(resources, { numRuns: cases(50, 300), seed: seedOf(7) })
      .map((each) => withHeader(imports + textOf(each), slashes));
    const after = formatted(texts, ...flags);
    expect(after).not.toEqual(texts);
    expect(after.filter((text) => !isGenerated(text)).slice(0, 3)).toEqual([]);
  },
);

it("writes literals that mean the text, in one line or one for each, without characters that are not seen", () => {
  fc.assert(
    fc.property(odd, (value) => {
      const literals = [textLiteral(value), linesLiteral(value)];
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the test
      for (const each of literals) expect(new Function(`return ${each}`)()).toBe(value);
      const seen = [literals[0]!, literals[1]!.replace(/\n/g, "")];
      // eslint-disable-next-line no-control-regex -- the test
      for (const each of seen) expect(each).not.toMatch(/[\u0000-\u001f\u2028\u2029\u202a-\u202e\ufeff]/);
      if (/\n./.test(value)) expect(literals[1]!.split("\n")).toHaveLength(value.split("\n").length);
    }),
    { numRuns: 2000 },
  );
});
