/** The statement of one resource in the generated program. */
import { visit } from "../schema/field";
import type { AnyField, Fields, ShapeOf } from "../schema/field";
import { notReturned } from "../schema/secrets";
import { isRecord } from "../schema/unknown";
import type { ExistingStatement } from "./existing-program";
import { slashes } from "./generated-file";
import { statementText } from "./layout";
import type { Expression, Member } from "./layout";
import type { ImportOptions } from "./options";
import type { PlannedResource } from "./plan";
import { takesId } from "../schema/references";

/** A secret that the program takes from the stack's configuration. */
interface ConfigSecret {
  readonly key: string;
  /** As the service returned it. */
  readonly value: string;
}

/** A statement that the import adds to the program. */
export interface NewStatement extends ExistingStatement {
  /** The names that it uses: variables, and `config`, `notReturned` and `weights`. */
  readonly uses: ReadonlySet<string>;
  readonly secrets: readonly ConfigSecret[];
  /** How many secrets the statement lacks because the service never returns them. */
  readonly missingSecrets: number;
}

export interface StatementOptions extends Pick<ImportOptions, "protect" | "provider"> {
  /** The variable of the resource with the id; undefined where the statement must name the id itself. */
  readonly refer: (id: string) => string | undefined;
}

export function newStatement(resource: PlannedResource, options: StatementOptions): NewStatement {
  const { declaration, args, id, name, variable } = resource;
  const { type, fields } = declaration;
  const provider = options.provider?.variable;
  const writer = new ArgumentsWriter(variable, options.refer);
  const ignored = renewedByService(resource);
  const statement = statementText({
    variable,
    className: type,
    name,
    args: writer.members(fields, args, ""),
    options: [
      ...(options.protect ? [["protect", "true"] as const] : []),
      ...(ignored.length > 0 ? [["ignoreChanges", JSON.stringify(ignored)] as const] : []),
      ...(provider === undefined ? [] : [["provider", provider] as const]),
    ],
  });
  const { uses, secrets, missingSecrets } = writer;
  if (provider !== undefined) uses.add(provider);
  const comments = [
    id,
    ...commentsOnOutputs(fields),
    ...ignored.map((each) => `The service issued it and renews it: changes of ${each} are ignored.`),
  ];
  const text = [...comments.map(slashes), statement, ""].join("\n");
  return { id, type, name, variable, text, uses, secrets, missingSecrets };
}

/** The arguments that the service renews itself; a program must not restore their old values. */
function renewedByService({
  declaration: { renewedByService },
  outputs,
}: PlannedResource): readonly string[] {
  const isIssued = renewedByService !== undefined && (outputs[renewedByService.when] ?? null) !== null;
  return isIssued ? renewedByService.args : [];
}

/** A secret that only the answer to a create holds is an output without a value here. */
function commentsOnOutputs(fields: Fields): string[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.presence === "computed" && fields[name]!.traits.secret)
    .map((name) => `Its ${name} was shown only when it was created: the output is undefined.`);
}

class ArgumentsWriter {
  readonly uses = new Set<string>();
  readonly secrets: ConfigSecret[] = [];
  missingSecrets = 0;

  constructor(
    private readonly variable: string,
    private readonly refer: StatementOptions["refer"],
  ) {}

  members(fields: Fields, values: Readonly<Record<string, unknown>>, prefix: string): Member[] {
    return Object.entries(fields).flatMap(([name, field]): Member[] => {
      const path = prefix + name;
      if (field.presence === "computed" || field.traits.local) return [];
      // What no answer holds and is no secret has its default: a program that leaves it out changes nothing.
      if (field.traits.writeOnly) return field.traits.secret ? [this.placeForSecret(field, name, path)] : [];
      const value = values[name];
      if (value === undefined) return [];
      if (field.traits.secret) return [this.secret(name, path, value as string)];
      return [{ key: name, value: this.expression(field, value, path) }];
    });
  }

  private expression(field: AnyField, value: unknown, path: string): Expression {
    const literal = (): Expression =>
      typeof value === "string" ? { kind: "text", value } : { kind: "code", code: JSON.stringify(value) };
    return visit<Expression>(field, {
      string: () => (takesId(field) ? this.reference(value as string) : undefined) ?? literal(),
      leaf: literal,
      list: ({ item }) =>
        Array.isArray(value)
          ? { kind: "list", items: value.map((each) => this.expression(item, each, path)) }
          : literal(),
      map: (shape) => (isRecord(value) ? this.map(shape, value, path) : literal()),
      // A shorthand is the value of one member.
      object: ({ fields }) =>
        isRecord(value) ? { kind: "object", members: this.members(fields, value, `${path}.`) } : literal(),
    });
  }

  private map(
    { key: keyFormat, value: field }: ShapeOf<"map">,
    value: Record<string, unknown>,
    path: string,
  ): Expression {
    const keys = Object.keys(value);
    const hasReferences =
      keyFormat.refersTo !== undefined && keys.some((key) => this.refer(key) !== undefined);
    if (!hasReferences) {
      const members = keys.map((key) => ({ key, value: this.expression(field, value[key], path) }));
      return { kind: "object", members };
    }
    // An Output cannot be the key of a map.
    this.uses.add("weights");
    const items = keys.map((key): Expression => {
      const id = this.reference(key) ?? { kind: "text", value: key };
      return { kind: "list", items: [id, this.expression(field, value[key], path)] };
    });
    return { kind: "call", callee: "weights", argument: { kind: "list", items } };
  }

  private reference(id: string): Expression | undefined {
    const variable = this.refer(id);
    if (variable === undefined) return undefined;
    this.uses.add(variable);
    return { kind: "id", variable };
  }

  private secret(name: string, path: string, value: string): Member {
    const key = this.configKey(path);
    if (value === notReturned) {
      this.uses.add("notReturned");
      this.missingSecrets += 1;
      const comments = [`The service does not return it. To set it: config.requireSecret("${key}")`];
      return { key: name, comments, value: { kind: "code", code: "notReturned" } };
    }
    this.uses.add("config");
    this.secrets.push({ key, value });
    const argument: Expression = { kind: "text", value: key };
    return { key: name, value: { kind: "call", callee: "config.requireSecret", argument } };
  }

  /** A comment in place of an optional secret that the service never returns. */
  private placeForSecret(field: AnyField, name: string, path: string): Member {
    this.missingSecrets += 1;
    const effect = field.traits.recordedWhenUnknown ? "recorded, and nothing is sent" : "sent";
    return {
      comments: [
        `The service never returns it. Once set here, it is ${effect}:`,
        `${name}: config.requireSecret("${this.configKey(path)}"),`,
      ],
    };
  }

  /**
   * `login_clientSecret` for the argument `clientSecret` of the variable `login`. No path has an underscore, so
   * `login` with `clientSecret` and `loginClient` with `secret` have different keys.
   */
  private configKey(path: string): string {
    return `${this.variable}_${path.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase())}`;
  }
}
