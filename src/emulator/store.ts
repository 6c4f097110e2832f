import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export type Fields = Record<string, unknown>;

/** An object of the account. Its kind is a collection's path or a kind of the emulator's own. */
export interface Stored<F = Fields> {
  id: string;
  created_at: string;
  fields: F;
  /** Position in the order of creation; lists are newest first. */
  seq: number;
  /** For a copied object: the answer of its service, and the fields that the answer stands for. */
  copy?: { answer: Fields; fields: F };
}

/** Indexes of a kind, so that no check has to scan the account. */
export interface Index {
  /** Values that must be unique within the kind, by field; undefined if the value is not known. */
  unique?(fields: Fields): Record<string, string | undefined>;
  /** Ids that the object refers to. */
  refs?(fields: Fields): string[];
}

interface Kind {
  byId: Map<string, Stored>;
  /** Oldest first. */
  order: Stored[];
}

const FORMAT = 1;

/** The account: objects by kind, unique values, references and the data file. */
export class Store {
  private kinds = new Map<string, Kind>();
  /** The ids of the objects that have a value: a copied account may have a value twice. */
  private uniques = new Map<string, Set<string>>();
  /** The keys of each object in `uniques`. */
  private readonly keys = new WeakMap<Stored, readonly string[]>();
  private referrers = new Map<string, Map<string, string>>();
  /** Positions of all ids, deleted ones included: a page may start after a deleted object. */
  private positions = new Map<string, number>();
  private seq = 0;
  private written: Promise<void> = Promise.resolve();
  private nextWrite: Promise<void> | undefined;
  private changed = false;
  /** The objects changed since the last `takeChanged`, with their kinds; undefined before its first call. */
  private touched: Map<Stored, string> | undefined;

  constructor(
    private readonly indexes: Map<string, Index>,
    private readonly file?: string,
  ) {}

  async load(): Promise<void> {
    if (this.file === undefined) return;
    let text: string;
    try {
      text = await readFile(this.file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    const data = readData(text, this.file);
    for (const [kind, objects] of Object.entries(data.kinds)) {
      for (const { seq, ...object } of objects) this.insert(kind, { ...object, seq });
    }
    this.seq = data.seq;
  }

  create(kind: string, id: string, created_at: string, fields: Fields): Stored {
    const stored = { id, created_at, fields, seq: ++this.seq };
    this.insert(kind, stored);
    this.changed = true;
    return stored;
  }

  /** Stores an object of another account as it is. */
  copy(kind: string, object: Omit<Stored, "seq">): void {
    if (this.get(kind, object.id) !== undefined) throw new TypeError("another object has its id");
    this.insert(kind, { ...object, seq: ++this.seq });
    this.changed = true;
  }

  update(kind: string, stored: Stored, fields: Fields): Stored {
    this.unindex(kind, stored);
    stored.fields = fields;
    this.index(kind, stored);
    this.changed = true;
    return stored;
  }

  delete(kind: string, id: string): void {
    const stored = this.get(kind, id);
    if (stored === undefined) return;
    const { byId, order } = this.kind(kind);
    this.unindex(kind, stored);
    byId.delete(id);
    order.splice(countBefore(order, stored.seq), 1);
    this.changed = true;
  }

  get(kind: string, id: string): Stored | undefined {
    return this.kinds.get(kind)?.byId.get(id);
  }

  /** Oldest first. */
  all(kind: string): readonly Stored[] {
    return this.kinds.get(kind)?.order ?? [];
  }

  /** The position of an existing or deleted id; undefined for any other. */
  positionOf(kind: string, id: string): number | undefined {
    return this.positions.get(`${kind} ${id}`);
  }

  /** Up to `limit` objects older than a position, newest first, and whether older ones remain. */
  page(
    kind: string,
    before: number,
    limit: number,
    filter?: (stored: Stored) => boolean,
  ): { items: Stored[]; more: boolean } {
    const order = filter === undefined ? this.all(kind) : this.all(kind).filter(filter);
    const end = countBefore(order, before);
    const start = Math.max(0, end - limit);
    return { items: order.slice(start, end).reverse(), more: start > 0 };
  }

  /** Id of an object of this kind that has the unique value, if any. */
  findUnique(kind: string, field: string, value: string): string | undefined {
    return this.uniques.get(`${kind} ${field} ${value}`)?.values().next().value;
  }

  /** The objects that refer to an id, as [id, kind]. */
  referrersOf(id: string): [string, string][] {
    return [...(this.referrers.get(id) ?? [])];
  }

  /**
   * The objects changed since the last call, in the order of their first change. The first call starts the recording of changes.
   */
  takeChanged(): { kind: string; id: string }[] {
    const taken = [...(this.touched ?? [])].map(([{ id }, kind]) => ({ kind, id }));
    this.touched = new Map();
    return taken;
  }

  clear(): void {
    this.kinds = new Map();
    this.uniques = new Map();
    this.referrers = new Map();
    this.positions = new Map();
    this.changed = true;
  }

  /**
   * Resolves when all changes so far are in the data file. One write runs at a time; changes during a write share the
   * next one.
   */
  saved(): Promise<void> {
    if (this.file === undefined || (!this.changed && this.nextWrite === undefined)) return this.written;
    if (this.changed) {
      this.nextWrite ??= this.written
        .catch(() => undefined)
        .then(() => {
          this.nextWrite = undefined;
          this.changed = false;
          return this.write();
        })
        .catch((error) => {
          this.changed = true;
          throw error;
        });
      this.written = this.nextWrite;
    }
    return this.written;
  }

  private async write(): Promise<void> {
    const file = this.file!;
    const kinds = Object.fromEntries([...this.kinds].map(([name, kind]) => [name, kind.order]));
    const text = JSON.stringify({ format: FORMAT, seq: this.seq, kinds });
    const temporary = `${file}.${process.pid}.tmp`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, file);
  }

  private kind(name: string): Kind {
    let kind = this.kinds.get(name);
    if (kind === undefined) this.kinds.set(name, (kind = { byId: new Map(), order: [] }));
    return kind;
  }

  private insert(kindName: string, stored: Stored): void {
    const kind = this.kind(kindName);
    kind.byId.set(stored.id, stored);
    kind.order.push(stored);
    this.positions.set(`${kindName} ${stored.id}`, stored.seq);
    this.index(kindName, stored);
  }

  private index(kind: string, stored: Stored): void {
    this.touched?.set(stored, kind);
    const keys = this.uniqueKeys(kind, stored);
    this.keys.set(stored, keys);
    for (const key of keys) {
      const ids = this.uniques.get(key);
      if (ids === undefined) this.uniques.set(key, new Set([stored.id]));
      else ids.add(stored.id);
    }
    for (const ref of this.indexes.get(kind)?.refs?.(stored.fields) ?? []) {
      let referrers = this.referrers.get(ref);
      if (referrers === undefined) this.referrers.set(ref, (referrers = new Map<string, string>()));
      referrers.set(stored.id, kind);
    }
  }

  private unindex(kind: string, stored: Stored): void {
    this.touched?.set(stored, kind);
    for (const key of this.keys.get(stored) ?? []) {
      const ids = this.uniques.get(key);
      ids?.delete(stored.id);
      if (ids?.size === 0) this.uniques.delete(key);
    }
    for (const ref of this.indexes.get(kind)?.refs?.(stored.fields) ?? [])
      this.referrers.get(ref)?.delete(stored.id);
  }

  private uniqueKeys(kind: string, { fields }: Stored): string[] {
    const values = Object.entries(this.indexes.get(kind)?.unique?.(fields) ?? {});
    return values.flatMap(([field, value]) => (value === undefined ? [] : [`${kind} ${field} ${value}`]));
  }
}

/** The number of objects before a position. */
function countBefore(order: readonly Stored[], seq: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readData(text: string, file: string): { seq: number; kinds: Record<string, Stored[]> } {
  try {
    const data = JSON.parse(text) as { format: unknown; seq: number; kinds: Record<string, Stored[]> };
    if (data.format === FORMAT && typeof data.seq === "number" && typeof data.kinds === "object") return data;
  } catch {
    // The error below reports it.
  }
  throw new Error(`${file} is not a data file of this emulator; choose another file or remove it`);
}
