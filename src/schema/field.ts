/**
 * The field vocabulary: what a declaration says about one field. What is done with it is elsewhere.
 * Programs load this file, so it imports neither undici nor zod.
 */
import { oncePer, oncePerText } from "./once-per";
import type { Json } from "./json";
import type { GivesNoMore, Meaning } from "./meaning";

/** How a string is validated and compared, beyond being a string. */
export interface Format {
  /** Undefined when the value is right, else a clause that completes "<path> …". */
  check?(value: string): string | undefined;
  /**
   * What looks wrong about a right value, as a clause that completes "<path> …": a warning. Undefined when nothing
   * does. It never shows a secret.
   */
  advise?(value: string): string | undefined;
  /** The value as requests carry it; the default is the value itself. */
  sent?(value: string): string;
  /** The one spelling of a value: values that have it in common are one. The default is the value itself. */
  canonical?(value: string): string;
  /**
   * The value is the id of another object: the prefixes of the collections that it may belong to, or none where
   * the specification states no prefix.
   */
  readonly refersTo?: readonly string[];
  /** A value that identifies its object, such as a certificate. */
  readonly identifies?: true;
  /** A value of this form is public, even in a field that is a secret. */
  readonly isPublic?: true;
  /** The only values, if they are a fixed set of words. */
  readonly words?: readonly string[];
  /** The longest value. */
  readonly limit?: { readonly count: number; readonly unit: "bytes" | "characters" };
  /** A value of the form. It holds the label, which tells objects apart, where the form has room for it. */
  example?(label: string): string;
}

/** The one spelling of a value of the format; other text is returned as it is. */
export function canonicalOf(format: Format, value: string): string {
  return format.canonical?.(value) ?? value;
}

/** A rule over the members of an object. It is called only where the members that it reads are known. */
export interface FieldRule {
  /** The members that the rule reads. The rule is skipped where one of them holds an unknown value. */
  readonly members: readonly string[];
  /** It reads only which members are set, so unknown values inside them do not matter. */
  readonly presenceOnly?: true;
  /** What it finds is a warning: nothing states that it is wrong. */
  readonly advisory?: true;
  /** The problems found: a member's name and a clause that completes "<path> …". */
  validate(value: Json, context: ValidationContext): { member: string; problem: string }[];
}

export interface ValidationContext {
  /** The values of the previous deployment; undefined in a program, empty for a new object. */
  readonly olds?: Json;
  /** The present, in milliseconds since 1970. */
  readonly now?: number;
}

/** Whether an object is made: a rule may demand more of a new one. */
export function isNew({ olds }: ValidationContext): boolean {
  return olds !== undefined && Object.keys(olds).length === 0;
}

/**
 * A refusal by the service that may be because of one field, and what the specification says of it. The service's words
 * decide nothing, so the message calls it a possible reason.
 */
export interface Refusal {
  /** The HTTP statuses of such a refusal. */
  readonly status: readonly number[];
  /** The refusal is about a missing field; otherwise about a given one. */
  readonly missing?: true;
  /** What the specification says: a clause that completes "<path> may be the reason: …". */
  readonly clause: string;
}

/** The settings that change what an update may send. */
export interface UpdateSettings {
  readonly patchUndocumented: boolean;
}

/** Whether a change of a field replaces the object. `next` may be unknown: then only the field decides. */
export type ReplaceWhen = (change: { old: unknown; next: unknown }, settings: UpdateSettings) => boolean;

export type Shape =
  | { readonly kind: "string"; readonly format: Format }
  | {
      readonly kind: "number";
      readonly check: (value: number) => string | undefined;
      /** What looks wrong about a right value, as for a {@link Format}. */
      readonly advise?: (value: number) => string | undefined;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "list"; readonly item: AnyField; readonly ordered: boolean }
  | {
      readonly kind: "map";
      readonly value: AnyField;
      readonly key: Format;
      /** A program may give a list of objects in the place of the map. See listed.ts. */
      readonly listed?: {
        readonly item: AnyField;
        /** The member that holds what is the key of the map. */
        readonly key: string;
        /** The argument with the list where types know no union of a map and a list, as in Python. */
        readonly argument: string;
      };
      /** What looks wrong about a value because of its key. */
      readonly adviseEntry?: (key: string, value: string) => string | undefined;
    }
  | {
      readonly kind: "object";
      readonly fields: Fields;
      readonly rules: readonly FieldRule[];
      /** An update replaces it whole, so a member left out means the member's default. */
      readonly whole: boolean;
      /**
       * Its members are alternatives, so which of them is set is part of the value. `others`: an answer
       * without any of them says nothing, because one that it does not show may be set.
       */
      readonly alternatives?: { readonly others: boolean };
      /** The member whose value alone may stand for the object. */
      readonly shorthand?: string;
    };

type Kind = Shape["kind"];
export type ShapeOf<K extends Kind> = Extract<Shape, { kind: K }>;

/** The kinds of fields without parts. */
type Leaf = "string" | "number" | "boolean";
type Answers<R, K extends Kind> = { readonly [Each in K]: (shape: ShapeOf<Each>) => R };

/**
 * An answer for each kind of field; `leaf` is that for the kinds without parts that have none of their own. The
 * compiler names a kind that is forgotten.
 */
export type Visitor<R> = Answers<R, Exclude<Kind, Leaf>> &
  (Answers<R, Leaf> | (Partial<Answers<R, Leaf>> & { readonly leaf: (shape: ShapeOf<Leaf>) => R }));

/** The visitor's answer for the kind of the field. */
export function visit<R>({ shape }: AnyField, visitor: Visitor<R>): R {
  const answer = visitor[shape.kind] ?? ("leaf" in visitor ? visitor.leaf : undefined);
  return (answer as (shape: Shape) => R)(shape);
}

export type Presence = "required" | "optional" | "computed";

/**
 * What a declaration says of a field beside its shape. All are absent unless said. The word of {@link Field} that
 * sets a trait explains it.
 */
export interface Traits {
  readonly replace?: ReplaceWhen;
  readonly secret?: boolean;
  readonly writeOnly?: boolean;
  readonly essential?: boolean;
  readonly fixed?: boolean;
  readonly meaning?: Meaning;
  /** Set by `means`. */
  readonly givesNoMore?: GivesNoMore;
  readonly serviceMayChange?: boolean;
  readonly local?: boolean;
  /** `known: false` where only the service knows it. */
  readonly serverDefault?: { readonly known: boolean; readonly value?: unknown };
  /** Set by `sentDefault`, beside the known `serverDefault`. */
  readonly sentByDefault?: boolean;
  readonly emptyIsDefault?: boolean;
  /** How values look that the service itself fills in. */
  readonly filledIn?: RegExp;
  readonly absentAs?: unknown;
  readonly inPath?: boolean;
  /** Set by `named`. */
  readonly wire?: string;
  readonly within?: string;
  readonly noneWhen?: (value: unknown) => boolean;
  /** Set by `fromRef`. */
  readonly ref?: string;
  readonly afterContents?: boolean;
  /** Set by `refused`. */
  readonly refusal?: Refusal;
}

/**
 * One field of a declaration. Immutable: every word of the vocabulary returns a new field. `Argument` is what a
 * program may give: with undefined where it may leave the field out, and never where only answers hold it. `Output`
 * is what the resource shows: with undefined where it may lack the value, and never where it has no such output.
 */
export class Field<Argument, Output = Argument> {
  /** Never set: the types from which the interfaces of arguments and outputs are made. */
  declare readonly argument: Argument;
  declare readonly output: Output;

  constructor(
    readonly shape: Shape,
    readonly presence: Presence = "optional",
    readonly traits: Traits = {},
  ) {}

  private with<A = Argument, O = Output>(traits: Traits, presence = this.presence): Field<A, O> {
    return new Field<A, O>(this.shape, presence, { ...this.traits, ...traits });
  }

  /** The program must give it. */
  required(): Field<Exclude<Argument, undefined>, Exclude<Output, undefined>> {
    return this.with({}, "required");
  }

  /** Only answers hold it. */
  computed(): Field<never, Exclude<Output, undefined>> {
    return this.with({}, "computed");
  }

  /** To the compiler: though the program may leave it out, the resource always shows it. */
  alwaysShown(): Field<Argument, Exclude<Output, undefined>> {
    return this.with({});
  }

  /** To the compiler: an object may lack it. */
  maybe(): Field<Argument, Output | undefined> {
    return this.with({});
  }

  /** Create takes it and update does not: a change, or only such a change as `when` names, replaces the object. */
  replace(when: ReplaceWhen = () => true): Field<Argument, Output> {
    return this.with({ replace: when });
  }

  /**
   * Encrypted in state and masked in every output, whether or not the program marked it. A redacted or missing answer
   * keeps the prior value.
   */
  secret(): Field<Argument, Output> {
    return this.with({ secret: true });
  }

  /**
   * What its change means for others. Every argument says so, and what is inside it means the same unless it says
   * otherwise. A review must be able to read what decides who has access: hidden as a secret it is an error, and a
   * value that is not known before the deployment is reported. A review reports every change but those that give
   * nobody more.
   */
  means(meaning: Meaning, givesNoMore?: GivesNoMore): Field<Argument, Output> {
    return this.with({ meaning, givesNoMore });
  }

  /**
   * Though it decides who has access, the service may keep another value than it is sent: an authority may shorten a
   * validity and complete the extensions of a certificate.
   */
  serviceMayChange(): Field<Argument, Output> {
    return this.with({ serviceMayChange: true });
  }

  /**
   * The object does not work without it, so an answer that leaves it out hides it. Required arguments are essential
   * without this word.
   */
  essential(): Field<Argument, Output> {
    return this.with({ essential: true });
  }

  /** It is set when the object is made, and no update changes it: previews of updates know it. */
  fixed(): Field<Argument, Output> {
    return this.with({ fixed: true });
  }

  /**
   * No answer ever holds it; the state keeps what the program gave. An update of the object around it sends it only where it
   * changed itself. Where a change replaces the object, the first value for an imported object, whose own is not known, is
   * recorded without a request, and removing it from the program forgets it without one.
   */
  writeOnly(): Field<Argument, Output> {
    return this.with({ writeOnly: true });
  }

  /**
   * Known to the program and the plugin only: never sent, never an output. The state records it in a hidden output,
   * so that a change is an update that sends nothing. In the entries of a map it is the time at which an entry ends.
   */
  local(): Field<Argument, never> {
    return this.with({ local: true });
  }

  /**
   * What the service holds when the field is left out: removing the argument restores it, and leaving it
   * out equals it. Without this word it is "" for strings, [] for lists and {} for maps. Called without a
   * value it says that only the service knows.
   */
  serverDefault(...value: [Exclude<Output, undefined>?]): Field<Argument, Exclude<Output, undefined>> {
    return this.with({ serverDefault: { known: value.length === 1, value: value[0] } });
  }

  /**
   * The default is this value, and a creation that leaves the field out sends it. One field uses this word: arguments
   * of the program and of the request differ by it, and a function that adds the value to the arguments would show it
   * as set by the program.
   */
  sentDefault(value: Exclude<Output, undefined>): Field<Argument, Exclude<Output, undefined>> {
    return this.with({ serverDefault: { known: true, value }, sentByDefault: true });
  }

  /**
   * The service itself fills in values that look like this, where the default is left to it. An import leaves such a value
   * to the service: nobody can see whether somebody chose it.
   */
  filledIn(looks: RegExp): Field<Argument, Output> {
    return this.with({ filledIn: looks });
  }

  /** "" means the default, as leaving the argument out does. */
  emptyIsDefault(): Field<Argument, Output> {
    return this.with({ emptyIsDefault: true });
  }

  /**
   * An answer without it stands for this value, where the program gave an equal one. Where no `serverDefault` says what
   * removing the argument does, the API cannot remove it: check puts this value in the place of one that was taken out.
   */
  absentAs(value: Exclude<Output, undefined>): Field<Argument, Output> {
    return this.with({ absentAs: value });
  }

  /** It is a part of the object's path, and in no body and no answer. */
  inPath(): Field<Argument, Output> {
    return this.with({ inPath: true });
  }

  /** The name on the wire where it is not the snake_case of the field's name. */
  named(wire: string): Field<Argument, Output> {
    return this.with({ wire });
  }

  /** An answer holds it inside its member `member`. */
  within(member: string): Field<Argument, Output> {
    return this.with({ within: member });
  }

  /** An answer for which `says` holds stands for nothing: the output is undefined. */
  noneWhen(
    says: (value: Partial<Exclude<Output, undefined>>) => boolean,
  ): Field<Argument, Output | undefined> {
    return this.with({ noneWhen: says as (value: unknown) => boolean });
  }

  /**
   * The resource changes after all that the program declares inside the objects with these ids, and goes before it.
   */
  afterContents(): Field<Argument, Output> {
    return this.with({ afterContents: true });
  }

  /** The service's refusal of a create or update that is shown at this field. */
  refused(refusal: Refusal): Field<Argument, Output> {
    return this.with({ refusal });
  }

  /** The argument is the id (or ids) of the Ref (or Refs) that answers hold under `member`. */
  fromRef(member: string): Field<Argument, Output> {
    return this.with({ ref: member });
  }
}

export type AnyField = Field<unknown>;
export type Fields = Readonly<Record<string, AnyField>>;

/** The name of a field on the wire. */
export function wireName(name: string, field: AnyField): string {
  return field.traits.wire ?? inSnakeCase(name);
}

const inSnakeCase = oncePerText((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** The fields of an object's members; none for the other kinds. */
export function fieldsOf({ shape }: AnyField): Fields {
  return shape.kind === "object" ? shape.fields : {};
}

/** The field and all fields inside it: those of items, values and members. The outer ones come first. */
export const everyField: (field: AnyField) => readonly AnyField[] = oncePer((field: AnyField) => {
  const inner = visit<readonly AnyField[]>(field, {
    leaf: () => [],
    list: ({ item }) => [item],
    map: ({ value }) => [value],
    object: ({ fields }) => Object.values(fields),
  });
  return [field, ...inner.flatMap(everyField)];
});

const defaultOfKind: Visitor<unknown> = {
  string: () => "",
  number: () => undefined,
  boolean: () => undefined,
  list: () => [],
  map: () => ({}),
  object: () => undefined,
};

/** What the service is known to hold where the field is left out; undefined where that is not known. */
export function defaultOf(field: AnyField): unknown {
  const stated = field.traits.serverDefault;
  if (stated) return stated.known ? stated.value : undefined;
  return visit(field, defaultOfKind);
}

/** What check puts in the place of an argument that was taken out; undefined where the API can remove it. */
export function removedAs({ traits: { absentAs, serverDefault } }: AnyField): unknown {
  return serverDefault === undefined ? absentAs : undefined;
}

/**
 * What a program never set is the service's to fill in. Only a switch whose change means something, and whose default
 * the specification states, must keep that default: a restriction that somebody switches off is drift.
 */
export function keepsDefault({ traits: { meaning = "none", serverDefault } }: AnyField): boolean {
  return meaning !== "none" && serverDefault?.known === true && typeof serverDefault.value === "boolean";
}
