/** The statement of one resource. */
import type { AnyField, Fields } from "../schema/field";
import { notReturned } from "../schema/not-returned";
import { isRecord } from "../schema/unknown";
import { statementText } from "./layout";
import type { Expression, Member } from "./layout";
import { takesId } from "./plan";
import type { Planned } from "./plan";

/** A secret that the program takes from the stack's configuration. */
interface ConfigSecret {
  readonly key: string;
  /** What the service returned. */
  readonly value: string;
  /** Where it belongs: `HttpsEdgeRouteOidc login: clientSecret`. */
  readonly place: string;
}

/** A secret that nobody but its owner knows. */
interface MissingSecret {
  readonly key: string;
  readonly place: string;
}

/** What one resource adds to its file. */
export interface Block {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly variable: string;
  readonly text: string;
  readonly uses: Uses;
  readonly secrets: readonly ConfigSecret[];
  readonly missing: readonly MissingSecret[];
}

/** What the block needs from elsewhere. */
export interface Uses {
  readonly variables: ReadonlySet<string>;
  readonly config: boolean;
  readonly notReturned: boolean;
  readonly weights: boolean;
}

export interface CodeOptions {
  readonly protect: boolean;
  /** The variable of an explicit provider. */
  readonly provider?: string;
  /** The variable of the resource with the id, if this resource may refer to it. */
  readonly refer: (id: string) => string | undefined;
}

export function blockFor(resource: Planned, options: CodeOptions): Block {
  const writer = new Writer(resource, options);
  const { declaration, args, id, name, variable } = resource;
  const comments = [`// ${id}`, ...tokenComment(resource)];
  const text = statementText({
    variable,
    className: declaration.type,
    name,
    args: writer.members(declaration.fields, args, ""),
    options: [
      ...(options.protect ? [["protect", "true"] as const] : []),
      ...(options.provider === undefined ? [] : [["provider", options.provider] as const]),
    ],
  });
  const { uses, secrets, missing } = writer;
  if (options.provider !== undefined) uses.variables.add(options.provider);
  return {
    id,
    type: declaration.type,
    name,
    variable,
    text: `${comments.join("\n")}\n${text}\n`,
    uses,
    secrets,
    missing,
  };
}

/** Of a secret that only the answer to the creation held nothing can be set. */
function tokenComment({ declaration: { fields } }: Planned): string[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.presence === "computed" && fields[name]!.traits.secret)
    .map(
      (name) =>
        `// Its ${name} was shown once, when it was made, and is not known here: the output is undefined.`,
    );
}

class Writer {
  readonly uses = { variables: new Set<string>(), config: false, notReturned: false, weights: false };
  readonly secrets: ConfigSecret[] = [];
  readonly missing: MissingSecret[] = [];

  constructor(
    private readonly resource: Planned,
    private readonly options: CodeOptions,
  ) {}

  members(fields: Fields, values: Readonly<Record<string, unknown>>, prefix: string): Member[] {
    return Object.entries(fields).flatMap(([name, field]): Member[] => {
      const path = prefix + name;
      if (field.presence === "computed" || field.traits.local) return [];
      if (field.traits.writeOnly) return this.unset(field, name, path);
      const value = values[name];
      if (value === undefined) return [];
      if (field.traits.secret) return [this.secret(name, path, value as string)];
      return [{ key: name, value: this.expression(field, value, path) }];
    });
  }

  private expression(field: AnyField, value: unknown, path: string): Expression {
    const { shape } = field;
    if (shape.kind === "object" && isRecord(value)) {
      return { kind: "object", members: this.members(shape.fields, value, `${path}.`) };
    }
    if (shape.kind === "list" && Array.isArray(value)) {
      return { kind: "list", items: value.map((item) => this.expression(shape.item, item, path)) };
    }
    if (shape.kind === "map" && isRecord(value)) return this.map(shape.value, value, path);
    if (typeof value !== "string") return { kind: "code", code: JSON.stringify(value) };
    return (takesId(field) ? this.reference(value) : undefined) ?? { kind: "text", value };
  }

  private map(field: AnyField, value: Record<string, unknown>, path: string): Expression {
    const keys = Object.keys(value);
    const isById = field.shape.kind === "number" && keys.some((key) => this.options.refer(key) !== undefined);
    if (!isById) {
      const members = keys.map((key) => ({ key, value: this.expression(field, value[key], path) }));
      return { kind: "object", members };
    }
    // An Output cannot be the key of a map.
    this.uses.weights = true;
    const items = keys.map((key): Expression => {
      const id = this.reference(key) ?? { kind: "text", value: key };
      return { kind: "list", items: [id, this.expression(field, value[key], path)] };
    });
    return { kind: "call", callee: "weights", argument: { kind: "list", items } };
  }

  private reference(id: string): Expression | undefined {
    const variable = this.options.refer(id);
    if (variable === undefined) return undefined;
    this.uses.variables.add(variable);
    return { kind: "id", variable };
  }

  private secret(name: string, path: string, value: string): Member {
    const key = this.keyOf(path);
    if (value === notReturned) {
      this.uses.notReturned = true;
      this.missing.push({ key, place: this.place(path) });
      const comments = [`The service does not return it. To set it: config.requireSecret("${key}")`];
      return { key: name, comments, value: { kind: "code", code: "notReturned" } };
    }
    this.uses.config = true;
    this.secrets.push({ key, value, place: this.place(path) });
    const argument: Expression = { kind: "text", value: key };
    return { key: name, value: { kind: "call", callee: "config.requireSecret", argument } };
  }

  /** A secret that no answer holds, of an argument that may be left out. */
  private unset(field: AnyField, name: string, path: string): Member[] {
    const key = this.keyOf(path);
    this.missing.push({ key, place: this.place(path) });
    const effect = field.traits.recordedWhenUnknown ? "is recorded, and nothing is sent" : "is sent";
    return [
      {
        comments: [
          `The service never returns it. Once set here, it ${effect}:`,
          `${name}: config.requireSecret("${key}"),`,
        ],
      },
    ];
  }

  private keyOf(path: string): string {
    return this.resource.variable + path.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase());
  }

  private place(path: string): string {
    return `${this.resource.declaration.type} ${this.resource.name}: ${path}`;
  }
}
