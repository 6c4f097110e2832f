/**
 * The broker holds the keys of a deployment. It forwards reads, and the writes that were approved. What it refuses never leaves
 * the machine.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RawAnswer } from "../../provider/http/answer-collector";
import { Transport } from "../../provider/http/transport";
import type { Call } from "../../provider/http/path";
import { accountMark } from "../../provider/settings/own-account";
import { baseUrlHeader } from "../../provider/settings/broker-settings";
import type { BrokerSettings } from "../../provider/settings/broker-settings";
import type { AccountSettings } from "../../provider/settings/read-settings";
import { isCreationMark } from "../../schema/metadata";
import { jsonIn } from "../../schema/json";
import { asText, membersOf } from "../../schema/unknown";
import type { SentWrite } from "../approval/approved-writes";
import type { Permits } from "./permits";
import { digestOf } from "../approval/write-log";
import type { WriteLog } from "../approval/write-log";

/** The longest body of a request, in bytes. */
const mostBytes = 64 * 1024 * 1024;

export interface BrokerOptions {
  /** The accounts, each with its key. */
  readonly accounts: readonly AccountSettings[];
  readonly permits: Permits;
  readonly log: WriteLog;
}

export class Broker {
  readonly settings: BrokerSettings;
  /** What was refused, each as a sentence. */
  readonly refused: string[] = [];
  private readonly transports: ReadonlyMap<string, Transport>;
  private readonly expected: Buffer;

  private constructor(
    private readonly server: Server,
    private readonly options: BrokerOptions,
  ) {
    const { accounts } = options;
    this.transports = new Map(accounts.map((each) => [each.baseUrl, new Transport(each)]));
    const token = `broker_${randomBytes(24).toString("base64url")}`;
    const { port } = server.address() as AddressInfo;
    const marks = Object.fromEntries(accounts.map((each) => [each.baseUrl, accountMark(each)]));
    this.settings = { url: `http://127.0.0.1:${port}`, token, marks };
    this.expected = Buffer.from(`Bearer ${token}`);
  }

  /** Starts it on a free port of the loopback interface. */
  static async start(options: BrokerOptions): Promise<Broker> {
    const server = createServer();
    await new Promise<void>((started, failed) => {
      server.once("error", failed).listen(0, "127.0.0.1", started);
    });
    const broker = new Broker(server, options);
    server.on("request", (request, response) => void broker.handle(request, response));
    return broker;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(() => closed()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, headers, text } = await this.answerTo(request);
      const passed = ["content-type", "retry-after", "date"].flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, value] as const];
      });
      response.writeHead(status, Object.fromEntries(passed)).end(status === 204 ? undefined : text);
    } catch (error) {
      // The service has not answered. The client decides what to do, as without a broker.
      const { status, text } = refusal(502, `the broker has no answer: ${(error as Error).message}`);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    }
  }

  private async answerTo(request: IncomingMessage): Promise<RawAnswer> {
    const { method = "", url = "", headers } = request;
    if (!this.isClient(headers.authorization))
      return refusal(401, "this is the broker of a deployment, and the request does not have its token");
    const baseUrl = String(headers[baseUrlHeader]);
    const transport = this.transports.get(baseUrl);
    if (!transport) return this.refuse(`the broker has no key for the account at ${baseUrl}`);
    const path = pathBelow(baseUrl, url);
    if (path === undefined) return this.refuse(`${url} is not below ${baseUrl}`);
    if (method === "GET") return transport.send({ method, path, operation: "reading" });
    const bytes = await buffer(request);
    if (bytes.length > mostBytes) return this.refuse("the body is too long");
    const body = bytes.length === 0 ? undefined : jsonIn(bytes.toString());
    if (bytes.length > 0 && body === undefined) return this.refuse("the body is not JSON");
    return this.write(transport, { baseUrl, method, path, body });
  }

  private async write(transport: Transport, sent: SentWrite): Promise<RawAnswer> {
    const { permits, log } = this.options;
    const { baseUrl, method, path, body } = sent;
    const read = (below: string): Promise<unknown> => this.read(transport, below);
    const permit = await permits.permitFor(sent, read);
    if ("isUnderWay" in permit) return refusal(503, permit.refused);
    if ("refused" in permit) return this.refuse(permit.refused);
    const { metadata } = membersOf(body);
    const { position } = permit;
    log.add({
      ...{ event: "sent", baseUrl, method, path, position },
      ...(body !== undefined && { body: digestOf(body) }),
      ...(isCreationMark(metadata) && { mark: metadata }),
    });
    const call = { method, path, body, operation: "writing" } as Call;
    const note = (status?: number, made?: string): void => {
      permit.answered(status, made);
      log.add({ event: "answered", method, path, position, status, id: made });
    };
    const answer = await transport.send(call).catch((error: unknown) => {
      note();
      throw error;
    });
    const { id } = membersOf(jsonIn(answer.text));
    note(answer.status, method === "POST" ? asText(id) : undefined);
    return answer;
  }

  /** The JSON of an object as it is now; undefined where there is none. */
  private async read(transport: Transport, path: string): Promise<unknown> {
    const { status, text } = await transport.send({ method: "GET", path, operation: "reading" });
    return status === 200 ? jsonIn(text) : undefined;
  }

  private refuse(reason: string): RawAnswer {
    this.refused.push(reason);
    this.options.log.add({ event: "refused", reason });
    return refusal(403, `the broker refuses what was not approved: ${reason}`);
  }

  private isClient(given = ""): boolean {
    const bytes = Buffer.from(given);
    return bytes.length === this.expected.length && timingSafeEqual(bytes, this.expected);
  }
}

/** The path below the base URL; undefined where it is not certain that it is. */
function pathBelow(baseUrl: string, url: string): string | undefined {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  const isPlain = URL.canParse(url, baseUrl) && new URL(url, baseUrl).pathname === url.replace(/\?.*$/s, "");
  return isPlain && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined;
}

function refusal(status: number, msg: string): RawAnswer {
  const text = JSON.stringify({ error_code: "ERR_BROKER", status_code: status, msg, details: {} });
  return { status, headers: { "content-type": "application/json" }, text, bytes: Buffer.byteLength(text) };
}
