/**
 * The unmatched objects of an account, by class, stamp and texts, so that a create is compared with only a few of thousands of
 * rules.
 */
import { canonicalOf, defaultOf } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { stampIn, stampText } from "../../schema/metadata";
import type { Stamp } from "../../schema/metadata";
import { hasUnknown } from "../../schema/unknown";
import type { AccountObject } from "../inventory/account-contents";

export class FreeObjects {
  private readonly free: Set<AccountObject>;
  private readonly byClass: ReadonlyMap<Declaration, readonly AccountObject[]>;
  private readonly byStamp: ReadonlyMap<string, readonly AccountObject[]>;
  private readonly byTexts = new Map<string, ReadonlyMap<string, readonly AccountObject[]>>();

  /** Malformed answers are left out. */
  constructor(objects: readonly AccountObject[]) {
    const usable = objects.filter(({ problem }) => problem === undefined);
    this.free = new Set(usable);
    this.byClass = Map.groupBy(usable, ({ declaration }) => declaration);
    this.byStamp = Map.groupBy(usable, ({ declaration, answer }) => {
      const stamp = stampIn(answer.metadata);
      return stamp ? declaration.type + stampText(stamp) : "";
    });
  }

  has(object: AccountObject): boolean {
    return this.free.has(object);
  }

  take(object: AccountObject): void {
    this.free.delete(object);
  }

  ofClass(declaration: Declaration): AccountObject[] {
    return (this.byClass.get(declaration) ?? []).filter((each) => this.free.has(each));
  }

  /** The object whose metadata names the resource. */
  stampedFor(declaration: Declaration, stamp: Stamp): AccountObject | undefined {
    return this.byStamp.get(declaration.type + stampText(stamp))?.find((each) => this.free.has(each));
  }

  /** The objects of the class that may have these values: their texts have the same meaning. */
  like(declaration: Declaration, values: Json): AccountObject[] {
    const { fields } = declaration;
    const names = Object.keys(fields).filter(
      (name) => isShown(name, fields[name]!) && values[name] !== undefined && !hasUnknown(values[name]),
    );
    if (names.length === 0) return this.ofClass(declaration);
    const key = (of: Json): string => JSON.stringify(names.map((name) => textOf(fields[name]!, of[name])));
    const named = `${declaration.type} ${names.join(" ")}`;
    const index =
      this.byTexts.get(named) ??
      Map.groupBy(this.byClass.get(declaration) ?? [], ({ values }) => key(values));
    this.byTexts.set(named, index);
    return (index.get(key(values)) ?? []).filter((each) => this.free.has(each));
  }
}

/** Whether answers show the text as sent. A mark may replace metadata. */
function isShown(name: string, { shape, presence, traits }: AnyField): boolean {
  const isHidden = [traits.secret, traits.writeOnly, traits.local, traits.inPath].includes(true);
  return shape.kind === "string" && presence !== "computed" && !isHidden && name !== "metadata";
}

/** The canonical spelling of a text; "" for its default, which is also the value of a missing text. */
function textOf(field: AnyField, value: unknown): string {
  const { shape } = field;
  if (shape.kind !== "string" || typeof value !== "string") return "";
  const standard = defaultOf(field);
  const text = canonicalOf(shape.format, value);
  return typeof standard === "string" && text === canonicalOf(shape.format, standard) ? "" : text;
}
