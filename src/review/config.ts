/** The configuration of the review: the file `.tunnel-gateway-review.json`. */
import { z } from "zod";
import { blockOf, widths } from "../access/block";
import type { Family } from "../access/block";
import { expectations } from "../access/tests";
import type { AccessTest } from "../access/tests";
import { semanticsValues, unknownSemantics } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { problem as rangeProblem } from "../schema/formats/cidr";
import { globPattern } from "../text/glob";
import { severities } from "./rule";
import { catalog } from "./rules";
import type { Silence } from "./silence";

export const configFile = ".tunnel-gateway-review.json";

/** A pull request may write the configuration, so everything in it has a limit. */
const [mostTests, mostRanges, mostCharacters] = [10_000, 100_000, 1_000];

/** The parts of zod's issues that a message needs. */
interface Issue {
  readonly path?: readonly PropertyKey[];
  readonly input?: unknown;
  /** The names that an object does not have. */
  readonly keys?: unknown;
}

/** The message of a wrong value: its setting, such as `accessTests[0].allowed`, and what is wrong. */
function says(what: string) {
  return {
    error: ({ path, keys }: Issue): string =>
      `${settingAt(path)} ${what}${Array.isArray(keys) ? `, not ${keys.join(", ")}` : ""}`,
  };
}

function settingAt(path: Issue["path"] = []): string {
  const names = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return names.join("").replace(/^\./, "") || "the file";
}

function object<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, says(`must be {${Object.keys(shape).join(", ")}}`));
}

function list<T extends z.ZodType>(form: T, most: number, what: string) {
  const error = says(`must be a list of at most ${most} ${what}`);
  return z.array(form, error).max(most, error);
}

function oneOf<const T extends string>(values: readonly T[]) {
  return z.enum(values, says(`must be one of ${values.join(", ")}`)).optional();
}

const nameRule = says(`must be a name of at most ${mostCharacters} characters`);
const nameForm = z.string(nameRule).trim().min(1, nameRule).max(mostCharacters, nameRule);

function sizeForm(family: Family) {
  const error = says(sizeRule(family));
  const form = z.union([z.number(), z.string()], error);
  return form.refine((value) => sizeOf(family, value) !== undefined, error).optional();
}

const errorFromForm = object({ ipv4: sizeForm(4), ipv6: sizeForm(6) });

function sizeRule(family: Family): string {
  return `must be a number of addresses or a prefix from /0 to /${widths[family]}`;
}

const rangeForm = z.string(says("must be a text")).refine((range) => blockOf(range) !== undefined, {
  error: ({ path, input }: Issue) => `${settingAt(path)}: ${rangeProblem(String(input))}`,
});
const rangesForm = list(rangeForm, mostRanges, "addresses and ranges");
const someRangesForm = rangesForm.min(1, says("must be a list that is not empty")).optional();

// An empty onlyFrom means that nobody is allowed.
const testForm = object({
  ...{ resource: nameForm, allowed: someRangesForm, denied: someRangesForm, notAllowed: someRangesForm },
  onlyFrom: rangesForm.optional(),
}).refine(
  (test) => Object.keys(test).length > 1,
  says(`must be a test with one or more of ${expectations.join(", ")}`),
);
const testsForm = list(testForm, mostTests, "tests");

const semanticsForm = object({
  overlap: oneOf(semanticsValues.overlap),
  unmatched: oneOf(semanticsValues.unmatched),
  empty: oneOf(semanticsValues.empty),
  policies: oneOf(semanticsValues.policies),
});

function silencesForm(ids: readonly string[]) {
  const text = z.string(says("must be a text"));
  const form = object({ rule: text, resource: text.optional(), reason: text });
  const known = form.superRefine((silence, context) => {
    for (const message of silenceProblems([silence], ids)) context.addIssue({ code: "custom", message });
  });
  return z.array(known, says("must be a list of {rule, resource, reason}"));
}

const ruleIds = catalog.map(({ id }) => id);
const urlRule = says("must be a list of URLs, such as https://api.example.com");
const urlForm = z.custom<string>(
  (url) => typeof url === "string" && URL.canParse(url),
  says("must be a URL, such as https://api.example.com"),
);

const configForm = object({
  /** Findings of this severity or a higher one fail the review; "never" fails no review. */
  failOn: oneOf([...severities, "never"]),
  /** The rate limit of the service, in requests per minute. */
  requestsPerMinute: z
    .int(says("must be a positive integer"))
    .positive(says("must be a positive integer"))
    .optional(),
  /** The size from which on a wider access is an error: a number of addresses, or a prefix such as "/8". */
  errorFrom: errorFromForm.optional(),
  /** The base URLs that a stack or a new provider may have: any other one is an error. */
  baseUrls: z.array(urlForm, urlRule).optional(),
  /** What the team has verified about what the specification leaves open. */
  semantics: semanticsForm.optional(),
  silence: silencesForm(ruleIds).default([]),
  /** What must always hold about who gets in. */
  accessTests: testsForm.default([]),
});
export type ReviewConfig = Partial<z.infer<typeof configForm>>;

/** Reads the configuration. Throws an Error that says what is wrong. */
export function readConfig(text: string): ReviewConfig {
  return valid(configForm, JSON.parse(text));
}

function valid<T>(form: z.ZodType<T>, value: unknown): T {
  const { data, error } = form.safeParse(value);
  if (error) throw new Error(error.issues[0]!.message);
  return data;
}

/** The problems of silences, one sentence each. */
export function silenceProblems(silences: readonly Silence[], ids: readonly string[] = ruleIds): string[] {
  return silences.flatMap(({ rule, reason }) => {
    const pattern = globPattern(rule);
    if (!ids.some((id) => pattern.test(id)))
      return `${rule} matches no rule; the rules are ${ids.join(", ")}`;
    return reason.trim() === "" ? `the silence of ${rule} needs a reason` : [];
  });
}

/** The silences, if they are valid. Throws an Error that says what is wrong. */
export function silencesIn(silence: unknown, ids: readonly string[]): Silence[] {
  return valid(object({ silence: silencesForm(ids) }), { silence }).silence;
}

/** The access tests, if they are valid. Throws an Error that says what is wrong. */
export function accessTestsIn(accessTests: unknown): AccessTest[] {
  return valid(object({ accessTests: testsForm }), { accessTests }).accessTests;
}

/** The setting semantics. Throws an Error that says what is wrong. */
export function semanticsIn(semantics: unknown): Semantics {
  return { ...unknownSemantics, ...valid(object({ semantics: semanticsForm }), { semantics }).semantics };
}

/** The sizes of the setting errorFrom. */
export function sizesIn({ ipv4, ipv6 }: z.infer<typeof errorFromForm>): Partial<Record<Family, bigint>> {
  return {
    ...(ipv4 !== undefined && { 4: sizeOf(4, ipv4) }),
    ...(ipv6 !== undefined && { 6: sizeOf(6, ipv6) }),
  };
}

/** A number of addresses, from a number or a prefix. Throws an Error that names the setting. */
export function sizeIn(setting: string, family: Family, value: unknown): bigint {
  const size = sizeOf(family, value);
  if (size === undefined) throw new Error(`${setting} ${sizeRule(family)}`);
  return size;
}

/** A number of addresses, from a number or a prefix; undefined for what is neither. */
function sizeOf(family: Family, value: unknown): bigint | undefined {
  const text = String(value);
  const prefix = /^\/(\d{1,3})$/.exec(text)?.[1];
  if (prefix !== undefined && Number(prefix) <= widths[family])
    return 1n << BigInt(widths[family] - Number(prefix));
  return /^[1-9]\d{0,38}$/.test(text) ? BigInt(text) : undefined;
}
