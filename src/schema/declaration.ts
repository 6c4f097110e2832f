/** The declarations: what a collection or module of the API is, for all code that works on it. */
import type * as pulumi from "@pulumi/pulumi";
import { pluralOf } from "./text/phrase";
import type { Fields, FieldRule } from "./field";
import type { ArgumentName, FieldsIn } from "./inferred";
import type { Json } from "./json";
import type { OccupiedAddresses } from "./occupied-addresses";
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
  /** The prefix of the ids that the service gives, if the specification states one. */
  readonly idPrefix?: string;
  /** The key of the list answer; undefined where the API has no list. */
  readonly listKey?: string;
  /** The list's path if it is not the collection's; a `{name}` stands for the id of the list's owner. */
  readonly listPath?: string;
  /** The fields that a table of the objects shows beside the id; nested ones as `outer.inner`. */
  readonly columns: readonly string[];
  /** For a list that also holds objects of other classes: which objects belong to this one, and what the others are. */
  readonly only?: { test(object: Json): boolean; readonly otherwise: string };
  readonly fields: Fields;
  readonly rules: readonly FieldRule[];
  /** Whether an update replaces the object whole, so that what is left out falls back to its default. */
  readonly whole: boolean;
  /**
   * The arguments that no two objects of a collection may have in common, together. If a replacement changes none of them, the
   * old object is deleted first.
   */
  readonly unique?: readonly string[];
  /** The object is valid for a time only. */
  readonly validity?: Validity;
  /** The arguments whose values are renewed in time, without a change of the program, for an object with these outputs. */
  readonly renews?: (outputs: Json) => readonly string[];
  /** What an object without principals permits: a clause, such as "it is valid for all hosts". */
  readonly withoutPrincipals?: string;
  /** Style "ruleSet": the declaration of the rules in the set. See rule-set.ts. */
  readonly setOf?: Declaration;
  /** Style "rotation": the declaration of the objects that the resource rotates. */
  readonly rotates?: Declaration;
  /** What a preview says about a change beside its lines, from the state and the new arguments. */
  readonly notes?: (state: Json, args: Json) => string[];
  /**
   * The argument by which clients reach the object: its addresses, or the key that they know. Two objects, one before and one
   * after a deployment, with the same value are one place, even if their names and ids differ.
   */
  readonly address?: string;
  /** The addresses in `address` of an object with these values, if no other object may serve them. */
  readonly occupies?: (values: Json) => OccupiedAddresses;
  /** The secret in the answer to a creation that a program can have sealed, so that no state keeps it. See seal.ts. */
  readonly seals?: Sealing;
  /** The access that a new object grants: a clause about its holder. */
  readonly grants?: string;
  /** What decides whether a client's traffic passes the object, or what it belongs to. */
  readonly gates?: readonly Gate[];
  /** What to do if the service refuses the object because another one conflicts with it. */
  readonly conflictAdvice?: string;
}

/** Something that traffic must pass. */
export interface Gate {
  /** What it decides by: the client's address, who signs in, the request's signature, or rules of the user's own. */
  readonly by: "address" | "signIn" | "signature" | "trafficPolicy";
  /** The words for it: "sign-in by OIDC". */
  readonly what: string;
  /** The argument that holds its settings; undefined if the resource as a whole is the gate. */
  readonly argument?: string;
  /** The member of the settings to show: the issuer, the provider. */
  readonly detail?: string;
}

/** The fields of a secret that only the answer to a creation holds, and of its sealed form. */
export interface Sealing<Name extends string = string> {
  readonly secret: Name;
  /** The argument with the public key. If it is given, `as` replaces the secret. */
  readonly to: Name;
  /** The output with the sealed secret. */
  readonly as: Name;
}

/** The names of the arguments that decide when an object is valid, and how long it is valid by default. */
export interface Validity<Name extends string = string> {
  readonly from: Name;
  readonly until: Name;
  /** The local argument from which each creation computes `until`. */
  readonly forHours: Name;
  /** The local argument that says how long before `until` the object is replaced. */
  readonly renewalHours: Name;
  /** How long the object is valid by default, in hours. */
  readonly defaultHours: number;
}

/** What a collection's file states. The rest of the declaration is derived. */
interface CommonSpec<F>
  extends
    Pick<Declaration, "type" | "group" | "path">,
    Partial<Pick<Declaration, "conflictAdvice" | "gates" | "grants" | "notes">> {
  /** Default: the class's name in words. */
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
  /** Default: the path without its first slash. */
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

/** A member of another object, created by POST to its parent and addressed by path. It never changes. */
interface MemberSpec<F>
  extends CommonSpec<F>, Required<Pick<Declaration, "listPath" | "listKey" | "columns">> {
  readonly style: "member";
}

/** All or some of the rules of a policy as one resource, whose id and path are the policy's. */
interface RuleSetSpec<F> extends CommonSpec<F>, Required<Pick<Declaration, "setOf">> {
  readonly style: "ruleSet";
}

/**
 * A current and a previous object of a collection as one resource, which regularly replaces the current one.
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

/** Completes the declaration of a collection from what its file states. */
export function declarationFor<F extends FieldsIn<F>>(spec: Spec<F>): DeclarationOf<F> {
  const fields = spec.fields as unknown as Fields;
  const noun = spec.noun ?? wordsOf(spec.type);
  noteSecrets(fields);
  if ("idPrefix" in spec && spec.idPrefix !== undefined) nameOwner(spec.idPrefix, noun);
  const style = spec.style ?? "collection";
  const common = {
    ...{ whole: style === "singleton", rules: [], columns: [] },
    ...(style === "collection" && { listKey: spec.path.slice(1) }),
  };
  const declaration: DeclarationOf<F> = { ...common, ...spec, style, noun, plural: pluralOf(noun), fields };
  if (declaration.occupies) occupying.push(declaration);
  return declaration;
}

const occupying: Declaration[] = [];

/** The declarations of objects that occupy addresses. */
export function occupyingDeclarations(): readonly Declaration[] {
  return occupying;
}

/** The name of a class in words: "IP policy rule". */
function wordsOf(type: string): string {
  const words = type.match(/[A-Z][a-z]+/g) ?? [];
  return words
    .map((word) => (/^(Api|Http|Ip|Ssh|Tcp|Tls)$/.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(" ");
}

/**
 * The arguments that an object with these values must not have in common with another one, together. An address counts,
 * although the specification does not say so: with two objects at an address it is not known whose gates decide, and some
 * services refuse the second object. An address that nothing serves for a moment is closed.
 */
export function uniqueArguments(
  { unique, address, occupies }: Declaration,
  values: Json,
): readonly string[] | undefined {
  const { addresses, isShared } = occupies?.(values) ?? { addresses: [], isShared: false };
  return unique ?? (addresses.length > 0 && !isShared ? [address!] : undefined);
}

/**
 * Whether a replacement always has the unique arguments of the object that it replaces, because changing them never replaces
 * the object. Only one of the two can exist, so Pulumi must delete the old one first.
 */
export function isAlwaysTwin(declaration: Declaration, args: Json): boolean {
  const names = uniqueArguments(declaration, args);
  return names?.every((name) => declaration.fields[name]?.traits.replace === undefined) === true;
}

// Links public classes and functions to their declarations. The registry derives from these links.
const key = Symbol("declaration");

/** Links a class or function to its declaration. Subclasses inherit the link. */
export function followsDeclaration<T extends object>(value: T, declaration: Declaration): T {
  return Object.defineProperty(value, key, { value: declaration });
}

/** The declaration of a class or function; undefined for anything else. */
export function declarationBehind(value: unknown): Declaration | undefined {
  return typeof value === "function" ? (value as { [key]?: Declaration })[key] : undefined;
}
