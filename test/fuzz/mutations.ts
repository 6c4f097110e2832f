/** Texts and JSON that somebody changed to deceive, to crash or to hang the reader. */
import { secretSignature } from "../../src/schema/secrets";
import fc from "../support/fast-check";
import { isRecord } from "../../src/schema/unknown";
import { codePoint } from "../support/any-text";

/** Pieces that have broken parsers, terminals and pages before. */
const pieces: readonly string[] = [
  "\u001b]0;title\u0007",
  "\u001b[2J",
  "\u009b31m",
  "\r\n",
  "\n::stop-commands::token\n",
  "\n::error::",
  "\u2028",
  "\u2029",
  "\u0000",
  "\u007f",
  "\u202e",
  "\u2066",
  "\ud800",
  "\ufeff",
  "*/ process.exit(); /*",
  "</script><script>",
  "<!-- ",
  "--!>",
  "|`[x](javascript:1)",
  "@everyone https://evil.example",
  "${process.env}",
  "__proto__",
  "constructor",
  "toString",
  "../../..",
  "%2e%2e%2f",
  "1e400",
  "-0",
  "99999999999999999999",
  "0.0.0.0/0",
  "::/0",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:60Z",
  "-----BEGIN CERTIFICATE-----",
  "-----END",
  "AAAAB3NzaC1yc2E",
  "*".repeat(30),
  "(".repeat(200),
  "[".repeat(200),
  "!".repeat(200),
  '{"a":'.repeat(50),
  "a".repeat(5000),
  "\\u",
  "\\",
  '"',
  "'",
  "`",
];

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 12 }) },
);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(400)),
  insert: fc.oneof(fc.constant(""), piece),
  repeat: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(500) }),
});

/** One of the texts with a few edits, or a text of hostile pieces alone. */
export function mutatedText(seeds: readonly string[]): fc.Arbitrary<string> {
  const edited = fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 5 })).map(([text, edits]) =>
    edits.reduce((before, { at, remove, insert, repeat }) => {
      const from = Math.floor(at * before.length);
      return before.slice(0, from) + insert.repeat(repeat) + before.slice(from + remove);
    }, text),
  );
  const made = fc.array(piece, { maxLength: 8 }).map((all) => all.join(""));
  return fc.oneof({ weight: 8, arbitrary: edited }, { weight: 1, arbitrary: made });
}

const value = fc.oneof(
  { weight: 4, arbitrary: piece },
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    "",
    [],
    {},
    [[]],
    [null],
    [{}],
  ),
  fc.constant("04da6b54-80e4-46f7-96ec-b56ff0331ba9"), // an unknown value of Pulumi
  fc.constant({ ...secretSignature, plaintext: '"x' }),
  fc.jsonValue({ maxDepth: 3 }),
);

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  how: fc.constantFrom("replace", "insert", "delete", "rename", "swap", "repeat"),
  other: fc.double({ min: 0, max: 1, noNaN: true }),
  value,
  text: piece,
});

/** One of the values with a few changes, which stays JSON. */
export function mutatedJson(seeds: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 5 })).map(([seed, changes]) => {
    let changed: unknown = structuredClone(seed);
    for (const each of changes) {
      const all = slotsOf(changed);
      const slot = all[Math.floor(each.at * all.length)];
      if (slot === undefined) return each.value;
      const { on, name } = slot;
      const old = on[name];
      if (each.how === "replace") on[name] = each.value;
      if (each.how === "insert")
        on[name] = typeof old === "string" ? cut(old, each.other, each.text) : each.value;
      if (each.how === "delete") delete on[name];
      if (each.how === "rename") {
        delete on[name];
        Object.defineProperty(on, each.text, { value: old, enumerable: true, configurable: true });
      }
      if (each.how === "swap") on[name] = structuredClone(all[Math.floor(each.other * all.length)]?.value);
      if (each.how === "repeat" && Array.isArray(on)) {
        for (let i = 0; i < 50; i++) on.push(structuredClone(old));
      }
      // What comes from outside was JSON: no holes, no undefined, no shared members.
      changed = JSON.parse(JSON.stringify(changed)) as unknown;
    }
    return changed;
  });
}

const cut = (text: string, at: number, insert: string): string => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + insert + text.slice(from);
};

interface Slot {
  readonly on: Record<string, unknown>;
  readonly name: string;
  readonly value: unknown;
}

function slotsOf(root: unknown): Slot[] {
  const found: Slot[] = [];
  const visit = (node: unknown): void => {
    if (!isRecord(node) && !Array.isArray(node)) return;
    for (const [name, member] of Object.entries(node)) {
      found.push({ on: node as Record<string, unknown>, name, value: member });
      visit(member);
    }
  };
  visit(root);
  return found;
}
