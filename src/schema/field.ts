/**
 * The field vocabulary: what a declaration states about one field. Other files act on it.
 * Programs load this file, so it imports neither undici nor zod.
 */
import { oncePer, oncePerText } from "./once-per";
import type { Json } from "./json";
import type { GivesNoMore, Meaning } from "./meaning";

/** How a string is validated and compared, beyond being a string. */
export interface Format {
  /** Undefined if the value is valid, else a clause that completes "<path> …". */
  check?(value: string): string | undefined;
  /**
   * A warning about a valid value that looks wrong: a clause that completes "<path> …", without secrets. Undefined if there
   * is none.
   */
  advise?(value: string): string | undefined;
  /** The value as requests carry it; the default is the value itself. */
  sent?(value: string): string;
  /** The canonical spelling of a value: values with the same one are equal. The default is the value itself. */
  canonical?(value: string): string;
  /**
   * The value is the id of another object: the prefixes of the collections that it may belong to, or none if
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
  /** A valid value. It contains the label, which distinguishes objects, if the format has room for it. */
  example?(label: string): string;
}

/** The canonical spelling of a value of the format; other text is returned unchanged. */
export function canonicalOf(format: Format, value: string): string {
  return format.canonical?.(value) ?? value;
}

/** A rule over several members of an object. */
export interface FieldRule {
  /** The members that the rule reads. The rule is skipped if one of them contains an unknown value. */
  readonly members: readonly string[];
  /** It reads only which members are set, so unknown values inside them do not matter. */
  readonly presenceOnly?: true;
  /** What it finds is a warning, because the specification does not forbid it. */
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

/** Whether the object is new: a rule may demand more of a new one. */
export function isNew({ olds }: ValidationContext): boolean {
  return olds !== undefined && Object.keys(olds).length === 0;
}

/**
 * A refusal by the service that one field may have caused, and what the specification says about it. The text of the refusal
 * decides nothing, so the message calls it a possible reason.
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
      /** A warning about a valid value, as for a {@link Format}. */
      readonly advise?: (value: number) => string | undefined;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "list"; readonly item: AnyField; readonly ordered: boolean }
  | {
      readonly kind: "map";
      readonly value: AnyField;
      readonly key: Format;
      /** A program may give a list of objects instead of the map. See listed.ts. */
      readonly listed?: {
        readonly item: AnyField;
        /** The member that holds the key of the map. */
        readonly key: string;
        /** The argument for the list in languages without a union of a map and a list, such as Python. */
        readonly argument: string;
      };
      /** A warning about a value that does not suit its key. */
      readonly adviseEntry?: (key: string, value: string) => string | undefined;
    }
  | {
      readonly kind: "object";
      readonly fields: Fields;
      readonly rules: readonly FieldRule[];
      /** An update replaces it whole, so a member left out means the member's default. */
      readonly whole: boolean;
      /**
       * Its members are alternatives, so which of them is set is part of the value. `others`: an alternative that answers do
       * not show may be set, so an answer without any of them says nothing.
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

/** A function for each kind of field. `leaf` serves the kinds without parts that have no function themselves. */
export type Visitor<R> = Answers<R, Exclude<Kind, Leaf>> &
  (Answers<R, Leaf> | (Partial<Answers<R, Leaf>> & { readonly leaf: (shape: ShapeOf<Leaf>) => R }));

/** Calls the visitor's function for the kind of the field. */
export function visit<R>({ shape }: AnyField, visitor: Visitor<R>): R {
  const answer = visitor[shape.kind] ?? ("leaf" in visitor ? visitor.leaf : undefined);
  return (answer as (shape: Shape) => R)(shape);
}

export type Presence = "required" | "optional" | "computed";

/** What a declaration states about a field beside its shape. The method of {@link Field} that sets a trait explains it. */
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
  /** `known: false` if only the service knows it. */
  readonly serverDefault?: { readonly known: boolean; readonly value?: unknown };
  readonly emptyIsDefault?: boolean;
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
 * One field of a declaration. Immutable: every method returns a new field. `Argument` is what a program may give: it includes
 * undefined if the field is optional, and is never if only answers hold the field. `Output` is what the resource shows: it
 * includes undefined if the value may be missing, and is never if there is no such output.
 */
export class Field<Argument, Output = Argument> {
  /** Never set: the interfaces of arguments and outputs are inferred from these types. */
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

  /** For the compiler: the resource always shows it, even if the program leaves it out. */
  alwaysShown(): Field<Argument, Exclude<Output, undefined>> {
    return this.with({});
  }

  /** For the compiler: an object may lack it. */
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
   * What a change of it means for other people. Every argument states it; members inherit it unless they state another. A
   * review must be able to read what decides access: if such a value is secret, that is an error, and a value that is not
   * known before the deployment is reported. A review reports every change except those that grant nothing more.
   */
  means(meaning: Meaning, givesNoMore?: GivesNoMore): Field<Argument, Output> {
    return this.with({ meaning, givesNoMore });
  }

  /**
   * The service may keep another value than it is sent, although the value decides access: an authority may shorten the
   * validity of a certificate and complete its extensions.
   */
  serviceMayChange(): Field<Argument, Output> {
    return this.with({ serviceMayChange: true });
  }

  /**
   * The object does not work without it: an answer that leaves it out hides it, and a creation sends its known default.
   * Required arguments are essential without this word.
   */
  essential(): Field<Argument, Output> {
    return this.with({ essential: true });
  }

  /** It is set at creation and no update changes it, so previews of updates know it. */
  fixed(): Field<Argument, Output> {
    return this.with({ fixed: true });
  }

  /**
   * No answer ever holds it; the state keeps what the program gave. An update of the object around it sends it only if this
   * field itself changed. If a change replaces the object, the first value given for an imported object is recorded without a
   * request, and so is its removal from the program.
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
   * What the service holds if the field is left out: removing the argument restores it, and leaving it out equals it. The
   * default without this word is "" for strings, [] for lists and {} for maps. Without a value, only the service knows it.
   */
  serverDefault(...value: [Exclude<Output, undefined>?]): Field<Argument, Exclude<Output, undefined>> {
    return this.with({ serverDefault: { known: value.length === 1, value: value[0] } });
  }

  /**
   * The service fills in values that match this pattern if the field is left out. An import leaves such a value to the
   * service, because it may not have been chosen by anyone.
   */
  filledIn(looks: RegExp): Field<Argument, Output> {
    return this.with({ filledIn: looks });
  }

  /** "" means the default, as leaving the argument out does. */
  emptyIsDefault(): Field<Argument, Output> {
    return this.with({ emptyIsDefault: true });
  }

  /**
   * An answer without it means this value, if the program gave an equal one. Without a `serverDefault` the API cannot remove
   * the argument: if the program removes it, the check sets this value instead.
   */
  absentAs(value: Exclude<Output, undefined>): Field<Argument, Output> {
    return this.with({ absentAs: value });
  }

  /** It is a part of the object's path, and in no body and no answer. */
  inPath(): Field<Argument, Output> {
    return this.with({ inPath: true });
  }

  /** The name on the wire if it is not the snake_case of the field's name. */
  named(wire: string): Field<Argument, Output> {
    return this.with({ wire });
  }

  /** An answer holds it inside its member `member`. */
  within(member: string): Field<Argument, Output> {
    return this.with({ within: member });
  }

  /** The output is undefined if the test holds for the answer. */
  noneWhen(
    test: (value: Partial<Exclude<Output, undefined>>) => boolean,
  ): Field<Argument, Output | undefined> {
    return this.with({ noneWhen: test as (value: unknown) => boolean });
  }

  /** The resource changes after all that the program declares inside the objects with these ids; it is deleted before it. */
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

/** Whether the service may have filled in the value itself. */
export function isFilledIn({ traits: { filledIn } }: AnyField, value: unknown): value is string {
  return typeof value === "string" && filledIn?.test(value) === true;
}

/** What the service holds if the field is left out; undefined if that is not known. */
export function defaultOf(field: AnyField): unknown {
  const stated = field.traits.serverDefault;
  if (stated) return stated.known ? stated.value : undefined;
  return visit(field, defaultOfKind);
}

/** What the check sets for an argument that the program removed; undefined if the API can remove it. */
export function removedAs({ traits: { absentAs, serverDefault } }: AnyField): unknown {
  return serverDefault === undefined ? absentAs : undefined;
}

/**
 * Whether another value than the default is drift, although the program never set the field. The service may fill in most
 * fields; but a switch with a meaning and a stated default must keep it, such as a restriction that is switched off by hand.
 */
export function keepsDefault({ traits: { meaning = "none", serverDefault } }: AnyField): boolean {
  return meaning !== "none" && serverDefault?.known === true && typeof serverDefault.value === "boolean";
}
