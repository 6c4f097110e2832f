/**
 * The log that TUNNEL_GATEWAY_LOG=debug writes to stderr: each request and its answer, without the secrets that a declaration or
 * a name identifies. Pulumi's plugin cannot recognize a value that only the program marked as secret.
 */
import { isSecretOnWire, longTextsIn } from "../../schema/secrets";
import { isRecord } from "../../schema/unknown";
import { escapeControls } from "../../schema/text/escape";
import type { Environment } from "../settings/settings";
import { scrub } from "../errors";

/** One request and its outcome. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly milliseconds: number;
  readonly sent: unknown;
  /** The status, or why there is no answer. */
  readonly outcome: number | string;
  readonly text?: string;
}

const hidden = "[secret]";

/** Names that are hidden without a declaration: members that the service adds, keys of users' maps. */
const suspicious = /token|secret|key|password|passwd|credential|authorization|cookie|signature/i;

export class DebugLog {
  constructor(
    private readonly apiKey: string,
    private readonly write: (line: string) => unknown,
  ) {}

  note({ method, path, attempt, milliseconds, sent, outcome, text }: LoggedRequest): void {
    // An error message of the service may repeat what was sent.
    const secrets = [this.apiKey];
    const request = sent === undefined ? "" : ` ${JSON.stringify(this.redacted(sent, secrets))}`;
    const answer = text === undefined || text === "" ? "" : ` -> ${this.readable(text, secrets)}`;
    const line = `tunnel-gateway: ${method} ${path} ${outcome} in ${milliseconds} ms, attempt ${attempt}:`;
    this.write(escapeControls(scrub(`${line}${request}${answer}`, secrets)));
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
        const hide = isSecretOnWire(name) || (suspicious.test(name) && isText(member));
        if (!hide || member === null) return [name, this.redacted(member, secrets)];
        for (const each of longTextsIn(member)) secrets.push(each);
        return [name, hidden];
      }),
    );
  }
}

/** The log of this process; undefined unless the environment turns it on. */
export function debugLogOf(
  environment: Environment,
  apiKey: string,
  write = (line: string): unknown => process.stderr.write(`${line}\n`),
): DebugLog | undefined {
  return environment.TUNNEL_GATEWAY_LOG === "debug" ? new DebugLog(apiKey, write) : undefined;
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"))
  );
}
