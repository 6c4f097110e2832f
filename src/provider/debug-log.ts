/** What TUNNEL_GATEWAY_LOG=debug shows on stderr: each request and its answer, every secret taken out. */
import type { AnyField, Fields } from "../schema/field";
import { wireName } from "../schema/field";
import { isRecord } from "../schema/unknown";
import { declarations } from "../resources/registry";
import type { Environment } from "../settings";
import { scrub } from "./errors";

/** One request and what came of it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly milliseconds: number;
  readonly sent: unknown;
  /** The status, or why there is none. */
  readonly outcome: number | string;
  readonly text?: string;
}

const hidden = "[secret]";

/** The second net, for what the service adds or a user puts into a map of their own. */
const suspicious = /token|secret|key|password|passwd|credential|authorization|cookie|signature/i;

export class DebugLog {
  private readonly declared = new Set(declarations.flatMap(({ fields }) => secretNames(fields)));

  constructor(
    private readonly apiKey: string,
    private readonly write: (line: string) => void,
  ) {}

  note({ method, path, attempt, milliseconds, sent, outcome, text }: LoggedRequest): void {
    // A refusal may repeat in its own words what it was sent.
    const secrets = [this.apiKey];
    const request = sent === undefined ? "" : ` ${JSON.stringify(this.redacted(sent, secrets))}`;
    const answer = text === undefined || text === "" ? "" : ` -> ${this.readable(text, secrets)}`;
    const line = `tunnel-gateway: ${method} ${path} ${outcome} in ${milliseconds} ms, attempt ${attempt}:`;
    this.write(scrub(`${line}${request}${answer}`, secrets));
  }

  private readable(text: string, secrets: string[]): string {
    try {
      return JSON.stringify(this.redacted(JSON.parse(text), secrets));
    } catch {
      return `${text.length} characters that are not JSON`;
    }
  }

  private redacted(value: unknown, secrets: string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.redacted(item, secrets));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const hide = this.declared.has(name) || (suspicious.test(name) && isText(member));
        if (!hide || member === null) return [name, this.redacted(member, secrets)];
        collectTexts(member, secrets);
        return [name, hidden];
      }),
    );
  }
}

/** The log of this process, where the environment asks for one. */
export function debugLogOf(environment: Environment, apiKey: string): DebugLog | undefined {
  if (environment.TUNNEL_GATEWAY_LOG !== "debug") return undefined;
  return new DebugLog(apiKey, (line) => process.stderr.write(`${line}\n`));
}

/** The names on the wire of all secrets among the fields, at every depth. */
function secretNames(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isSecret(field) ? [wireName(name, field)] : secretNames(membersOf(field)),
  );
}

function isSecret({ shape, traits }: AnyField): boolean {
  if (traits.secret) return true;
  if (shape.kind === "list") return isSecret(shape.item);
  return shape.kind === "map" && isSecret(shape.value);
}

function membersOf({ shape }: AnyField): Fields {
  if (shape.kind === "object") return shape.fields;
  if (shape.kind === "list") return membersOf(shape.item);
  return shape.kind === "map" ? membersOf(shape.value) : {};
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"))
  );
}

function collectTexts(value: unknown, texts: string[]): void {
  // Shorter ones would take common words out of the line.
  if (typeof value === "string" && value.length >= 4) texts.push(value);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
  }
}
