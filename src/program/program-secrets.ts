/** The secrets of a program: those that it gives in plaintext, and arguments that it should not make secret. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { holdsSecret, inPlaintext, isSensitive, notReturned } from "../schema/secrets";
import { plaintextHint } from "../schema/recorded-state";
import { isAbsent, isLater } from "../schema/unknown";
import { problemText } from "../schema/validate";
import { partsIn, walk } from "../schema/walk";
import type { Part } from "../schema/walk";
import { accessArguments, accessValues } from "../schema/access-fields";
import { warnLater } from "./advice";

/**
 * A hidden argument with the paths of the secrets whose values are neither secret Outputs nor from secret
 * configuration; empty where there are none. It holds paths, never values. The review reports them; the life cycle
 * ignores them.
 */
export function plaintextSecrets(fields: Fields, args: Json): Record<string, unknown> {
  const found = plaintextIn(partsIn(fields, args));
  if (found.length === 0) return {};
  const paths = joined(found);
  return plaintextHint(paths.apply((all) => (all.length > 0 ? all : undefined)));
}

/** Warns on the resource of each of these secrets. */
export function warnOfPlaintext(resource: pulumi.Resource, fields: Fields, args: Json): void {
  const found = plaintextIn(partsIn(fields, args));
  if (found.length === 0) return;
  warnLater(resource, joined(found), (paths) =>
    paths.map((path) => problemText({ path, clause: inPlaintext })),
  );
}

function plaintextIn(parts: readonly Part[]): pulumi.Output<string[]>[] {
  const found: pulumi.Output<string[]>[] = [];
  walk(parts, (part) => {
    const { field, value } = part;
    if (isAbsent(value) || !holdsSecret(field)) return false;
    if (isLater(value)) found.push(plaintextLater(part, sdk.output(value)));
    else if (isSensitive(field)) found.push(sdk.output(value === notReturned ? [] : [part.path]));
    return !isLater(value) && !field.traits.secret;
  });
  return found;
}

function plaintextLater(part: Part, later: pulumi.Output<unknown>): pulumi.Output<string[]> {
  // Every Output knows whether it is a secret, also where its value is still unknown.
  return sdk.output(sdk.isSecret(later)).apply((isSecret): pulumi.Output<string[]> => {
    if (isSecret) return sdk.output([]);
    if (isSensitive(part.field)) return sdk.output([part.path]);
    return later.apply((known) => joined(plaintextIn([part.with(known)])));
  });
}

function joined(lists: pulumi.Output<string[]>[]): pulumi.Output<string[]> {
  return sdk.all(lists).apply((each) => each.flat());
}

/**
 * Warns on the resource if an argument that decides access is a secret, so that the program hides who gets in. A review
 * of its previews reports the same as an error.
 */
export function warnOfHidden(
  resource: pulumi.Resource,
  fields: Fields,
  args: Json,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions = {},
): void {
  const marked = accessArguments(fields).filter(
    (name) => additionalSecretOutputs.includes(name) && args[name] !== undefined,
  );
  // An Output is a secret if any part of it is one, so what is inside an open one needs no look.
  const later = accessValues(fields, args, isLater);
  if (marked.length + later.length === 0) return;
  const hidden = later.map(async ({ path, value }) =>
    (await sdk.isSecret(sdk.output(value))) ? [path] : [],
  );
  warnLater(resource, Promise.all(hidden), (paths) => {
    const all = [...new Set([...marked, ...paths.flat()])];
    return all.map((path) => `${path}: is a secret, so nobody can review who gets in; pass it in plaintext`);
  });
}
