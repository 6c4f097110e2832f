/** Secrets in the Output forms of functions: only the secrets themselves are encrypted and masked. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { holdsSecret, mapSecrets } from "../schema/secrets";
import type { AnyField, Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { isAbsent } from "../schema/unknown";

/**
 * An Output whose members are Outputs: only secret members are secret Outputs. The Output as a whole is secret if it has a secret
 * member.
 */
export function withSecretMembers<T extends object>(
  fields: Fields,
  values: pulumi.Output<T>,
): pulumi.Output<T> {
  if (!Object.values(fields).some(holdsSecret)) return values;
  const whole = values.apply((known) => (hasSecret(fields, known as Json) ? sdk.secret(known) : known));
  const member = (name: string): pulumi.Output<unknown> =>
    values.apply((known) => (known as Json | undefined)?.[name]);
  return new Proxy(whole as pulumi.Output<T>, {
    get(target, name): unknown {
      if (typeof name !== "string" || (name !== "id" && fields[name] === undefined)) {
        return Reflect.get(target, name);
      }
      const field = fields[name];
      return field ? secretMember(field, member(name)) : member(name);
    },
  });
}

function secretMember(field: AnyField, value: pulumi.Output<unknown>): pulumi.Output<unknown> {
  if (field.traits.secret) return value.apply((known) => (isAbsent(known) ? known : sdk.secret(known)));
  const { shape } = field;
  if (shape.kind === "object") return withSecretMembers(shape.fields, value as pulumi.Output<object>);
  return holdsSecret(field) ? sdk.secret(value) : value;
}

/** The list as an Output. It is secret if one of its objects has a secret member. */
export function withSecretObjects<T extends object>(
  fields: Fields,
  values: pulumi.Output<T[]>,
): pulumi.Output<T[]> {
  if (!Object.values(fields).some(holdsSecret)) return values;
  return values.apply((known): pulumi.Input<unknown> => {
    const list = known as readonly Json[];
    return list.some((each) => hasSecret(fields, each)) ? sdk.secret(known) : known;
  }) as pulumi.Output<T[]>;
}

function hasSecret(fields: Fields, values: Json | undefined): boolean {
  let found = false;
  mapSecrets(fields, { ...values }, () => (found = true));
  return found;
}
