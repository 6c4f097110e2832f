/** Warns where a program hides who gets in: a review of its previews reports the same as an error. */
import * as pulumi from "@pulumi/pulumi";
import { accessArguments, accessValues } from "../schema/access-fields";
import type { Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { isLater } from "../schema/unknown";
import { warnLater } from "./advice";

/** Warns on the resource if an argument that decides access is a secret. */
export function warnOfHidden(
  resource: pulumi.Resource,
  fields: Fields,
  args: Json,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions = {},
): void {
  const marked = accessArguments(fields).filter(
    (name) => additionalSecretOutputs.includes(name) && args[name] !== undefined,
  );
  // An Output is a secret if any part of it is one, so what is inside of an open one needs no look.
  const later = accessValues(fields, args, isLater);
  if (marked.length + later.length === 0) return;
  const hidden = later.map(async ({ path, value }) =>
    (await pulumi.isSecret(pulumi.output(value))) ? [path] : [],
  );
  warnLater(resource, Promise.all(hidden), (paths) => {
    const all = [...new Set([...marked, ...paths.flat()])];
    return all.map((path) => `${path}: is a secret, so nobody can review who gets in; pass it in plaintext`);
  });
}
