/** The way between the processes of a world and its service, without sockets: it delays, fails and repeats nothing. */
import type { Dispatcher } from "undici";
import type { FaultRule } from "../../../src/emulator";
import { createService, type Service } from "../../../src/emulator/service";
import { Faults, type Fault } from "../../../src/emulator/http/faults";
import type { Late } from "../../worlds/plan";
import type { Loop, Process } from "./loop";

export const baseUrl = "http://127.0.0.1:1";
const apiKey = "SIMULATED-KEY-mmmmmmmmmmmm";

/** Small, so that few objects fill several pages. */
export const pageSize = 3;

/** What the network tells about a request, in the order of their arrival. */
export interface Sent {
  /** From 1, in the order in which processes send. */
  readonly number: number;
  readonly process: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string | undefined;
  /** 0 where no answer was sent. */
  status: number;
  answer: string;
  fault?: string;
}

/**
 * What happens to one request: it fails, or the process that sends it dies before or after the service has done it, with
 * its engine or alone.
 */
export type Strike =
  | {
      readonly kind: "fault";
      readonly rule: FaultRule;
      /** Of a connection that breaks. */
      readonly code?: string;
    }
  | { readonly kind: "kill"; readonly when: "before" | "after"; readonly isAlone?: boolean };

/** Its routes take longer to make than a world takes to run. */
let service: Promise<Service> | undefined;
let time = (): number => 0;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

export class Network {
  readonly sent: Sent[] = [];
  /** Decides what happens to a request. */
  strikes: (request: Sent) => Strike | undefined = () => undefined;
  /** Kills the process that a strike names, and its engine unless it dies alone. */
  onKill: (process: Process, isAlone: boolean) => void = (process) => process.kill();
  /** Called after each request that the service has done. */
  onDone: (request: Sent) => void = () => undefined;
  /** What stands between the processes and the service, such as a broker; it gives no answer where it dies. */
  between: (request: Sent, serve: () => Promise<Answer>) => Promise<Answer | undefined> = (_, serve) =>
    serve();
  private lag = 0;
  /** When each object was created, by its path. */
  private readonly born = new Map<string, number>();
  /** How far the service's clock is ahead of those of the processes, in milliseconds; undefined where answers have no Date. */
  ahead: number | undefined = 0;
  private readonly plan = new Faults();
  private late: Late | undefined;
  private lates = 0;
  private count = 0;

  private constructor(
    private readonly loop: Loop,
    readonly service: Service,
  ) {}

  /** The account is empty. One world at a time uses the service of the process. */
  static async start(loop: Loop, ahead = 0): Promise<Network> {
    time = () => loop.now() + ahead;
    service ??= createService({ apiKey, now: () => new Date(time()), accessHistory: true, pageSize });
    const { at, controls } = await service;
    await controls.reset();
    at(baseUrl);
    const network = new Network(loop, await service);
    network.ahead = ahead;
    return network;
  }

  /** The time of the service. */
  now(): number {
    return time();
  }

  get apiKey(): string {
    return apiKey;
  }

  setFaults(rules: readonly FaultRule[], late?: Late): void {
    this.plan.set({ rules: [...rules] });
    this.late = late;
    this.lates = 0;
  }

  /** For how long reads and updates do not see an object that is created from now on, in milliseconds. */
  setLag(milliseconds: number): void {
    this.lag = milliseconds;
    this.born.clear();
  }

  /** For how long the work of a request is still to be done when it is answered, in milliseconds. */
  private latenessOf(method: string, path: string): number | undefined {
    const { late } = this;
    if (late === undefined || method !== "POST" || !late.paths.includes(path)) return undefined;
    return this.lates++ < late.times ? late.milliseconds : undefined;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.count;
  }

  /** The connections of a process. */
  dispatcher(process: Process): Dispatcher {
    const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
      this.send(process, options, handler);
      return true;
    };
    return { dispatch } as unknown as Dispatcher;
  }

  /** Sends a request of nobody in the world, such as one by hand, at once. */
  async ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.serve(method, path, body && JSON.stringify(body));
  }

  private send(
    process: Process,
    { path, method, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    if (!process.isAlive) return;
    const request: Sent = {
      number: ++this.count,
      process: process.name,
      method,
      path,
      body: (body ?? undefined) as string | undefined,
      status: 0,
      answer: "",
    };
    const controller = { abort: () => unwatch(), aborted: false, paused: false, reason: null };
    // The code of a dead process ends with its connections: it may still run, but nothing comes of it.
    const unwatch = process.watch(() => handler.onResponseError?.(controller as never, new Error("killed")));
    handler.onRequestStart?.(controller as never, {});
    const strike = this.strikes(request);
    if (strike?.kind === "kill" && strike.when === "before")
      return this.onKill(process, strike.isAlone === true);
    this.sent.push(request);
    // Once sent it arrives, whatever becomes of the sender.
    this.loop.after(this.delay(), undefined, async () => {
      const lateness = strike === undefined ? this.latenessOf(method, path) : undefined;
      if (lateness !== undefined) {
        this.loop.after(lateness, undefined, async () => {
          await this.serve(method, path, request.body);
          this.onDone(request);
        });
      }
      const planned = strike === undefined ? this.plan.next(method, path.replace(/\?.*/, "")) : undefined;
      const fault =
        lateness !== undefined ? timedOut : strike?.kind === "fault" ? faultOf(strike.rule) : planned;
      if (fault) request.fault = wordsOf(fault);
      const isServed = fault === undefined || fault.afterWork;
      const serve = () => this.lagging(method, path, () => this.serve(method, path, request.body));
      const real = isServed ? await this.between(request, serve) : undefined;
      if (isServed) this.onDone(request);
      if (real) request.status = real.status;
      if (strike?.kind === "kill") return this.onKill(process, strike.isAlone === true);
      // The sender gives up some time.
      if (fault?.kind === "hang" && fault.delayMs === undefined) return;
      const pause = fault?.delayMs ?? 0;
      this.loop.after(this.delay() + pause, process, () => {
        unwatch();
        const code = strike?.kind === "fault" ? strike.code : undefined;
        answer(request, handler, controller, real ? fault : (fault ?? dropped), real, code);
      });
    });
  }

  /** The answer of a service whose reads and updates follow its creates late. */
  private async lagging(method: string, path: string, serve: () => Promise<Answer>): Promise<Answer> {
    const at = path.replace(/\?.*/, "");
    if (["GET", "PATCH"].includes(method) && this.isUnseen(at))
      return { status: 404, headers: { "content-type": "application/json" }, text: notSeen };
    const answer = await serve();
    if (method === "POST" && answer.status === 201)
      this.born.set(`${at}/${(JSON.parse(answer.text) as { id?: string }).id}`, this.loop.now());
    if (this.lag === 0 || method !== "GET" || answer.status !== 200) return answer;
    const isSeen = (object: unknown): boolean => !this.isUnseen(`${at}/${(object as { id?: string }).id}`);
    const members = Object.entries(JSON.parse(answer.text) as object).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter(isSeen) : (value as unknown),
    ]);
    return { ...answer, text: JSON.stringify(Object.fromEntries(members)) };
  }

  private isUnseen(path: string): boolean {
    return this.loop.now() < (this.born.get(path) ?? -Infinity) + this.lag;
  }

  private async serve(method: string, path: string, body: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${apiKey}`,
      "service-version": "2",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const request = new Request(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await this.service.app.fetch(request, { incoming: { headers } });
    const text = await response.text();
    const headersSent: Record<string, string> = Object.fromEntries(response.headers);
    if (this.ahead === undefined) delete headersSent.date;
    else headersSent.date = new Date(this.loop.now() + this.ahead).toUTCString();
    return { status: response.status, headers: headersSent, text };
  }

  /** Between half a millisecond and forty; the order of answers follows from it. */
  private delay(): number {
    return 0.5 + this.loop.chance.next() ** 3 * 40;
  }
}

type Controller = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseData"]>>[0];

function answer(
  request: Sent,
  handler: Dispatcher.DispatchHandler,
  controller: object,
  fault: Fault | undefined,
  real: Answer | undefined,
  code = "UND_ERR_SOCKET",
): void {
  const { status, headers, text, isCut } = inPlaceOf(fault, real);
  request.status = isCut ? 0 : status;
  request.answer = text;
  const by = controller as Controller;
  if (!isCut || text !== "") {
    handler.onResponseStart?.(by, status, headers, "");
    handler.onResponseData?.(by, Buffer.from(text));
  }
  if (!isCut) handler.onResponseEnd?.(by, {});
  else handler.onResponseError?.(by, Object.assign(new Error("other side closed"), { code }));
}

const json = { "content-type": "application/json" };

function inPlaceOf(fault: Fault | undefined, real: Answer | undefined): Answer & { readonly isCut: boolean } {
  if (fault === undefined) return { ...real!, isCut: false };
  const status = fault.status ?? real?.status ?? 200;
  const retry: Record<string, string> =
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  const given =
    fault.body === undefined
      ? undefined
      : typeof fault.body === "string"
        ? fault.body
        : JSON.stringify(fault.body);
  switch (fault.kind) {
    case "status": {
      const body = {
        error_code: "ERR_INJECTED",
        status_code: fault.status ?? 503,
        msg: "an injected error",
        details: {},
      };
      return {
        status: fault.status ?? 503,
        headers: { ...json, ...retry },
        text: given ?? JSON.stringify(body),
        isCut: false,
      };
    }
    case "html":
      return {
        status: fault.status ?? 502,
        headers: { "content-type": "text/html", ...retry },
        text: given ?? "<html></html>",
        isCut: false,
      };
    case "garbage":
      return {
        status,
        headers: json,
        text: given ?? '{"id": "unfinished, followed by <garbage>',
        isCut: false,
      };
    case "slow":
      return { ...real!, isCut: false };
    case "truncate":
      return { ...real!, text: real!.text.slice(0, real!.text.length >> 1), isCut: true };
    case "dropBefore":
    case "dropAfter":
    case "hang":
      return { status: 0, headers: {}, text: "", isCut: true };
    default:
      throw new Error(`the simulated network has no fault ${fault.kind}`);
  }
}

function wordsOf({ kind, status, afterWork, body, delayMs }: Fault): string {
  const words = [kind, status, afterWork && "afterWork", body && "body", delayMs && `${delayMs} ms`];
  return words.filter((word) => word).join(" ");
}

const notSeen = JSON.stringify({ error_code: "ERR_404", status_code: 404, msg: "not found", details: {} });
const dropped: Fault = { kind: "dropAfter", afterWork: true };
const timedOut: Fault = { kind: "status", status: 504, afterWork: false };

const afterWork = ["dropAfter", "truncate", "garbage", "slow"];

function faultOf(rule: FaultRule): Fault {
  return { ...rule, afterWork: rule.afterWork ?? afterWork.includes(rule.kind) };
}
