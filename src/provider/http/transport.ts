/** Sends one request once. The outcome becomes an answer or an error, whether it comes from undici, a proxy or the service. */
import type { Dispatcher } from "undici";
import { secretTextsIn } from "../../schema/secrets";
import { isRecord, membersOf } from "../../schema/unknown";
import { version } from "../version";
import { AnswerCollector, isSuccess } from "./answer-collector";
import type { RawAnswer } from "./answer-collector";
import { AnswerError, ApiError, GatewayError, TransportError, scrub } from "../errors";
import { isLoopback, nameOfSetting } from "../settings/read-settings";
import type { AccountSettings } from "../settings/read-settings";
import { baseUrlHeader } from "../settings/broker-settings";
import { shortened, counted, durationText, second } from "../../schema/text/phrase";
import { escapeControls } from "../../schema/text/escape";
import { pathAndQuery } from "./path";
import type { Call } from "./path";
import { realTiming } from "./timing";
import type { Timing } from "./timing";
import { retryAfterOf } from "./rate-limiter";
import { jsonIn } from "../../schema/json";

/** The environment variables from which undici reads proxies. */
const proxyVariables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

export class Transport {
  private readonly headers: Record<string, string>;
  /** Where requests go: to the service, or to the broker. */
  private readonly to: URL;

  /** @internal No declaration of the package may name a type of undici. */
  constructor(
    private readonly settings: AccountSettings,
    private readonly timing: Pick<Timing, "after"> = realTiming,
    private dispatcher?: Dispatcher,
  ) {
    const { broker, baseUrl } = settings;
    this.to = new URL(broker?.url ?? baseUrl);
    // A preview must report a wrong proxy too.
    if (proxyVariables.some((name) => process.env[name])) this.connections();
    this.headers = {
      authorization: `Bearer ${settings.apiKey}`,
      ...(broker && { [baseUrlHeader]: baseUrl }),
      "service-version": "2",
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": `pulumi-tunnel-gateway/${version} node/${process.versions.node}`,
    };
  }

  /** Sends the call. Throws a TransportError, or an AnswerError if the answer is too long. */
  async send(call: Call): Promise<RawAnswer> {
    const { requestTimeout } = this.settings;
    // Not retried: a library that fails to load now will not load later.
    const connections = this.connections();
    const collector = new AnswerCollector(call.operation);
    const answered = this.timing.after(requestTimeout * 1000, () => {
      const limit = `no answer within ${durationText(requestTimeout * second, "second")}`;
      collector.abort(new TransportError(call.operation, limit, "broken"));
    });
    try {
      connections.dispatch(this.options(call), collector);
      return await collector.answer;
    } catch (error) {
      throw error instanceof GatewayError ? error : this.failure(call, error, collector.isStarted);
    } finally {
      answered();
    }
  }

  private options(call: Call): Dispatcher.DispatchOptions {
    const { pathname, search } = new URL(this.settings.baseUrl + pathAndQuery(call));
    const hasBody = call.body !== undefined;
    return {
      origin: this.to.origin,
      path: pathname + search,
      method: call.method,
      headers: hasBody ? { ...this.headers, "content-type": "application/json" } : this.headers,
      body: hasBody ? JSON.stringify(call.body) : null,
      // The timer of this class covers both timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  /** The JSON of a success; undefined if there is no body. Throws the error of any other answer. */
  bodyIn(call: Call, { status, headers, text }: RawAnswer): unknown {
    if (isSuccess(status)) return parse(call, status, text);
    if (status >= 300 && status < 400) {
      // The token is only for the base URL's origin, so redirects are not followed.
      const target = this.excerpt(withoutQuery(String(headers.location ?? "nowhere")));
      const reason = `a redirect (${status}) to ${target}; set the base URL to where the API is`;
      throw new AnswerError(call.operation, reason, false);
    }
    throw this.refusal(call, status, headers, text);
  }

  private connections(): Dispatcher {
    return (this.dispatcher ??= connectionsTo(this.to.hostname));
  }

  /** Error bodies are not specified; services send {error_code, msg, details: {operation_id}}, or HTML. */
  private refusal(call: Call, status: number, headers: RawAnswer["headers"], text: string): ApiError {
    const parsed = jsonIn(text);
    // A service may echo what it was sent.
    const secrets = secretTextsIn(call.body);
    const shown = (said: string, length?: number): string => this.excerpt(said, length, secrets);
    let message: string | undefined;
    if (parsed === undefined && text.trim() !== "") message = `not the service's own error: ${shown(text)}`;
    const body = membersOf(parsed);
    if (typeof body.msg === "string") message = shown(body.msg, 1000);
    const { operation_id: operationId } = membersOf(body.details);
    const code = typeof body.error_code === "string" ? shown(body.error_code) : undefined;
    const id = typeof operationId === "string" ? shown(operationId) : undefined;
    const error = new ApiError(call.operation, status, code, message, id, {
      own: typeof body.msg === "string" || code !== undefined,
      json: isRecord(parsed),
      retryAfter: retryAfterOf(headers["retry-after"], headers.date, Date.now()),
    });
    const advice = this.adviceOn(status, call);
    return advice === undefined ? error : error.advised(advice);
  }

  /** Advice for a refusal that may not be due to the object: the key, the address or the account. */
  private adviceOn(status: number, { isInEveryAccount = false }: Call): string | undefined {
    const { baseUrl, provider } = this.settings;
    const setting = (name: "apiKey" | "baseUrl"): string => nameOfSetting(name, provider);
    const user =
      provider === undefined
        ? ""
        : ` of the ${provider === null ? "default provider" : `Provider ${JSON.stringify(provider)}`}`;
    switch (status) {
      case 401:
        return `The service at ${baseUrl} does not accept the key${user}: check ${setting("apiKey")}`;
      case 404:
        if (isInEveryAccount)
          return `The base URL${user}, ${baseUrl}, probably has a wrong path: correct ${setting("baseUrl")}`;
        return (
          `The base URL${user} is ${baseUrl}: check that ${setting("baseUrl")} has the path prefix of the API, ` +
          "and that the objects which the request names exist"
        );
      case 409:
        return `Another object in the account${user} at ${baseUrl} conflicts with it or still uses it`;
      default:
        return undefined;
    }
  }

  /** Why there is no answer. An error that does not come from the network is a defect; retrying does not help. */
  private failure(call: Call, error: unknown, isStarted: boolean): unknown {
    const cause = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
    const code = cause.code ?? cause.cause?.code ?? "";
    if (code === "" || defects.test(code)) return error;
    if (headersTooLong.includes(code)) {
      return new AnswerError(call.operation, "its headers are too long", true);
    }
    const told = cause.message === "" ? (cause.cause?.message ?? "") : cause.message;
    // OpenSSL's own text names its source files.
    const message = noTls.includes(code) ? "it does not use TLS" : told;
    const where = this.to.origin;
    const reason = `no answer from ${where}: ${this.excerpt(message === "" ? code : message, 1000)}`;
    const setting = nameOfSetting("baseUrl", this.settings.provider);
    const [advice, longest] = unresolved.includes(code)
      ? [`. Check the host name in ${setting}`, unresolvedTimeout]
      : code === "ECONNREFUSED" && isLoopback(this.to.hostname)
        ? [`. Is the service running there, such as the emulator? Check ${setting}`, refusedHereTimeout]
        : noTls.includes(code)
          ? [`. Does it serve http, as the emulator does? Check ${setting}`, undefined]
          : ["", undefined];
    return new TransportError(call.operation, reason + advice, outcomeOf(code, isStarted), longest);
  }

  private excerpt(text: string, length = 200, secrets: readonly string[] = []): string {
    const clean = scrub(text, [this.settings.apiKey, ...secrets]);
    return shortened(escapeControls(clean.replace(/\s+/g, " ").trim()), length);
  }
}

/** The JSON of a success. An error never quotes the body, which may hold a token or part of one. */
function parse(call: Call, status: number, text: string): unknown {
  if (text.trim() === "") return undefined;
  const parsed = jsonIn(text);
  if (parsed !== undefined) return parsed;
  const size = counted(text.length, "character");
  throw new AnswerError(call.operation, `status ${status} with a body of ${size} that is not JSON`, true);
}

/** The address without the parts that may hold a token. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}

/** The server or the proxy does not speak TLS. */
const noTls = ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"];
const unresolved = ["ENOTFOUND", "EAI_AGAIN"];

/** The longest time of retries when the host name has no address, in milliseconds. The usual cause is a mistyped setting. */
const unresolvedTimeout = 15_000;

/**
 * The same when this machine refuses the connection, in milliseconds: nothing listens, and only the user can start the service.
 */
const refusedHereTimeout = 5_000;

const headersTooLong = ["UND_ERR_HEADERS_OVERFLOW", "HPE_HEADER_OVERFLOW"];

/** Codes of Node.js for programming errors. The codes of TLS, streams and HTTP/2 have the same prefix. */
const defects = /^ERR_(?!SSL_|TLS_|OSSL_|STREAM_|SOCKET_|HTTP2_|INVALID_URL$)/;

/** Codes of invalid certificates from OpenSSL and Node.js, and of a proxy or an address that cannot be used. */
const hopeless =
  /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^ERR_SSL_|^ERR_TLS_|^ERR_INVALID_URL$|^UND_ERR_(PRX|INVALID|NOT_SUPPORTED|REQ_)/;

/** A server may refuse the client's certificate after the client sent the first request; it then ignores the request. */
const refusedCertificate = /^ERR_SSL_.*_ALERT_.*(CERT|UNKNOWN_CA)/;

/** undici's code for an aborted request. Before the request started, it means that the proxy refused to connect. */
const givenUp = "UND_ERR_ABORTED";

/**
 * Only a request that no connection took is certainly unsent: a code such as EHOSTUNREACH can also end a connection that has
 * carried the request.
 */
function outcomeOf(code: string, isStarted: boolean): TransportError["outcome"] {
  if (isStarted) return refusedCertificate.test(code) ? "hopeless" : "broken";
  return hopeless.test(code) || code === givenUp ? "hopeless" : "unsent";
}

/** Parallel hooks share these connections; the engine runs 4 hooks per core at once. */
const mostConnections = 32;

/**
 * Connections to a host. undici honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY; Node.js honours NODE_EXTRA_CA_CERTS. A service on
 * this machine is never requested through a proxy: the key would reach the proxy in plaintext.
 * @internal No declaration of the package may name a type of undici.
 */
export function connectionsTo(hostname: string): Dispatcher {
  // Loaded with the first request, because a preview sends none.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Agent, EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  const options = { connections: mostConnections, keepAliveTimeout: 10_000 };
  return isLoopback(hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}
