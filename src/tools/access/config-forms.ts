/** The forms of the values in configuration files. The message of a wrong value begins with its setting. */
import { z } from "zod";
import { widths } from "../../schema/addresses/block";
import type { Family } from "../../schema/addresses/block";
import { nearest } from "../../schema/text/nearest";
import { shortened } from "../../schema/text/phrase";

/** The parts of zod's issues that a message needs. */
export interface Issue {
  readonly path?: readonly PropertyKey[];
  readonly input?: unknown;
  /** The names that an object does not have. */
  readonly keys?: unknown;
}

/** The message of a wrong value: its setting, such as `accessTests[0].allowed`, and what is wrong. */
export function settingError(what: string) {
  return { error: ({ path }: Issue): string => `${settingAt(path)} ${what}` };
}

export function settingAt(path: Issue["path"] = []): string {
  const names = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return names.join("").replace(/^\./, "") || "the file";
}

export function objectForm<T extends z.ZodRawShape>(shape: T) {
  const members = Object.keys(shape);
  const { error: wrong } = settingError(`must be {${members.join(", ")}}`);
  return z.strictObject(shape, {
    error: (issue: Issue): string =>
      Array.isArray(issue.keys) ? unknownMember(issue.path, String(issue.keys[0]), members) : wrong(issue),
  });
}

function unknownMember(path: Issue["path"] = [], name: string, members: readonly string[]): string {
  const meant = nearest(name, members);
  return (
    `${settingAt([...path, shortened(name, 100)])} is not known: ` +
    `${meant === undefined ? "" : `did you mean ${meant}? `}${settingAt(path)} may have ${members.join(", ")}`
  );
}

export function listForm<T extends z.ZodType>(form: T, most: number, what: string) {
  const error = settingError(`must be a list of at most ${most} ${what}`);
  return z.array(form, error).max(most, error);
}

export function oneOfForm<const T extends string>(values: readonly T[]) {
  return z.enum(values, settingError(`must be one of ${values.join(", ")}`)).optional();
}

export function valid<T>(form: z.ZodType<T>, value: unknown): T {
  const { data, error } = form.safeParse(value);
  if (error) throw new Error(error.issues[0]!.message);
  return data;
}

function sizeForm(family: Family) {
  const error = settingError(sizeRule(family));
  const form = z.union([z.number(), z.string()], error);
  return form.refine((value) => sizeOf(family, value) !== undefined, error).optional();
}

/** Numbers of addresses by family. */
export const sizesForm = objectForm({ ipv4: sizeForm(4), ipv6: sizeForm(6) });

function sizeRule(family: Family): string {
  return `must be a number of addresses or a prefix from /0 to /${widths[family]}`;
}

/** The sizes by family. */
export function sizesIn({ ipv4, ipv6 }: z.infer<typeof sizesForm>): Partial<Record<Family, bigint>> {
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
