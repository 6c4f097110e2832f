/** The one HTTP module: every request of the package leaves through it. */
import { EnvHttpProxyAgent, request } from "undici";
import type { Dispatcher } from "undici";
import { version } from "../version";
import type { Settings } from "../settings";
import { AnswerError, ApiError, TransportError, scrub } from "./errors";

/** One request to the API. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL, its segments encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the user is told was being done: "creating the IP policy rule". */
  readonly operation: string;
}

/** A successful answer. */
export interface Answer {
  readonly status: number;
  /** The parsed JSON; undefined where there is no body. */
  readonly body: unknown;
}

// Far above any page of 100 objects that the specification's limits allow, far below a plugin's memory.
const largestAnswer = 32 * 1024 * 1024;

/** Parallel hooks share these connections; the engine runs 4 hooks per core at once. */
const connections = 32;

export class Http {
  private readonly dispatcher: Dispatcher;
  private readonly headers: Record<string, string>;

  constructor(
    private readonly settings: Settings,
    dispatcher?: Dispatcher,
  ) {
    // HTTPS_PROXY, HTTP_PROXY and NO_PROXY are honoured; NODE_EXTRA_CA_CERTS is by Node itself.
    this.dispatcher = dispatcher ?? new EnvHttpProxyAgent({ connections, keepAliveTimeout: 10_000 });
    this.headers = {
      authorization: `Bearer ${settings.apiKey}`,
      "service-version": "2",
      accept: "application/json",
      "user-agent": `pulumi-tunnel-gateway/${version} node/${process.versions.node}`,
    };
  }

  /** Sends the call once. Throws an ApiError, TransportError or AnswerError unless the service did it. */
  async send(call: Call): Promise<Answer> {
    const { status, headers, text } = await this.exchange(call);
    if (status >= 200 && status < 300) return { status, body: this.parse(call, status, text) };
    if (status >= 300 && status < 400) {
      // The token is for the base URL's origin alone, so no redirect is followed.
      const target = this.clean(String(headers.location ?? "nowhere"));
      throw new AnswerError(
        call.operation,
        `a redirect (${status}) to ${target}; set the base URL to where the API is`,
      );
    }
    throw this.refusal(call, status, text);
  }

  private async exchange(
    call: Call,
  ): Promise<{ status: number; headers: Dispatcher.ResponseData["headers"]; text: string }> {
    const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : "";
    const milliseconds = this.settings.requestTimeout * 1000;
    const signal = AbortSignal.timeout(milliseconds);
    try {
      const response = await request(this.settings.baseUrl + call.path + query, {
        dispatcher: this.dispatcher,
        method: call.method,
        headers:
          call.body === undefined ? this.headers : { ...this.headers, "content-type": "application/json" },
        body: call.body === undefined ? null : JSON.stringify(call.body),
        headersTimeout: milliseconds,
        bodyTimeout: milliseconds,
        signal,
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: await this.readBody(call, response),
      };
    } catch (error) {
      if (error instanceof AnswerError) throw error;
      if (signal.aborted) {
        const limit = `no answer within ${this.settings.requestTimeout} seconds`;
        throw new TransportError(call.operation, limit, true);
      }
      throw this.transportError(call, error);
    }
  }

  private async readBody(call: Call, response: Dispatcher.ResponseData): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > largestAnswer) {
        response.body.destroy();
        throw new AnswerError(call.operation, `it is longer than ${largestAnswer / 1024 / 1024} MiB`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  private parse(call: Call, status: number, text: string): unknown {
    if (text.trim() === "") return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new AnswerError(
        call.operation,
        `status ${status} with a body that is not JSON: ${this.excerpt(text)}`,
      );
    }
  }

  /** Error bodies are not specified; services send {error_code, msg, details: {operation_id}}, or HTML. */
  private refusal(call: Call, status: number, text: string): ApiError {
    let body: Record<string, unknown> = {};
    let message: string | undefined;
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === "object" && parsed !== null) body = parsed as Record<string, unknown>;
      if (typeof body.msg === "string") message = this.excerpt(body.msg, 1000);
    } catch {
      if (text.trim() !== "") message = `not the service's own error: ${this.excerpt(text)}`;
    }
    const details = typeof body.details === "object" && body.details !== null ? body.details : {};
    const { operation_id: operationId } = details as Record<string, unknown>;
    return new ApiError(
      call.operation,
      status,
      typeof body.error_code === "string" ? this.excerpt(body.error_code) : undefined,
      message,
      typeof operationId === "string" ? this.excerpt(operationId) : undefined,
      status === 401
        ? "Check the setting tunnel-gateway:apiKey; if the key was rotated, run pulumi up first, or add --run-program to refresh and destroy"
        : undefined,
    );
  }

  private transportError(call: Call, error: unknown): TransportError {
    const cause = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
    const code = cause.code ?? cause.cause?.code ?? "";
    const where = new URL(this.settings.baseUrl).origin;
    const neverSent = [
      "ECONNREFUSED",
      "ENOTFOUND",
      "EAI_AGAIN",
      "UND_ERR_CONNECT_TIMEOUT",
      "EHOSTUNREACH",
      "ENETUNREACH",
    ];
    const message = cause.message === "" ? (cause.cause?.message ?? "") : cause.message;
    return new TransportError(
      call.operation,
      `no answer from ${where}: ${this.clean(message === "" ? code : message)}`,
      !neverSent.includes(code),
    );
  }

  private excerpt(text: string, length = 200): string {
    const line = this.clean(text).replace(/\s+/g, " ").trim();
    return line.length > length ? `${line.slice(0, length)}…` : line;
  }

  private clean(text: string): string {
    return scrub(text, [this.settings.apiKey]);
  }
}
