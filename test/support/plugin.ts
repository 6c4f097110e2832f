/** The provider's own hooks against the emulator or a server of the test's, without Pulumi's engine. */
import { Agent, type Dispatcher } from "undici";
import type { Declaration } from "../../src/schema/declaration";
import type { Emulator, RecordedRequest } from "../../src/emulator";
import { hooksOver, type Hooks } from "../../src/provider/dynamic/hooks";
import { connectionOver, type Connection } from "../../src/provider/life-cycle/connection";
import type { Json } from "../../src/schema/json";
import { Http } from "../../src/provider/http/http";
import type { HttpOptions } from "../../src/provider/http/http";
import { LifeCycle, type HookContext } from "../../src/provider/life-cycle/life-cycle";
import { Diagnostics } from "../../src/provider/diagnostics";
import { realTiming } from "../../src/provider/http/timing";
import { declarationOf } from "../../src/resources/registry";
import type { AccountSettings } from "../../src/provider/settings/read-settings";
import type { Settings } from "../../src/provider/settings/settings";
import { withoutPauses } from "./hasty";
import { until } from "./until";
import { plain } from "./in-process/values";

/** The real time without pauses. */
export const hasty = withoutPauses(realTiming);

/** Waits for such a request. It may not be answered yet. */
export async function arrived(
  { requests }: Emulator,
  isMeant: (request: RecordedRequest) => boolean,
): Promise<void> {
  await until(() => requests.some(isMeant));
}

/** The settings of a service that no test reaches. */
export const settings: Settings = {
  apiKey: "a-key-for-tests",
  baseUrl: "http://127.0.0.1:9",
  patchUndocumented: false,
  requestTimeout: 60, // a loaded machine may take seconds to answer
  retryTimeout: 300,
  listTimeout: 3600,
  listObjects: 250_000,
  listMebibytes: 512,
  stampMetadata: false,
};

/** Shared, and soon idle, so that no test waits for connections to end. */
const dispatcher = new Agent({ connections: 32, keepAliveTimeout: 500 });

/** The connections of a process that is killed: only its first requests reach the service. */
export function onlyFirst(requests: number): Dispatcher {
  let sent = 0;
  const agent = new Agent({ keepAliveTimeout: 500 });
  return agent.compose((dispatch): Dispatcher["dispatch"] => (options, handler) => {
    sent += 1;
    return dispatch(sent > requests ? { ...options, origin: "http://127.0.0.1:9" } : options, handler);
  });
}

/** One process of the provider. */
export class Plugin {
  readonly http: Http;
  /** What it reported to the user. */
  readonly lines: string[] = [];
  readonly settings: AccountSettings;

  private readonly connection: Connection;
  private readonly context: HookContext;

  constructor(
    changes: Partial<AccountSettings>,
    { now = () => Date.now(), ...options }: HttpOptions & { now?: () => number } = {},
  ) {
    this.settings = { ...settings, ...changes };
    const report = (line: string): void => void this.lines.push(line);
    this.http = new Http(this.settings, { timing: hasty, report, dispatcher, ...options });
    this.connection = connectionOver(this.http);
    this.context = { now, diagnostics: new Diagnostics(report) };
  }

  static for(emulator: Emulator, changes: Partial<AccountSettings> = {}, options: HttpOptions = {}): Plugin {
    return new Plugin({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, ...changes }, options);
  }

  hooks(type: string): LifeCycle {
    return this.hooksOf(declarationOf(type));
  }

  /** The hooks of a collection that may be made up. */
  hooksOf(declaration: Declaration): LifeCycle {
    return new LifeCycle(declaration, () => this.connection, this.context);
  }

  /** The hooks as Pulumi's plugin calls them, by name: they keep access, and show errors as users read them. */
  calledHooks(type: string): Hooks {
    return hooksOver(declarationOf(type), () => this.connection, this.context);
  }

  async create(type: string, args: Json): Promise<{ id: string; state: Json }> {
    const made = await this.hooks(type).create(args);
    return { id: made.id, state: plain(made.outs) };
  }

  async read(type: string, id: string, state: Json): Promise<{ id: string; state: Json; inputs?: Json }> {
    const found = await this.hooks(type).read(id, state);
    return { id: found.id, state: plain(found.props), inputs: plain(found.inputs) };
  }

  async update(type: string, id: string, state: Json, args: Json): Promise<Json> {
    return plain((await this.hooks(type).update(id, state, args)).outs);
  }
}

/** The requests that the emulator got, one line each. */
export function requestsTo(emulator: Emulator): string[] {
  return emulator.requests.map(({ method, path, query }) => {
    const text = new URLSearchParams(query).toString();
    return `${method} ${path}${text === "" ? "" : `?${text}`}`;
  });
}

/** Whether the service accepts an API key. */
export async function accepts({ baseUrl }: Emulator, token: unknown): Promise<boolean> {
  const headers = { Authorization: `Bearer ${String(token)}`, "service-version": "2" };
  return (await fetch(`${baseUrl}/ip_policies`, { headers })).status === 200;
}
