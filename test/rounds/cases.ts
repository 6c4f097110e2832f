/** One object of each class with its arguments before and after a change in place, beside what the table seeds. */
import { declarations } from "../../src/resources/registry";
import { history } from "./subject";
import { subjects } from "./table";
import { sealingKey } from "./values";

type Json = Readonly<Record<string, unknown>>;

export interface Case {
  readonly type: string;
  readonly before: Json;
  readonly after: Json;
}

/** The objects of the account that stand for other resources of the table. */
const outside: Readonly<Record<string, string>> = {
  "@group": "bkdtg_out",
  "@response": "bkdhr_out",
  "@policy": "ipp_one",
};

function standing(args: Json): Json {
  const text = JSON.stringify(args).replaceAll(/@[\w-]+/g, (name) => outside[name]!);
  return JSON.parse(text) as Json;
}

const sealTo = sealingKey();

/** Those that the table does not have. */
const others: readonly Case[] = [
  {
    type: "IpPolicyRuleSet",
    before: { ipPolicyId: "ipp_one", rules: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" } },
    after: { ipPolicyId: "ipp_one", rules: { "10.0.0.0/8": "deny", "198.51.100.0/24": "allow" } },
  },
  {
    type: "RotatingApiKey",
    before: { rotateAfterDays: 30, overlapDays: 3, description: "one", sealTo },
    after: { rotateAfterDays: 30, overlapDays: 3, description: "two", sealTo },
  },
];

export const cases: readonly Case[] = declarations.map(({ type }) => {
  const other = others.find((each) => each.type === type);
  if (other) return other;
  const ofType = subjects.filter((each) => each.type === type);
  const isInPlace = ({ changes }: (typeof subjects)[number]) => changes.some(({ op }) => op === "update");
  const subject = ofType.find(isInPlace) ?? ofType[0]!;
  const states = history(subject);
  const change = subject.changes.findIndex(({ op }) => op === "update");
  // A class without any change in place stays as it is.
  const [before, after] = change < 0 ? [states[0]!, states[0]!] : [states[change]!, states[change + 1]!];
  return { type, before: standing(before), after: standing(after) };
});
