/** The configuration of the review: the file `.tunnel-gateway-review.json`. */
import { z } from "zod";
import { blockOf } from "../../schema/addresses/block";
import {
  listForm,
  objectForm,
  oneOfForm,
  settingError,
  settingAt,
  sizesForm,
  valid,
} from "../access/config-forms";
import type { Issue } from "../access/config-forms";
import { expectations } from "../access/access-tests";
import type { AccessTest } from "../access/access-tests";
import { semanticsValues, semanticsWith } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { problem as rangeProblem } from "../../schema/formats/cidr";
import { globPattern } from "../../schema/text/glob";
import { severities } from "../output/finding";
import { catalog } from "./rules";
import type { Silence } from "./silence";

/** A pull request may write the configuration, so everything in it has a limit. */
const [mostTests, mostKept, mostRanges, mostCharacters] = [10_000, 1_000, 100_000, 1_000];

const keepRule = settingError(`must be {name: list of addresses and ranges} with at most ${mostKept} names`);
const nameRule = settingError(`must be a name of at most ${mostCharacters} characters`);
const nameForm = z.string(nameRule).trim().min(1, nameRule).max(mostCharacters, nameRule);

const rangeForm = z.string(settingError("must be a text")).refine((range) => blockOf(range) !== undefined, {
  error: ({ path, input }: Issue) => `${settingAt(path)}: ${rangeProblem(String(input))}`,
});
const rangesForm = listForm(rangeForm, mostRanges, "addresses and ranges");
const someRangesForm = rangesForm.min(1, settingError("must be a list that is not empty")).optional();

// An empty onlyFrom means that nobody is allowed.
const testForm = objectForm({
  ...{ resource: nameForm, allowed: someRangesForm, denied: someRangesForm, notAllowed: someRangesForm },
  onlyFrom: rangesForm.optional(),
}).refine(
  (test) => Object.keys(test).length > 1,
  settingError(`must be a test with one or more of ${expectations.join(", ")}`),
);
const testsForm = listForm(testForm, mostTests, "tests");

const keepForm = z
  .record(nameForm, rangesForm.min(1, settingError("must be a list that is not empty")), keepRule)
  .refine((keep) => Object.keys(keep).length <= mostKept, keepRule);

const semanticsForm = objectForm({
  overlap: oneOfForm(semanticsValues.overlap),
  unmatched: oneOfForm(semanticsValues.unmatched),
  empty: oneOfForm(semanticsValues.empty),
  policies: oneOfForm(semanticsValues.policies),
});

function silencesForm(ids: readonly string[]) {
  const text = z.string(settingError("must be a text"));
  const form = objectForm({ rule: text, resource: text.optional(), reason: text });
  const known = form.superRefine((silence, context) => {
    for (const message of silenceProblems([silence], ids)) context.addIssue({ code: "custom", message });
  });
  return z.array(known, settingError("must be a list of {rule, resource, reason}"));
}

const ruleIds = catalog.map(({ id }) => id);
const urlRule = settingError("must be a list of URLs, such as https://api.example.com");
const urlForm = z.custom<string>(
  (url) => typeof url === "string" && URL.canParse(url),
  settingError("must be a URL, such as https://api.example.com"),
);

const configForm = objectForm({
  /** Findings of this severity or a higher one fail the review; "never" fails no review. */
  failOn: oneOfForm([...severities, "never"]),
  /** The rate limit of the service, in requests per minute. */
  requestsPerMinute: z
    .int(settingError("must be a positive integer"))
    .positive(settingError("must be a positive integer"))
    .optional(),
  /** The size from which on a wider access is an error: a number of addresses, or a prefix such as "/8". */
  errorFrom: sizesForm.optional(),
  /** The base URLs that a stack or a new provider may have: any other one is an error. */
  baseUrls: z.array(urlForm, urlRule).optional(),
  /** What the team has verified about what the specification leaves open. */
  semantics: semanticsForm.optional(),
  silence: silencesForm(ruleIds).default([]),
  /** What must always hold about who gets in. */
  accessTests: testsForm.default([]),
  /** The ranges that must not lose what they can reach, by name. */
  keepAccess: keepForm.optional(),
});
export type ReviewConfig = Partial<z.infer<typeof configForm>>;

/** Reads the configuration. Throws an Error that says what is wrong. */
export function readConfig(text: string): ReviewConfig {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`, { cause: error });
  }
  return valid(configForm, config);
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

/** The silences, if they are valid. Throws an Error that says what is wrong. @public: the policy pack loads it when it needs it. */
export function silencesIn(silence: unknown, ids: readonly string[]): Silence[] {
  return valid(objectForm({ silence: silencesForm(ids) }), { silence }).silence;
}

/** The access tests, if they are valid. Throws an Error that says what is wrong. @public: the policy pack loads it when it needs it. */
export function accessTestsIn(accessTests: unknown): AccessTest[] {
  return valid(objectForm({ accessTests: testsForm }), { accessTests }).accessTests;
}

/** The setting semantics. Throws an Error that says what is wrong. @public, as {@link accessTestsIn}. */
export function semanticsIn(semantics: unknown): Semantics {
  return semanticsWith(valid(objectForm({ semantics: semanticsForm }), { semantics }).semantics);
}
