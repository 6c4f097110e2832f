/** One account of a rehearsal: a copy of it, the requests that reach it, and the objects that each of them changes. */
import type { Dispatcher } from "undici";
import { emulatorInProcess } from "../../emulator/in-process";
import type { InProcessEmulator } from "../../emulator/in-process";
import type { ChangedObject, Snapshot } from "../../emulator/types";
import { connectionOver } from "../../provider/life-cycle/connection";
import type { Connection } from "../../provider/life-cycle/connection";
import { Http } from "../../provider/http/http";
import type { AccountSettings } from "../../provider/settings/read-settings";
import { jsonIn } from "../../schema/json";
import { isOpaque } from "./opaque";
import type { VirtualClock } from "./virtual-clock";

/** A request of the rehearsal, with its answer. */
export interface RehearsedRequest {
  readonly method: string;
  /** Without the path of the base URL, with the query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
  /** When it is sent, in milliseconds after the beginning. */
  readonly at: number;
  /** The URN of the resource whose step sends it. */
  readonly urn: string;
  /** The index of that step in the plan. */
  readonly step: number;
  readonly baseUrl: string;
  /** The objects that it changes. */
  readonly changes: readonly ChangedObject[];
}

/** The requests so far, and the step that sends the next ones. */
export interface RequestLog {
  readonly requests: RehearsedRequest[];
  urn: string;
  step: number;
}

export class RehearsedAccount {
  /** The account before the deployment. */
  readonly before: Snapshot;
  readonly leftOut: readonly string[];
  private readonly basePath: string;
  /** Ends with the last answer: what a request changes is known only if no other one is answered meanwhile. */
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly service: InProcessEmulator,
    private readonly clock: VirtualClock,
    private readonly log: RequestLog,
  ) {
    this.before = service.snapshot();
    this.leftOut = service.leftOut;
    this.basePath = new URL(service.baseUrl).pathname.replace(/\/$/, "");
    service.takeChanges();
  }

  static async start(
    baseUrl: string,
    account: Snapshot,
    clock: VirtualClock,
    log: RequestLog,
  ): Promise<RehearsedAccount> {
    const now = (): Date => new Date(clock.now());
    return new RehearsedAccount(await emulatorInProcess(baseUrl, { account, now }, isOpaque), clock, log);
  }

  get baseUrl(): string {
    return this.service.baseUrl;
  }

  /** The account as it is now. */
  get after(): Snapshot {
    return this.service.snapshot();
  }

  /** The connection of a provider with these settings, and with the key of the copy. */
  connect(settings: AccountSettings): Connection {
    const { baseUrl, apiKey } = this.service;
    const quiet = (): void => undefined;
    const options = { dispatcher: this.dispatcher(), timing: this.clock, report: quiet, debug: quiet };
    return connectionOver(new Http({ ...settings, baseUrl, apiKey }, options));
  }

  private dispatcher(): Dispatcher {
    const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
      const controller = { abort: () => undefined, aborted: false, paused: false, reason: null } as never;
      handler.onRequestStart?.(controller, {});
      const answered = this.clock.during(() => this.turn.then(() => this.answer(options)));
      this.turn = answered.catch(() => undefined);
      void answered.then(
        ({ status, headers, text }) => {
          handler.onResponseStart?.(controller, status, headers, "");
          handler.onResponseData?.(controller, Buffer.from(text));
          handler.onResponseEnd?.(controller, {});
        },
        (error: Error) => handler.onResponseError?.(controller, error),
      );
      return true;
    };
    return { dispatch } as unknown as Dispatcher;
  }

  private async answer({ method, path, headers, body }: Dispatcher.DispatchOptions) {
    const { service, log } = this;
    const { urn, step } = log;
    const at = this.clock.elapsed();
    const text = typeof body === "string" ? body : undefined;
    const answer = await service.answer({
      method,
      path,
      headers: headers as Record<string, string>,
      body: text,
    });
    log.requests.push({
      ...{ method, path: path.slice(this.basePath.length), at, urn, step, baseUrl: service.baseUrl },
      body: text === undefined ? undefined : jsonIn(text),
      status: answer.status,
      answer: jsonIn(answer.text),
      changes: method === "GET" ? [] : service.takeChanges(),
    });
    // The log has the request.
    service.clearRequests();
    return answer;
  }
}
