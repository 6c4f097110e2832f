/** Derives arguments from the service's answer about an object. */
import { same } from "../../schema/equality";
import { defaultOf, fieldsOf, isFilledIn, wireName } from "../../schema/field";
import type { AnyField, Fields, ShapeOf } from "../../schema/field";
import { redacted } from "../../schema/formats/text";
import { notReturned, holdsSecret } from "../../schema/secrets";
import { isRecord, membersOf } from "../../schema/unknown";

/** No arguments describe the object; the message gives the reason. */
export class UnsupportedObject extends Error {}

export class AnswerReader {
  /** @param everySecret whether a secret that is missing in the answer counts as set. */
  constructor(private readonly everySecret: boolean) {}

  /** The arguments among the members of an object: `outputs` are its outputs, `raw` is its answer. */
  members(fields: Fields, outputs: unknown, raw: unknown): Record<string, unknown> {
    const args: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const { local, writeOnly } = field.traits;
      if (field.presence === "computed" || local || writeOnly) continue;
      const value = this.value(field, membersOf(outputs)[name], membersOf(raw)[wireName(name, field)], name);
      if (value !== undefined) args[name] = value;
    }
    return args;
  }

  private value(field: AnyField, output: unknown, raw: unknown, name: string): unknown {
    const isRequired = field.presence === "required";
    if (field.traits.secret) {
      const isHidden = isRequired || this.everySecret || (typeof raw === "string" && redacted(raw));
      return output ?? (isHidden ? notReturned : undefined);
    }
    if (field.shape.kind === "object") {
      if (field.shape.alternatives) return this.alternative(field, output, raw, name);
      return this.object(field.shape, isRequired, output, raw);
    }
    const restored = defaultOf(field);
    // If leaving the argument out means another value, give the absent value explicitly.
    const value = output ?? (restored === undefined ? undefined : field.traits.absentAs);
    if (isRequired) {
      if (value === undefined) throw new UnsupportedObject(`the answer of the service has no ${name}`);
      return value;
    }
    if (isFilledIn(field, value)) return undefined;
    // If the service chooses the default, also leave out the value that an absent answer stands for.
    const leftOut = restored ?? field.traits.absentAs;
    return leftOut !== undefined && same(field, value ?? leftOut, leftOut) ? undefined : value;
  }

  private object(shape: ShapeOf<"object">, isRequired: boolean, output: unknown, raw: unknown): unknown {
    if (!isRecord(output) && !isRequired) return undefined;
    const members = this.members(shape.fields, output, raw);
    return Object.keys(members).length > 0 || shape.whole || isRequired ? members : undefined;
  }

  /** The alternative that is set. If the answer shows none, it is the only alternative that contains a secret. */
  private alternative(field: AnyField, output: unknown, raw: unknown, name: string): unknown {
    const fields = fieldsOf(field);
    const shown = Object.keys(fields).filter((member) => isRecord(membersOf(output)[member]));
    if (shown.length === 0) {
      if (field.presence !== "required") return undefined;
      const secret = Object.keys(fields).filter((member) => holdsSecret(fields[member]!));
      if (secret.length !== 1) {
        throw new UnsupportedObject(`its ${name} is of a kind that the specification does not show`);
      }
      shown.push(secret[0]!);
    }
    return Object.fromEntries(
      shown.map((member) => {
        const inner = fields[member]!;
        const answer = membersOf(raw)[wireName(member, inner)];
        return [member, this.members(fieldsOf(inner), membersOf(output)[member], answer)];
      }),
    );
  }
}
