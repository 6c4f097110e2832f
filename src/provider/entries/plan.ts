/** What has to be done so that a parent's objects are the entries of a set: decided here, carried out by the run. */
import type { Declaration, EntrySet } from "../../schema/declaration";
import { defaultOf, fieldsOf, wireName } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import { same } from "../../schema/equality";
import { entryArguments, entryField, entryKeyOf } from "../../schema/entry-set";
import { membersOf } from "../../schema/unknown";
import type { Json } from "../../schema/json";
import type { AcceptedValue } from "../../schema/recorded-state";
import type { Deviation } from "../life-cycle/accepted";
import { fromWire } from "../wire";

/** One entry as the program or the state has it. */
export interface SetEntry {
  /** The entry's key in canonical spelling. */
  readonly key: string;
  /** The arguments of its object, with defaults in the place of what the entry leaves out. */
  readonly args: Json;
  /** Of a state's entry that the service keeps in another form: the arguments that were sent. */
  readonly sent?: Json;
}

export interface EntryPlan {
  /** Entries without an object. */
  readonly create: readonly SetEntry[];
  /** Entries whose objects cannot become what they want: they are deleted first, because a key can exist only once. */
  readonly replace: readonly { readonly entry: SetEntry; readonly objects: readonly Json[] }[];
  readonly update: readonly EntryUpdate[];
  /** Objects that are no entry any more. */
  readonly remove: readonly Json[];
  /** Objects that neither the state nor the program names: no preview showed their removal, so they stay. */
  readonly unseen: readonly Json[];
  /** Entries whose key such an object has. */
  readonly blocked: readonly SetEntry[];
  /** Entries whose objects have the form that the service made of them: they stay as they are. */
  readonly accepted: readonly SetEntry[];
}

/** An object that becomes what its entry says. */
export interface EntryUpdate {
  readonly entry: SetEntry;
  readonly object: Json;
  /** The arguments that are sent. */
  readonly changed: Json;
  /** The entry of the state. */
  readonly known: SetEntry | undefined;
}

export class EntryPlanner {
  /** The fields of an entry that its key does not hold. */
  private readonly fields: readonly [string, AnyField][];

  constructor(
    private readonly declaration: Declaration,
    private readonly set: EntrySet,
  ) {
    const members = Object.entries(fieldsOf(entryField(declaration, set)));
    this.fields = members.filter(([, { traits }]) => !traits.local);
  }

  /** The entries of a program or a state, by canonical key. */
  entriesOf(values: Json, acceptedValues: readonly AcceptedValue[] = []): Map<string, SetEntry> {
    const { declaration, set } = this;
    const accepted = new Map(acceptedValues.map(({ at, sent }) => [at[1]!, sent]));
    return new Map(
      Object.entries(membersOf(values[set.entries])).map(([spelling, value]): [string, SetEntry] => {
        const key = entryKeyOf(declaration, set, spelling);
        const args = entryArguments(declaration, set, values, key, value);
        const sent = accepted.get(spelling);
        if (sent === undefined) return [key, { key, args }];
        return [key, { key, args, sent: entryArguments(declaration, set, values, key, sent) }];
      }),
    );
  }

  /**
   * @param wanted the entries of the program.
   * @param known the entries of the state: what a preview could show the end of.
   * @param held the objects of the parent.
   * @param owned whether the set answers for the key.
   */
  plan(
    wanted: ReadonlyMap<string, SetEntry>,
    known: ReadonlyMap<string, SetEntry>,
    held: readonly Json[],
    owned: (key: string) => boolean,
  ): EntryPlan {
    const plan = {
      create: [] as SetEntry[],
      replace: [] as EntryPlan["replace"][number][],
      update: [] as EntryPlan["update"][number][],
      remove: [] as Json[],
      unseen: [] as Json[],
      blocked: [] as SetEntry[],
      accepted: [] as SetEntry[],
    };
    const byKey = this.byKey(held);
    for (const entry of wanted.values()) {
      const objects = byKey.get(entry.key) ?? [];
      const before = known.get(entry.key);
      const [unseen, seen] = this.partition(objects, [before, entry]);
      plan.unseen.push(...unseen);
      const fitting = seen.filter((object) => this.isOfKind(object, entry));
      const object = fitting.find((each) => this.isEntry(each, entry, before)) ?? fitting[0];
      if (object !== undefined) {
        const changed = this.changes(object, entry, before);
        if (Object.keys(changed).length > 0) plan.update.push({ entry, object, changed, known: before });
        else if (before?.sent && !this.isEntry(object, entry)) plan.accepted.push(this.kept(object, entry));
        // The service may hold a key more than once; only one of the objects is the entry.
        plan.remove.push(...seen.filter((each) => each !== object));
      } else if (unseen.length > 0) plan.blocked.push(entry);
      else if (objects.length > 0) plan.replace.push({ entry, objects });
      else plan.create.push(entry);
    }
    for (const [key, objects] of byKey) {
      if (wanted.has(key)) continue;
      const [unseen, seen] = this.partition(objects, [known.get(key)]);
      plan.remove.push(...seen);
      if (owned(key)) plan.unseen.push(...unseen);
    }
    return plan;
  }

  /** The objects by canonical key. */
  byKey(objects: readonly Json[]): Map<string, Json[]> {
    return Map.groupBy(objects, (object) => this.keyIn(object));
  }

  keyIn(object: Json): string {
    return entryKeyOf(this.declaration, this.set, String(this.valueIn(object, this.set.key)));
  }

  /** Whether the object has what no update can change of the entry. */
  private isOfKind(object: Json, { args }: SetEntry): boolean {
    return this.fixed().every(([name, field]) => this.isSame(object, name, field, args));
  }

  /** Whether the object is just what the entry says; with the entry of the state, in a form that was accepted or not. */
  isEntry(object: Json, entry: SetEntry, known?: SetEntry): boolean {
    return Object.keys(this.changes(object, entry, known)).length === 0;
  }

  /** The entry as the service keeps it. */
  kept(object: Json, { key, args }: SetEntry): SetEntry {
    const values = this.fields.map(([name, field]): [string, unknown] => [
      name,
      this.decoded(object, name, field),
    ]);
    return { key, args: { ...args, ...Object.fromEntries(values) }, sent: args };
  }

  /**
   * What an answer to a write of the entry keeps of those of its values that decide who has access; undefined where it
   * keeps them as they were sent.
   */
  otherMeaning(answer: Json, { key, args }: SetEntry): Deviation | undefined {
    const name = this.set.key;
    const kept = this.valueIn(answer, name);
    if (this.keyIn(answer) !== key) return { name, sent: args[name], kept };
    const other = this.fixed().find(([each, field]) => !this.isSame(answer, each, field, args));
    return other && { name: other[0], sent: args[other[0]], kept: this.valueIn(answer, other[0]) };
  }

  /** What an answer to an update left as the object and the state had it; undefined where it left nothing so. */
  ignored(answer: Json, { entry, object, changed, known }: EntryUpdate): Deviation | undefined {
    if (known === undefined) return undefined;
    const name = Object.keys(changed).find((each) => {
      const field = this.fieldOf(each);
      const isLeft = (args: Json): boolean => this.isSame(answer, each, field, args);
      return (
        !isLeft(entry.args) && isLeft(known.args) && isLeft({ [each]: this.decoded(object, each, field) })
      );
    });
    return name === undefined
      ? undefined
      : { name, sent: entry.args[name], kept: this.valueIn(answer, name) };
  }

  /** What no update can change of an object but its key and its parent, as a text. */
  kindOf(values: Json): string {
    return this.fixed()
      .map(([name]) => String(values[name] ?? this.valueIn(values, name)))
      .join(", ");
  }

  /** Whether the entry or object takes back what others open. */
  isClosing(values: Json): boolean {
    const { argument, closing } = this.set.precedence;
    return (values[argument] ?? this.valueIn(values, argument)) === closing;
  }

  private isStandIn(object: Json): boolean {
    const marks = Object.entries(this.set.precedence.standIn);
    return marks.every(([name, mark]) => this.valueIn(object, name) === mark);
  }

  /** The objects that none of the entries stands for, and the others. */
  private partition(
    objects: readonly Json[],
    entries: readonly (SetEntry | undefined)[],
  ): [unseen: Json[], seen: Json[]] {
    const isSeen = (object: Json): boolean =>
      this.isStandIn(object) || entries.some((entry) => entry !== undefined && this.isOfKind(object, entry));
    return [objects.filter((object) => !isSeen(object)), objects.filter(isSeen)];
  }

  /** The arguments of the entry that an update sends. @param known the entry of the state. */
  private changes(object: Json, { args }: SetEntry, known?: SetEntry): Json {
    const changed = this.fields.filter(([name, field]) => {
      if (this.isSame(object, name, field, args)) return false;
      const isAccepted = known?.sent !== undefined && same(field, known.sent[name], args[name]);
      return !isAccepted || !this.isSame(object, name, field, known.args);
    });
    return Object.fromEntries(changed.map(([name]) => [name, args[name]]));
  }

  private isSame(object: Json, name: string, field: AnyField, args: Json): boolean {
    // So it is for most values of a large set, and it costs much less.
    if ((this.valueIn(object, name) ?? defaultOf(field)) === args[name]) return true;
    return same(field, this.decoded(object, name, field), args[name]);
  }

  private decoded(object: Json, name: string, field: AnyField): unknown {
    return fromWire({ [name]: field }, object, {})[name] ?? defaultOf(field);
  }

  private fieldOf(name: string): AnyField {
    return this.set.of.fields[name]!;
  }

  private fixed(): readonly [string, AnyField][] {
    return this.fields.filter(([name]) => this.set.of.fields[name]!.traits.replace !== undefined);
  }

  private valueIn(object: Json, name: string): unknown {
    return object[wireName(name, this.set.of.fields[name]!)];
  }
}
