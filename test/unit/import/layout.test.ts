import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { importText, statementText } from "../../../src/import/layout";
import type { Expression, Member } from "../../../src/import/layout";
import { textLiteral } from "../../../src/import/literal";

/** Files as prettier with its defaults would write them; jest cannot load prettier itself. */
function formatted(texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-format-"));
  try {
    texts.forEach((text, i) => writeFileSync(join(folder, `${String(i).padStart(5, "0")}.ts`), text));
    const prettier = resolve(__dirname, "../../../node_modules/prettier/bin/prettier.cjs");
    execFileSync(process.execPath, [prettier, "--no-config", "--write", "--log-level=error", folder], {
      stdio: "pipe",
    });
    return readdirSync(folder)
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const odd = fc.oneof(
  fc.string({ maxLength: 90 }),
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    '"',
    "'",
    `'"`,
    "`${x}`",
    "\\",
    '\\"',
    "a\nb",
    "\u2028",
    "\u202e",
    "",
    "日本語".repeat(20),
    "👩‍👩‍👧",
  ),
);
const text = odd.map((value): Expression => ({ kind: "text", value }));
const variable = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,45}$/).map((name): string => `v${name}`);
const id = variable.map((name): Expression => ({ kind: "id", variable: name }));
const code = fc
  .constantFrom("true", "1000", "notReturned")
  .map((value): Expression => ({ kind: "code", code: value }));
const secret = variable.map((value): Expression => ({
  kind: "call",
  callee: "config.requireSecret",
  argument: { kind: "text", value },
}));
const list = fc
  .array(fc.oneof(text, id), { maxLength: 6 })
  .map((items): Expression => ({ kind: "list", items }));
const sources = fc.array(fc.stringMatching(/^[a-z_]{1,30}$/), { maxLength: 6 }).map((types): Expression => ({
  kind: "list",
  items: types.map((value): Expression => ({
    kind: "object",
    members: [{ key: "type", value: { kind: "text", value } }],
  })),
}));
const weights = fc.array(fc.tuple(id, code), { minLength: 1, maxLength: 4 }).map((pairs): Expression => ({
  kind: "call",
  callee: "weights",
  argument: { kind: "list", items: pairs.map((items): Expression => ({ kind: "list", items })) },
}));
const leaf = fc.oneof(text, id, code, secret, list, sources, weights);
const names = fc.stringMatching(/^[a-z][A-Za-z]{3,24}$/);
const comments = fc.option(fc.constant(["The service does not return it."]), { nil: undefined });
const fields = (value: fc.Arbitrary<Expression>): fc.Arbitrary<Member[]> =>
  fc.uniqueArray(fc.record({ key: fc.oneof(names, fc.constantFrom("id", "url", "body")), value, comments }), {
    selector: ({ key }) => key,
    maxLength: 4,
  });
const userMap = fc.dictionary(odd, text, { maxKeys: 4 }).map((entries): Expression => ({
  kind: "object",
  members: Object.entries(entries).map(([key, value]) => ({ key, value })),
}));
const object = fields(fc.oneof(leaf, userMap)).map((members): Expression => ({ kind: "object", members }));

it("is laid out as prettier does it, whatever the values are", () => {
  const statement = fc
    .record({
      variable,
      className: fc.constantFrom("IpPolicy", "TcpEdge", "HttpsEdgeRouteWebhookVerification"),
      name: fc.stringMatching(/^[a-z0-9-]{1,53}$/),
      args: fields(fc.oneof(leaf, object)),
      options: fc.constantFrom(
        [],
        [["protect", "true"]] as const,
        [
          ["protect", "true"],
          ["provider", "partner"],
        ] as const,
      ),
    })
    .map((value) => `${statementText(value)}\n`);
  const texts = fc.sample(statement, { numRuns: 1500, seed: 7 });
  const after = formatted(texts);
  const different = texts.flatMap((before, i) => (before === after[i] ? [] : [{ before, after: after[i] }]));
  expect(different.slice(0, 3)).toEqual([]);
});

it("writes imports as prettier does it", () => {
  const some = fc.tuple(fc.array(names, { minLength: 1, maxLength: 6 }), fc.constant("./policies"));
  const texts = fc.sample(some, { numRuns: 100, seed: 7 }).map((each) => `${importText(...each)}\n`);
  expect(formatted(texts)).toEqual(texts);
});

it("writes literals that mean the text, in one line, without characters that are not seen", () => {
  fc.assert(
    fc.property(odd, fc.boolean(), (value, asciiOnly) => {
      const literal = textLiteral(value, asciiOnly);
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the test
      expect(new Function(`return ${literal}`)()).toBe(value);
      // eslint-disable-next-line no-control-regex -- the test
      expect(literal).not.toMatch(/[\u0000-\u001f\u2028\u2029\u202a-\u202e\ufeff]/);
    }),
    { numRuns: 2000 },
  );
});
