import { z } from "zod";
import type { Context } from "../context";
import { HttpError } from "./errors";
import { parseCidr } from "./cidr";
import type { JsonObject } from "../types";

/** The specification's Limits, in bytes for most resources and in characters for event subscriptions. */
const DESCRIPTION = 255;
const METADATA = 4096;

export const text = z.string();
export const flag = z.boolean();
export const strings = z.array(z.string());

/**
 * A map with any keys. z.record drops the key "__proto__", which the service keeps. `member` returns the rule that an
 * entry breaks.
 */
export const map = <T>(member: (value: unknown, key: string) => string | undefined) =>
  z
    .custom<Record<string, T>>(isObject, {
      error: ({ input }) => (input === undefined ? "is required" : "must be of type object"),
    })
    .superRefine((entries, check) => {
      for (const [key, value] of Object.entries(entries)) {
        const rule = member(value, key);
        if (rule !== undefined) check.addIssue({ code: "custom", path: [key], message: rule });
      }
    });
export const stringMap = map<string>((value) =>
  typeof value === "string" ? undefined : "must be of type string",
);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
export const uint32 = z.int({ error: "must be a whole number from 0 to 4294967295" }).min(0).max(4294967295);

const bytes = (max: number) =>
  text.refine((value) => Buffer.byteLength(value) <= max, { error: `must be at most ${max} bytes` });
const characters = (max: number) =>
  text.refine((value) => [...value].length <= max, { error: `must be at most ${max} characters` });

export const described = { description: bytes(DESCRIPTION).optional(), metadata: bytes(METADATA).optional() };
export const describedInCharacters = {
  description: characters(DESCRIPTION).optional(),
  metadata: characters(METADATA).optional(),
};

/** An id whose prefix the specification states. Several prefixes: any of them. */
export const id = (...prefixes: string[]) =>
  text.refine(
    (value) => prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length),
    {
      error: `must be an id with the prefix ${prefixes.join(" or ")}`,
    },
  );

export const nonEmpty = text.min(1, { error: "must not be empty" });

export const cidr = text.superRefine((value, check) => {
  const parsed = parseCidr(value);
  if (typeof parsed === "string") check.addIssue({ code: "custom", message: parsed });
});

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
/** Date.parse takes the 30th of February for the 1st or 2nd of March. */
const isDay = (date: string) => new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) === date;
export const time = text.refine(
  (value) => RFC3339.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  {
    error: "must be a time in RFC 3339",
  },
);

export const url = text.refine(
  (value) => {
    try {
      return /^https?:\/\//i.test(value) && URL.canParse(value);
    } catch {
      return false;
    }
  },
  { error: "must be an http or https URL" },
);

/** Checks a body against its schema. The error names every invalid field and no value. */
export function parse<T>(
  schema: z.ZodType<T>,
  input: unknown,
  isOpaque: Context["isOpaque"] = () => false,
): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.filter(({ path }) => {
    const value = path.reduce((at: unknown, name) => (at as Record<PropertyKey, unknown>)[name], input);
    return typeof value !== "string" || !isOpaque(value);
  });
  if (issues.length === 0) return input as T;
  const unknown = issues.some((issue) => issue.code === "unrecognized_keys");
  throw new HttpError(
    400,
    unknown ? "ERR_UNKNOWN_FIELD" : "ERR_VALIDATION",
    issues.map(issueMessage).join("; "),
  );
}

function issueMessage(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  const at = path === "" ? "" : `${path}: `;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${path === "" ? key : `${path}.${key}`}: unknown field`).join("; ");
  }
  if (issue.code === "invalid_value") return `${at}must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return `${at}${issue.message.endsWith("received undefined") ? "is required" : `must be of type ${issue.expected}`}`;
  }
  if (issue.code === "too_big") return `${at}must be at most ${issue.maximum}`;
  if (issue.code === "too_small" && issue.message.startsWith("Too small")) {
    return `${at}must be at least ${issue.minimum}`;
  }
  return `${at}${issue.message}`;
}

/** Drops members that are null, at every depth, as a lenient service does. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}
