/**
 * The broker holds the keys of a deployment. It forwards reads and approved writes. A refused request never leaves the machine.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { scrub } from "../../provider/errors";
import { isSuccess } from "../../provider/http/answer-collector";
import type { RawAnswer } from "../../provider/http/answer-collector";
import { clientWith } from "../../account/account-client";
import { collected } from "../../account/read-objects";
import { listRequest } from "../../provider/http/pagination";
import { Transport } from "../../provider/http/transport";
import type { Call } from "../../provider/http/path";
import { accountMark } from "../../provider/settings/own-account";
import { baseUrlHeader } from "../../provider/settings/broker-settings";
import type { BrokerSettings } from "../../provider/settings/broker-settings";
import type { AccountSettings } from "../../provider/settings/read-settings";
import type { Declaration } from "../../schema/declaration";
import { isCreationMark } from "../../schema/metadata";
import { jsonIn } from "../../schema/json";
import { asText, membersOf } from "../../schema/unknown";
import type { Answer } from "../../schema/values";
import { writeMethods } from "../approval/approval";
import type { SentWrite } from "../approval/approved-writes";
import type { Permit, Permits, WrittenAccounts } from "./permits";
import { digestOf } from "../approval/write-log";
import type { WriteLog } from "../approval/write-log";

/** The longest body of a request, in bytes. */
const mostBytes = 64 * 1024 * 1024;

/** Where a broker listens, and how the command of the deployment reaches it. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The origin, where something such as a TLS proxy is in front. Default: the address. */
  readonly url?: string;
}

/** A free port of the loopback interface: only processes of this machine reach it. */
const onThisMachine: Listening = { host: "127.0.0.1", port: 0 };

export interface BrokerOptions {
  /** The accounts, each with its key. */
  readonly accounts: readonly AccountSettings[];
  readonly permits: Permits;
  readonly log: WriteLog;
  /** Default: a free port of the loopback interface. */
  readonly listening?: Listening | undefined;
}

export class Broker {
  readonly settings: BrokerSettings;
  /** The refused requests, each as a sentence. */
  readonly refused: string[] = [];
  private readonly transports: ReadonlyMap<string, Transport>;
  private readonly expected: Buffer;
  /** Where it listens. */
  readonly address: string;
  /** What the header Host of a request may be. */
  private readonly hosts: ReadonlySet<string>;

  private constructor(
    private readonly server: Server,
    private readonly options: BrokerOptions,
  ) {
    const { accounts, listening } = options;
    this.transports = new Map(accounts.map((each) => [each.baseUrl, new Transport(each)]));
    const token = `broker_${randomBytes(24).toString("base64url")}`;
    const { address, family, port } = server.address() as AddressInfo;
    this.address = `${family === "IPv6" ? `[${address}]` : address}:${port}`;
    const url = listening?.url ?? `http://${this.address}`;
    const marks = Object.fromEntries(accounts.map((each) => [each.baseUrl, accountMark(each)]));
    // A proxy in front may pass the name on by which it was reached, or name this address.
    this.hosts = new Set([this.address, new URL(url).host]);
    this.settings = { url, token, marks };
    this.expected = Buffer.from(`Bearer ${token}`);
  }

  /** Throws if it cannot listen. */
  static async start(options: BrokerOptions): Promise<Broker> {
    await loadTransport(options.accounts);
    const server = createServer();
    await listen(server, options.listening ?? onThisMachine);
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
        return value === undefined ? [] : [[name, this.withoutKeys(String(value))] as const];
      });
      response
        .writeHead(status, Object.fromEntries(passed))
        .end(status === 204 ? undefined : this.withoutKeys(text));
    } catch (error) {
      // The service has not answered. The client decides whether to retry, as it does without a broker.
      const { status, text } = refusal(502, `the broker has no answer: ${(error as Error).message}`);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    }
  }

  private async answerTo(request: IncomingMessage): Promise<RawAnswer> {
    const { method = "", url = "", headers } = request;
    if (!this.hosts.has(headers.host ?? "") || !this.isClient(headers.authorization))
      return refusal(401, "this is the broker of a deployment, and the request does not have its token");
    const baseUrl = String(headers[baseUrlHeader]);
    const transport = this.transports.get(baseUrl);
    if (!transport) return this.refuse(`the broker has no key for the account at ${baseUrl}`);
    const path = pathBelow(baseUrl, url);
    if (path === undefined) return this.refuse(`${url} is not the address of an object below ${baseUrl}`);
    if (method === "GET") return transport.send({ method, path, operation: "reading" });
    if (!(writeMethods as readonly string[]).includes(method) || path.includes("?"))
      return this.refuse(`${method} ${path}: no deployment sends such a request`);
    const text = await textOf(request);
    if (text === undefined) return this.refuse("the body is too long");
    const body = text === "" ? undefined : jsonIn(text);
    if (text !== "" && body === undefined) return this.refuse("the body is not JSON");
    return this.write({ baseUrl, method, path, body });
  }

  private async write(sent: SentWrite): Promise<RawAnswer> {
    if (this.options.log.isChanged)
      return this.refuse("something has changed the log of writes, so no more writes can be recorded");
    const permit = await this.options.permits.permitFor(sent, this.seen);
    if ("isUnderWay" in permit) return refusal(503, permit.refused);
    if ("refused" in permit) return this.refuse(permit.refused);
    return this.forward(sent, permit);
  }

  /** Resolves the writes without an answer. Call it after the command has succeeded. */
  async settle(): Promise<void> {
    if (this.options.log.isChanged) return;
    // If the service does not answer, they count as not sent.
    await this.options.permits.settle(this.seen).catch(() => undefined);
  }

  private readonly seen: WrittenAccounts = {
    read: (baseUrl, path) => this.read(this.transports.get(baseUrl)!, path),
    list: (baseUrl, collection) => this.list(baseUrl, collection),
    send: (write, permit) => this.forward(write, permit),
    found: ({ method, path, position }, id) =>
      void this.options.log.add({ event: "answered", method, path, position, id }),
  };

  private async forward(sent: SentWrite, permit: Permit): Promise<RawAnswer> {
    const { log } = this.options;
    const { baseUrl, method, path, body } = sent;
    const { metadata } = membersOf(body);
    const { position, names = {} } = permit;
    log.add({
      ...{ event: "sent", baseUrl, method, path, position },
      ...(Object.keys(names).length > 0 && { names }),
      ...(body !== undefined && { body: digestOf(body) }),
      ...(isCreationMark(metadata) && { mark: metadata }),
    });
    const call = { method, path, body, operation: "writing" } as Call;
    const note = (status?: number, made?: string): void => {
      permit.answered(status, made);
      log.add({ event: "answered", method, path, position, status, id: made });
    };
    const answer = await this.transports
      .get(baseUrl)!
      .send(call)
      .catch((error: unknown) => {
        note();
        throw error;
      });
    const value = jsonIn(answer.text);
    // With an unreadable success, the write is done, but the id of its object may be unknown.
    const isUnreadable = isSuccess(answer.status) && answer.text.trim() !== "" && value === undefined;
    if (isUnreadable) note();
    else note(answer.status, method === "POST" ? asText(membersOf(value).id) : undefined);
    return answer;
  }

  /** The current object; undefined if the service says that it does not exist, null if the service does not answer. */
  private async read(transport: Transport, path: string): Promise<unknown> {
    const { status, text } = await transport.send({ method: "GET", path, operation: "reading" });
    const value = jsonIn(text) ?? null;
    if (status === 200) return value;
    return status === 404 && value !== null ? undefined : null;
  }

  private async list(baseUrl: string, collection: Declaration): Promise<Answer[]> {
    const settings = this.options.accounts.find((each) => each.baseUrl === baseUrl)!;
    const client = clientWith(settings, () => undefined);
    return (await collected(client.pages(listRequest(collection)))).flat();
  }

  private refuse(reason: string): RawAnswer {
    this.refused.push(reason);
    this.options.log.add({ event: "refused", reason });
    return refusal(403, `the broker refuses what was not approved: ${reason}`);
  }

  /** A service may repeat the key in its answer. The program must not learn it. */
  private withoutKeys(text: string): string {
    return scrub(
      text,
      this.options.accounts.map(({ apiKey }) => apiKey),
    );
  }

  private isClient(given = ""): boolean {
    const bytes = Buffer.from(given);
    return bytes.length === this.expected.length && timingSafeEqual(bytes, this.expected);
  }
}

async function listen(server: Server, { host, port }: Listening): Promise<void> {
  await new Promise<void>((started, failed) => {
    server.once("error", failed).listen(port, host, started);
  });
}

/**
 * Loads all that a request needs. Code of the deployment can change the files of what is loaded later, and would run beside the keys. No
 * key is sent.
 */
async function loadTransport([account]: readonly AccountSettings[]): Promise<void> {
  const server = createServer((_, response) => void response.end());
  await listen(server, onThisMachine);
  const { port } = server.address() as AddressInfo;
  const settings = { ...account!, baseUrl: `http://${onThisMachine.host}:${port}`, apiKey: "" };
  await new Transport(settings).send({ method: "GET", path: "/", operation: "starting the broker" });
  server.closeAllConnections();
  server.close();
}

/**
 * The path below the base URL, with the query; undefined unless it is spelled as this package spells it. A service may accept
 * another spelling for the same object, or for one outside the base URL.
 */
function pathBelow(baseUrl: string, url: string): string | undefined {
  const prefix = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/`;
  const [path = ""] = url.split("?");
  const isPlain = path.startsWith(prefix) && path.slice(prefix.length).split("/").every(isSegment);
  return isPlain && !url.includes("#") ? url.slice(prefix.length - 1) : undefined;
}

function isSegment(text: string): boolean {
  try {
    const value = decodeURIComponent(text);
    return encodeURIComponent(value) === text && !value.split(/[/\\]/).some((part) => /^\.{0,2}$/.test(part));
  } catch {
    return false;
  }
}

/** The body; undefined if it is too long. Nothing of a long body is kept. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > mostBytes ? undefined : Buffer.concat(chunks).toString();
}

function refusal(status: number, msg: string): RawAnswer {
  const text = JSON.stringify({ error_code: "ERR_BROKER", status_code: status, msg, details: {} });
  return { status, headers: { "content-type": "application/json" }, text, bytes: Buffer.byteLength(text) };
}
