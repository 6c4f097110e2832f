/** The statement of one resource in the generated program. */
import { isFilledIn, visit } from "../../../schema/field";
import type { AnyField, Fields, ShapeOf } from "../../../schema/field";
import { notReturned } from "../../../schema/secrets";
import type { Json } from "../../../schema/json";
import { isRecord } from "../../../schema/unknown";
import type { ResourceStatement } from "./existing-program";
import { slashes } from "./generated-file";
import {
  innerObjectLiteral,
  keyLiteral,
  linesLiteral,
  listLiteral,
  objectLiteral,
  textLiteral,
} from "./literal";
import type { ImportOptions } from "../import-options";
import type { PlannedResource } from "../objects/plan";
import { formatted } from "./typescript";
import { takesId } from "../../../schema/references";

/** A secret that the program takes from the stack's configuration. */
interface ConfigSecret {
  readonly key: string;
  /** The value that the service returned. */
  readonly value: string;
}

export interface NewStatement extends ResourceStatement {
  /** The names that it uses: variables, and `config`, `notReturned` and `weights`. */
  readonly uses: ReadonlySet<string>;
  readonly secrets: readonly ConfigSecret[];
  /** The number of secrets missing from the statement because the service never returns them. */
  readonly missingSecrets: number;
}

export interface StatementOptions extends Pick<ImportOptions, "protect" | "provider"> {
  /** The variable of the resource with the id; undefined if the statement must use the id itself. */
  readonly refer: (id: string) => string | undefined;
}

export function newStatement(resource: PlannedResource, options: StatementOptions): NewStatement {
  const { declaration, args, id, name, values: outputs, variable } = resource;
  const { type, fields } = declaration;
  const provider = options.provider?.variable;
  const writer = new ArgumentsWriter(variable, options.refer);
  // A program must not restore their old values.
  const ignored = declaration.renews?.(outputs) ?? [];
  const given = writer.members(fields, args, "", outputs);
  const resourceOptions = [
    ...(options.protect ? ["protect: true"] : []),
    ...(ignored.length > 0 ? [`ignoreChanges: ${listLiteral(ignored.map(textLiteral))}`] : []),
    ...(provider === undefined ? [] : [provider === "provider" ? provider : `provider: ${provider}`]),
  ];
  const { uses, secrets, missingSecrets } = writer;
  if (provider !== undefined) uses.add(provider);
  const comments = [
    id,
    ...commentsOnOutputs(fields),
    ...ignored.map((each) => `The service issued it and renews it: changes of ${each} are ignored.`),
  ];
  const created = `new ${type}(${parametersOf(name, given, resourceOptions)})`;
  const text = formatted([...comments.map(slashes), `export const ${variable} = ${created};`, ""].join("\n"));
  return { id, type, name, variable, text, uses, secrets, missingSecrets };
}

/** The parameters of the constructor, without empty ones at the end. */
function parametersOf(name: string, args: readonly string[], options: readonly string[]): string {
  if (options.length === 0)
    return [textLiteral(name), ...(args.length > 0 ? [objectLiteral(args)] : [])].join(", ");
  const all = [textLiteral(name), objectLiteral(args), `{ ${options.join(", ")} }`];
  return args.length > 0 ? `\n${all.join(",\n")},\n` : all.join(", ");
}

/** A comment for each secret output without a value: only the answer to a create has it. */
function commentsOnOutputs(fields: Fields): string[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.presence === "computed" && fields[name]!.traits.secret)
    .map((name) => `Its ${name} was shown only when it was created: a program that uses the output fails.`);
}

class ArgumentsWriter {
  readonly uses = new Set<string>();
  readonly secrets: ConfigSecret[] = [];
  missingSecrets = 0;

  constructor(
    private readonly variable: string,
    private readonly refer: StatementOptions["refer"],
  ) {}

  /** The members of an object, each in one or more lines that include the comments above it. */
  members(fields: Fields, values: Json, prefix: string, outputs: Json = {}): string[] {
    return Object.entries(fields).flatMap(([name, field]): string[] => {
      const path = prefix + name;
      if (field.presence === "computed") return [];
      const value = values[name];
      const isHidden = field.traits.writeOnly && field.traits.secret;
      if (value === undefined)
        return isHidden ? this.placeForSecret(field, name, path) : leftToService(field, name, outputs[name]);
      if (field.traits.secret) return this.secret(name, path, value as string);
      return [member(name, this.expression(field, value, path))];
    });
  }

  private expression(field: AnyField, value: unknown, path: string): string {
    const literal = (): string => (typeof value === "string" ? linesLiteral(value) : JSON.stringify(value));
    return visit<string>(field, {
      string: () => (takesId(field) ? this.reference(value as string) : undefined) ?? literal(),
      leaf: literal,
      list: ({ item }) =>
        Array.isArray(value)
          ? listLiteral(value.map((each) => this.expression(item, each, path)))
          : literal(),
      map: (shape) => (isRecord(value) ? this.map(shape, value, path) : literal()),
      // A shorthand has the value of one member.
      object: ({ fields }) =>
        isRecord(value) ? innerObjectLiteral(this.members(fields, value, `${path}.`)) : literal(),
    });
  }

  private map(
    { key: keyFormat, value: field }: ShapeOf<"map">,
    value: Record<string, unknown>,
    path: string,
  ): string {
    const keys = Object.keys(value);
    const expression = (key: string): string => this.expression(field, value[key], path);
    const hasReferences =
      keyFormat.refersTo !== undefined && keys.some((key) => this.refer(key) !== undefined);
    if (!hasReferences) return innerObjectLiteral(keys.map((key) => member(key, expression(key))));
    // An Output cannot be the key of a map.
    this.uses.add("weights");
    const entries = keys.map((key) => `[${this.reference(key) ?? textLiteral(key)}, ${expression(key)}]`);
    return `weights(${listLiteral(entries)})`;
  }

  private reference(id: string): string | undefined {
    const variable = this.refer(id);
    if (variable === undefined) return undefined;
    this.uses.add(variable);
    return `${variable}.id`;
  }

  private secret(name: string, path: string, value: string): string[] {
    const key = this.configKey(path);
    if (value === notReturned) {
      this.uses.add("notReturned");
      this.missingSecrets += 1;
      return [
        slashes(`The service does not return it. To set it: config.requireSecret("${key}")`),
        member(name, "notReturned"),
      ];
    }
    this.uses.add("config");
    this.secrets.push({ key, value });
    return [member(name, `config.requireSecret("${key}")`)];
  }

  /** A comment in place of an optional secret that the service never returns. */
  private placeForSecret(field: AnyField, name: string, path: string): string[] {
    this.missingSecrets += 1;
    const effect = field.traits.replace ? "recorded, and nothing is sent" : "sent";
    return [
      slashes(`The service never returns it. Once set here, it is ${effect}:`),
      slashes(`${name}: config.requireSecret("${this.configKey(path)}"),`),
    ];
  }

  /**
   * `login_clientSecret` for the argument `clientSecret` of the variable `login`. No path has an underscore, so
   * `login` with `clientSecret` and `loginClient` with `secret` have different keys.
   */
  private configKey(path: string): string {
    return `${this.variable}_${path.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase())}`;
  }
}

/** A comment in place of a value that the service may have filled in itself. */
function leftToService(field: AnyField, name: string, value: unknown): string[] {
  return isFilledIn(field, value) ? [slashes(`Left to the service: ${name}: ${textLiteral(value)}`)] : [];
}

function member(key: string, code: string): string {
  return `${keyLiteral(key)}: ${code},`;
}
