/** The arguments that a program must give for an existing object, so that it stays as it is. */
import { checkArguments, sentence } from "../schema/validate";
import type { Declaration } from "../schema/declaration";
import { defaultOf } from "../schema/field";
import { wireName } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { redacted } from "../schema/formats/redacted";
import * as time from "../schema/formats/time";
import { notReturned } from "../schema/not-returned";
import { same } from "../schema/equality";
import { holdsSecret } from "../schema/secrets";
import { isRecord, membersOf, setPaths } from "../schema/unknown";
import { pathValues } from "../provider/object-client";
import type { Json } from "../schema/json";
import { compare } from "../provider/changes";
import { outputsOf } from "../provider/state";
import type { Settings } from "../settings";

/** An existing object as a resource of a program. */
export interface Imported {
  readonly declaration: Declaration;
  readonly id: string;
  /** The arguments of the program, as the state is to hold them. */
  readonly args: Json;
  readonly outputs: Json;
}

/** Why an object cannot be managed. */
export interface LeftOut {
  readonly reason: string;
}

export interface Conditions {
  readonly settings: Settings;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  /** Arguments that the program is not to give. */
  readonly without?: readonly string[];
}

/** What the object is as a resource, or why it can be none. */
export function importedFrom(
  declaration: Declaration,
  id: string,
  answer: Json,
  { settings, now, without = [] }: Conditions,
): Imported | LeftOut {
  const path = pathValues(declaration, id);
  const seen = outputsOf(declaration, answer, path, []);
  const judge = (args: Json): string[] =>
    checkArguments(declaration.fields, declaration.rules, args, { olds: args, now }).map(sentence);
  const attempt = (secrets: boolean): Json | LeftOut => {
    try {
      const members = new Reading(secrets).members(declaration.fields, seen, answer);
      const args = { ...unstamped(declaration, settings), ...members, ...path };
      const left = [...without, ...boundsOfService(declaration, seen)];
      return Object.fromEntries(Object.entries(args).filter(([name]) => !left.includes(name)));
    } catch (error) {
      if (error instanceof Unsupported) return { reason: error.message };
      throw error;
    }
  };
  let args = attempt(false);
  if (isLeftOut(args)) return args;
  const problems = judge(args);
  if (problems.length > 0) {
    // A rule may ask for a secret that the service does not return.
    args = attempt(true);
    if (isLeftOut(args) || judge(args).length > 0) return { reason: problems.join("; ") };
  }
  const outputs = outputsOf(declaration, answer, args, setPaths(declaration.fields, args));
  const { changes, setChanged } = compare(declaration, outputs, args, settings);
  if (changes.length > 0 || setChanged) {
    return { reason: `it would change: ${changes.map((change) => change.path).join(", ")}` };
  }
  return { declaration, id, args, outputs };
}

export function isLeftOut(result: Json | Imported | LeftOut): result is LeftOut {
  return "reason" in result && typeof result.reason === "string" && Object.keys(result).length === 1;
}

class Unsupported extends Error {}

class Reading {
  /** @param everySecret whether a secret that no answer holds is taken for set. */
  constructor(private readonly everySecret: boolean) {}

  /** `seen` are the outputs of an object, `raw` is its answer. */
  members(fields: Fields, seen: unknown, raw: unknown): Record<string, unknown> {
    const args: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const { local, writeOnly } = field.traits;
      if (field.presence === "computed" || local || writeOnly) continue;
      const value = this.value(field, membersOf(seen)[name], membersOf(raw)[wireName(name, field)], name);
      if (value !== undefined) args[name] = value;
    }
    return args;
  }

  private value(field: AnyField, seen: unknown, raw: unknown, name: string): unknown {
    const isRequired = field.presence === "required";
    if (field.traits.secret) {
      const isHidden = isRequired || this.everySecret || (typeof raw === "string" && redacted(raw));
      return seen ?? (isHidden ? notReturned : undefined);
    }
    if (field.shape.kind === "object") return this.object(field, seen, raw, name);
    const restored = defaultOf(field);
    // What is not there stands for a value of its own where leaving it out means another one.
    const value = seen ?? (restored === undefined ? undefined : field.traits.absentAs);
    if (isRequired) {
      if (value === undefined) throw new Unsupported(`the answer of the service holds no ${name}`);
      return value;
    }
    return restored !== undefined && same(field, value ?? restored, restored) ? undefined : value;
  }

  private object(field: AnyField, seen: unknown, raw: unknown, name: string): unknown {
    const { shape } = field;
    if (shape.kind !== "object") return undefined;
    const isRequired = field.presence === "required";
    if (shape.alternatives) return this.alternative(field, seen, raw, name);
    if (!isRecord(seen) && !isRequired) return undefined;
    const members = this.members(shape.fields, seen, raw);
    return Object.keys(members).length > 0 || shape.whole || isRequired ? members : undefined;
  }

  /** The one of the alternatives that is set; where none is shown, the only one that is not shown because it is secret. */
  private alternative(field: AnyField, seen: unknown, raw: unknown, name: string): unknown {
    const fields = field.shape.kind === "object" ? field.shape.fields : {};
    const shown = Object.keys(fields).filter((member) => isRecord(membersOf(seen)[member]));
    if (shown.length === 0) {
      if (field.presence !== "required") return undefined;
      const secret = Object.keys(fields).filter((member) => holdsSecret(fields[member]!));
      if (secret.length !== 1)
        throw new Unsupported(`its ${name} is of a kind that the specification does not show`);
      shown.push(secret[0]!);
    }
    return Object.fromEntries(
      shown.map((member) => {
        const inner = fields[member]!.shape;
        const of = inner.kind === "object" ? inner.fields : {};
        const key = wireName(member, fields[member]!);
        return [member, this.members(of, membersOf(seen)[member], membersOf(raw)[key])];
      }),
    );
  }
}

/** With stamps on, metadata that a program leaves out gets one; the object has none and is to stay so. */
function unstamped({ fields }: Declaration, { stampMetadata }: Settings): Json {
  return stampMetadata && fields.metadata && fields.metadata.presence !== "computed" ? { metadata: "" } : {};
}

/** Clocks and the service's rounding. */
const tolerance = 120_000;

/** The bounds of a certificate's life that the service chose: a program that names them chooses them itself. */
function boundsOfService({ renewal, fields }: Declaration, outputs: Json): string[] {
  if (!renewal) return [];
  const at = (name: string): number => {
    const value = outputs[name];
    return (typeof value === "string" ? time.toInstant(value) : undefined) ?? NaN;
  };
  const [from, until, made] = [at(renewal.from), at(renewal.until), at("createdAt")];
  const isNow = Math.abs(from - made) <= tolerance;
  const hours = Math.round((until - from) / 3_600_000);
  // Early renewal is for certificates whose life is the service's, and must be shorter than that.
  const { shape } = fields[renewal.hours]!;
  const judge = shape.kind === "number" ? shape.check : () => undefined;
  const isDefault = judge(hours) !== undefined && judge(hours - 0.5) === undefined;
  return [...(isNow ? [renewal.from] : []), ...(isDefault ? [renewal.until] : [])];
}
