/** The declarations: what a collection or module of the API is, for all code that works on it. */
import type * as pulumi from "@pulumi/pulumi";
import { pluralOf } from "./text/phrase";
import type { Fields, FieldRule } from "./field";
import type { ArgumentName, FieldsIn } from "./inferred";
import type { Json } from "./json";
import type { OccupiedAddresses } from "./addresses";
import { nameOwner } from "./formats/id";
import { noteSecrets } from "./secrets";

/** The plain values of a resource's outputs. */
export type StateOf<R> = ValuesOf<Omit<R, keyof pulumi.CustomResource>>;

/** Members that are mapped by `keyof` alone keep their documentation. */
type ValuesOf<Outputs> = {
  -readonly [K in keyof Outputs]: Outputs[K] extends pulumi.Output<infer T> ? T : never;
};

/** Collections that belong together. */
export interface Group {
  /** A name that is fit for a file. */
  readonly name: string;
  /** What its collections hold: the heading of a section. */
  readonly title: string;
}

export interface Declaration {
  /** The class's name, and the last part of its type token. */
  readonly type: string;
  /** The words for one object in a message: "IP policy rule". */
  readonly noun: string;
  /** The words for several objects: "IP policy rules". */
  readonly plural: string;
  readonly group: Group;
  /**
   * The collection's path. For objects that are addressed by path its `{name}` segments are arguments, and
   * together they are the id, in this order, joined by "/".
   */
  readonly path: string;
  /** How objects come to be and change. */
  readonly style: "collection" | "singleton" | "member" | "ruleSet" | "rotation";
  /** The prefix of the ids that the service gives, where the specification states one. */
  readonly idPrefix?: string;
  /** The key of the list answer; undefined where the API has no list. */
  readonly listKey?: string;
  /** The list's path where it is not the collection's; a `{name}` stands for the id of the list's owner. */
  readonly listPath?: string;
  /** The fields that a table of the objects shows beside the id; nested ones as `outer.inner`. */
  readonly columns: readonly string[];
  /**
   * Where the list holds other objects too: which of them belong to the declaration, and what the others are. One
   * collection uses it: readers and `orphans` ask before they take an answer for an object of the class.
   */
  readonly only?: { test(object: Json): boolean; readonly otherwise: string };
  readonly fields: Fields;
  readonly rules: readonly FieldRule[];
  /** Whether an update replaces the object whole, so that what is left out falls back to its default. */
  readonly whole: boolean;
  /**
   * The arguments that no two objects of a collection may share, together. Where a replacement changes none of them the old
   * object is deleted first.
   */
  readonly unique?: readonly string[];
  /** The object is valid for a time only. */
  readonly validity?: Validity;
  /** The arguments that an object with these outputs gets new values of in time, without a change of the program. */
  readonly renews?: (outputs: Json) => readonly string[];
  /** What an object without principals is good for: a clause, such as "it is valid for all hosts". */
  readonly withoutPrincipals?: string;
  /** Of the style "ruleSet": the declaration of the rules that the resource has all or some of. See rule-set.ts. */
  readonly setOf?: Declaration;
  /** Of the style "rotation": the declaration of the objects of which the resource has a current and a previous one. */
  readonly rotates?: Declaration;
  /** What a preview says about a change beside its lines, from the state and the new arguments. */
  readonly notes?: (state: Json, args: Json) => string[];
  /**
   * The argument with what clients reach the object by: addresses, or the key that they know. An object before a deployment and
   * one after it with the same value are one place, whatever their names and ids are.
   */
  readonly address?: string;
  /** The addresses in `address` of an object with these values, where no other object may serve the same ones. */
  readonly occupies?: (values: Json) => OccupiedAddresses;
  /** The secret of a creation that a program may have sealed, so that nothing keeps it. See seal.ts. */
  readonly seals?: Sealing;
  /** What a new object lets somebody do who could not do it before: a clause about its holder. */
  readonly grants?: string;
  /** What decides whether a client's traffic passes the object, or what it belongs to. */
  readonly gates?: readonly Gate[];
  /** The way out for a user where the service refuses the object because another one stands in its way. */
  readonly conflictAdvice?: string;
}

/** Something that traffic must pass. */
export interface Gate {
  /** What it decides by: the client's address, who signs in, the request's signature, or rules of the user's own. */
  readonly by: "address" | "signIn" | "signature" | "trafficPolicy";
  /** The words for it: "sign-in by OIDC". */
  readonly what: string;
  /** The argument that holds its settings; undefined where the resource as a whole is the gate. */
  readonly argument?: string;
  /** The member of the settings that says most: the issuer, the provider. */
  readonly detail?: string;
}

/** Names of fields: a secret that only the answer to a creation holds, and what is about its sealed form. */
export interface Sealing<Name extends string = string> {
  readonly secret: Name;
  /** The argument with the public key. Where it is given, `as` takes the place of the secret. */
  readonly to: Name;
  /** The output with the sealed secret. */
  readonly as: Name;
}

/** The time in which an object is valid: the names of the arguments that bound it, and what a program says of it. */
export interface Validity<Name extends string = string> {
  readonly from: Name;
  readonly until: Name;
  /** The local argument from which each creation computes `until`. */
  readonly forHours: Name;
  /** The local argument that says how long before `until` the object is replaced. */
  readonly renewalHours: Name;
  /** How long the object is valid where the program does not say, in hours. */
  readonly defaultHours: number;
}

/** What a collection's file says of it; the rest of its declaration follows. */
interface CommonSpec<F>
  extends
    Pick<Declaration, "type" | "group" | "path">,
    Partial<Pick<Declaration, "conflictAdvice" | "gates" | "grants" | "notes">> {
  /** Stated where it is not the class's name in words. */
  readonly noun?: string;
  readonly fields: F;
  readonly rules?: readonly FieldRule[];
  readonly seals?: Sealing<keyof F & string>;
}

/** A collection whose objects get their id from the service: POST, GET, PATCH and DELETE. */
interface CollectionSpec<F>
  extends
    CommonSpec<F>,
    Pick<Declaration, "idPrefix" | "columns" | "listPath" | "only" | "withoutPrincipals" | "occupies"> {
  readonly style?: "collection";
  /** Stated where it is not the path without its slash. */
  readonly listKey?: string;
  readonly unique?: readonly ArgumentName<F>[];
  readonly renews?: (outputs: Json) => readonly ArgumentName<F>[];
  readonly address?: ArgumentName<F>;
  readonly validity?: Validity<ArgumentName<F>>;
}

/** A module that is addressed by path: PUT, GET and DELETE. */
interface SingletonSpec<F> extends CommonSpec<F> {
  readonly style: "singleton";
}

/** A member of another object, made by POST to its parent and then addressed by path; it never changes. */
interface MemberSpec<F>
  extends CommonSpec<F>, Required<Pick<Declaration, "listPath" | "listKey" | "columns">> {
  readonly style: "member";
}

/** All or some of the rules of a policy as one resource, whose id and path are the policy's. */
interface RuleSetSpec<F> extends CommonSpec<F>, Required<Pick<Declaration, "setOf">> {
  readonly style: "ruleSet";
}

/**
 * A current and a previous object of a collection as one resource, which replaces the current one by a new one in time.
 * It has the arguments `rotateAfterDays` and `overlapDays`, and the outputs `keyId`, `previousKeyId`, `rotatedAt` and
 * `rotatesAfter`.
 */
interface RotationSpec<F> extends CommonSpec<F>, Required<Pick<Declaration, "rotates">> {
  readonly style: "rotation";
}

export type Spec<F> = CollectionSpec<F> | SingletonSpec<F> | MemberSpec<F> | RuleSetSpec<F> | RotationSpec<F>;

/** A declaration whose fields' types the compiler knows. */
export interface DeclarationOf<F> extends Declaration {
  /** Never set. */
  readonly types?: F;
}

/** The declaration of which a collection's file gives the parts. */
export function declarationFor<F extends FieldsIn<F>>(spec: Spec<F>): DeclarationOf<F> {
  const fields = spec.fields as unknown as Fields;
  const noun = spec.noun ?? wordsOf(spec.type);
  noteSecrets(fields);
  if ("idPrefix" in spec && spec.idPrefix !== undefined) nameOwner(spec.idPrefix, noun);
  const common = { whole: false, rules: [], columns: [], ...ofStyle(spec) };
  const style = spec.style ?? "collection";
  const declaration: DeclarationOf<F> = { ...common, ...spec, style, noun, plural: pluralOf(noun), fields };
  if (declaration.occupies) occupying.push(declaration);
  return declaration;
}

const occupying: Declaration[] = [];

/** The declarations of objects that occupy addresses. */
export function occupyingDeclarations(): readonly Declaration[] {
  return occupying;
}

/** What the style of a collection decides, unless its file says otherwise. */
function ofStyle<F>(spec: Spec<F>): Partial<Declaration> {
  switch (spec.style) {
    case "singleton":
      return { whole: true };
    case "member":
    case "ruleSet":
    case "rotation":
      return {};
    default:
      return { listKey: spec.path.slice(1) };
  }
}

/** The name of a class in words: "IP policy rule". */
function wordsOf(type: string): string {
  const words = type.match(/[A-Z][a-z]+/g) ?? [];
  return words
    .map((word) => (/^(Api|Http|Ip|Ssh|Tcp|Tls)$/.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(" ");
}

/**
 * The arguments that an object with these values and another one must not share, together. An address is one of them though
 * no statement says so: at an address with two objects nobody knows which of the two gates decides, and services were seen to
 * refuse the second one. An address that nothing serves for a moment is closed.
 */
export function uniqueArguments(
  { unique, address, occupies }: Declaration,
  values: Json,
): readonly string[] | undefined {
  const { addresses, isShared } = occupies?.(values) ?? { addresses: [], isShared: false };
  return unique ?? (addresses.length > 0 && !isShared ? [address!] : undefined);
}

/**
 * Whether every replacement has the same unique arguments as the object it replaces, because no change of them replaces the
 * object. Only one of the two can exist, so Pulumi must delete the old one first.
 */
export function isAlwaysTwin(declaration: Declaration, args: Json): boolean {
  const names = uniqueArguments(declaration, args);
  return names?.every((name) => declaration.fields[name]?.traits.replace === undefined) === true;
}

// Ties the classes and functions of the public surface to their declarations, so that the registry derives from them.
const key = Symbol("declaration");

/** Marks a class or function as one of the declaration; a class's subclasses are marked too. */
export function followsDeclaration<T extends object>(value: T, declaration: Declaration): T {
  return Object.defineProperty(value, key, { value: declaration });
}

/** The declaration that a class or function was made for; undefined for anything else. */
export function declarationBehind(value: unknown): Declaration | undefined {
  return typeof value === "function" ? (value as { [key]?: Declaration })[key] : undefined;
}
