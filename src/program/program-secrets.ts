/** The secrets of a program: those that it gives in plaintext, and arguments that it should not mark as secret. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { stampIn } from "../schema/metadata";
import {
  holdsSecret,
  inPlaintext,
  isSensitive,
  markInProgram,
  notReturned,
  secretsOfCreation,
} from "../schema/secrets";
import { plaintextHint, urnHint } from "../schema/recorded-state";
import { hasUnknown, isAbsent, mapDeep, unknown } from "../schema/unknown";
import type { Declaration } from "../schema/declaration";
import { checkArguments, problemText } from "../schema/validate";
import { visible } from "./program-arguments";
import type { Constructed } from "./program-arguments";
import { nativeTokenPrefix, tokenPrefix } from "./shim";
import { headingOf, programLine, report } from "./program-errors";
import { partsIn, walk } from "../schema/walk";
import type { Part } from "../schema/walk";
import { accessArguments, accessValues } from "../schema/access-fields";
import { warnLater } from "./advice";

/** The paths of the secrets whose values are neither secret Outputs nor from secret configuration. */
export type PlaintextPaths = pulumi.Output<string[]>;

/** Undefined if the arguments contain no secret. */
export function plaintextSecrets(fields: Fields, args: Json): PlaintextPaths | undefined {
  const found = plaintextIn(partsIn(fields, args));
  return found.length === 0 ? undefined : joined(found);
}

/** The arguments of an object with secrets: each marked and checked, with hints for the review and the life cycle. */
export function secretArguments(own: Constructed, plaintext: PlaintextPaths | undefined): Json {
  const { declaration, name, args } = own;
  return {
    ...markInProgram(declaration.fields, { ...args, ...checkedSecrets(declaration, name, args) }),
    ...hintOfPlaintext(plaintext),
    ...ownerHint(own),
  };
}

/**
 * A hidden argument with the URN, if the creation of the object writes a mark with its owner. The engine passes the URN only to
 * a native provider.
 */
function ownerHint({ door, declaration, name, args, opts }: Constructed): Json {
  const { fields, type } = declaration;
  const isMarked = secretsOfCreation(fields).length > 0 && stampIn(args.metadata) !== undefined;
  if (door.knowsUrns || !isMarked) return {};
  const urn = sdk.createUrn(name, tokenPrefix + type, opts.parent);
  // A resource that moves to the native provider keeps its owner.
  return urnHint(urn.apply((text) => text.replaceAll(tokenPrefix, nativeTokenPrefix)));
}

/** A hidden argument with the paths, never with values. The review reports them; the life cycle ignores them. */
export function hintOfPlaintext(paths: PlaintextPaths | undefined): Record<string, unknown> {
  return paths === undefined ? {} : plaintextHint(paths.apply((all) => (all.length > 0 ? all : undefined)));
}

/** Warns on the resource of each of these secrets, with the line of the program. Only the program knows it. */
export function warnOfPlaintext(
  resource: pulumi.Resource,
  type: string,
  name: string,
  found: PlaintextPaths | undefined,
): void {
  if (found === undefined) return;
  const at = new Error();
  warnLater(resource, found, (paths) =>
    paths.map(
      (path) => `${headingOf(type, name, programLine(at))}: ${problemText({ path, clause: inPlaintext })}`,
    ),
  );
}

function plaintextIn(parts: readonly Part[]): pulumi.Output<string[]>[] {
  const found: pulumi.Output<string[]>[] = [];
  walk(parts, (part) => {
    const { field, value } = part;
    if (isAbsent(value) || !holdsSecret(field)) return false;
    if (sdk.isLater(value)) found.push(plaintextLater(part, sdk.output(value)));
    else if (isSensitive(field)) found.push(sdk.output(value === notReturned ? [] : [part.path]));
    return !sdk.isLater(value) && !field.traits.secret;
  });
  return found;
}

function plaintextLater(part: Part, later: pulumi.Output<unknown>): pulumi.Output<string[]> {
  // Every Output knows whether it is a secret, even if its value is still unknown.
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
 * The secret arguments, with a check of those that are known at once, such as values of the configuration. The check includes
 * what they must fit, such as a private key and its certificate. The life cycle checks values that other resources give later.
 */
function checkedSecrets(
  { type, fields, rules }: Pick<Declaration, "type" | "fields" | "rules">,
  name: string,
  given: Json,
): Json {
  const seen = visible(given);
  const names = Object.keys(given).filter(
    (each) => Object.hasOwn(fields, each) && holdsSecret(fields[each]!) && hasUnknown(seen[each]),
  );
  if (names.length === 0) return {};
  const at = new Error();
  let isFirstTurn = true;
  setImmediate(() => (isFirstTurn = false));
  const known = new Map<unknown, unknown>();
  const valueOf = (later: unknown): unknown => (known.has(later) ? known.get(later) : unknown);
  const checked = (later: unknown, value: unknown): unknown => {
    known.set(later, value);
    const all = mapDeep(given, (each) => (sdk.isLater(each) ? valueOf(each) : each)) as Json;
    const problems = isFirstTurn ? checkArguments(fields, rules, all, {}) : [];
    return problems.length === 0 ? value : report(type, name, problems, at).__invalid;
  };
  // An Output of the whole argument would make all of it a secret.
  const withChecks = (later: unknown): unknown =>
    sdk.output(later as pulumi.Input<string>).apply((value) => checked(later, value));
  return Object.fromEntries(
    names.map((each) => [
      each,
      mapDeep(given[each], (value) => (sdk.isLater(value) ? withChecks(value) : value)),
    ]),
  );
}

/** Warns on the resource if an argument that decides access is a secret. A review reports the same as an error. */
export function warnOfHidden(
  resource: pulumi.Resource,
  fields: Fields,
  args: Json,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions,
): void {
  const marked = accessArguments(fields).filter(
    (name) => additionalSecretOutputs.includes(name) && args[name] !== undefined,
  );
  // An Output is a secret if any part of it is one, so the parts need no check.
  const later = accessValues(fields, args, sdk.isLater);
  if (marked.length + later.length === 0) return;
  const hidden = later.map(async ({ path, value }) =>
    (await sdk.isSecret(sdk.output(value))) ? [path] : [],
  );
  warnLater(resource, Promise.all(hidden), (paths) => {
    const all = [...new Set([...marked, ...paths.flat()])];
    return all.map((path) => `${path}: is a secret, so nobody can review who gets in; pass it in plaintext`);
  });
}
