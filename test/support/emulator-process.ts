import { connect, type Socket } from "node:net";
import type {
  AccessMoment,
  EmulatorOptions,
  FaultPlan,
  JsonObject,
  RecordedRequest,
  Seed,
  Snapshot,
} from "../../src/emulator/types";
import { duringOneTest, duringTests } from "./during-tests";
import { emulatorHost } from "./worker-hosts";

interface Address {
  baseUrl: string;
  apiKey: string;
  userId: string;
}

/** An emulator and its controls, in this or another process. */
export class EmulatorClient {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userId: string;

  constructor({ baseUrl, apiKey, userId }: Address) {
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
    this.userId = userId;
  }

  /** Environment for a stack of this account. */
  get env(): Record<string, string> {
    return { TUNNEL_GATEWAY_BASE_URL: this.baseUrl, TUNNEL_GATEWAY_API_KEY: this.apiKey };
  }

  /** Stack configuration for this account. */
  get config(): Record<string, string | { secret: string }> {
    return { "tunnel-gateway:baseUrl": this.baseUrl, "tunnel-gateway:apiKey": { secret: this.apiKey } };
  }

  async requests(): Promise<RecordedRequest[]> {
    return (await this.control<{ requests: RecordedRequest[] }>("GET", "requests")).requests;
  }

  /** The requests as `METHOD path`, in order: what most tests compare. */
  async requestLines(): Promise<string[]> {
    return (await this.requests()).map(({ method, path }) => `${method} ${path}`);
  }

  async clearRequests(): Promise<void> {
    await this.control("DELETE", "requests");
  }

  seed(objects: Seed): Promise<Snapshot> {
    return this.control("POST", "seed", objects);
  }

  state(): Promise<Snapshot> {
    return this.control("GET", "state");
  }

  accessHistory(): Promise<AccessMoment[]> {
    return this.control("GET", "access");
  }

  /** Replaces the fault plan; no plan, no faults. */
  async setFaults(plan: FaultPlan = { rules: [] }): Promise<void> {
    await this.control("PUT", "faults", plan);
  }

  /** Sets the clock; no time puts it back to the system's. */
  async setClock(now?: string): Promise<void> {
    await this.control("PUT", "clock", { now });
  }

  async advanceClock(advanceMs: number): Promise<void> {
    await this.control("PUT", "clock", { advanceMs });
  }

  /** Makes all objects two minutes old, by the clock of the service: that one of them was deleted by hand is then certain at once. */
  async ageObjects(): Promise<void> {
    await this.advanceClock(120_000);
  }

  async reset(): Promise<void> {
    await this.control("POST", "reset");
  }

  /** A plain request to the service that does not come from Pulumi. */
  async api(method: string, path: string, body?: object): Promise<JsonObject> {
    const headers = { Authorization: `Bearer ${this.apiKey}`, "Service-Version": "2" };
    return send(method, `${this.baseUrl}${path}`, body, headers);
  }

  private control<T>(method: string, route: string, body?: object): Promise<T> {
    return send(method, new URL(`/_emulator/${route}`, this.baseUrl).href, body, {
      "Emulator-Control": "1",
    }) as Promise<T>;
  }
}

/** An emulator outside of the test's process, as the engine uses it. */
export class EmulatorProcess extends EmulatorClient {
  private constructor(
    address: Address,
    private readonly socket: Socket,
  ) {
    super(address);
  }

  static async start(options: Omit<EmulatorOptions, "now"> = {}): Promise<EmulatorProcess> {
    const socket = connect(await emulatorHost(), "127.0.0.1");
    socket.write(`${JSON.stringify(options)}\n`);
    return new EmulatorProcess(await firstLine(socket), socket);
  }

  /** One for all tests of a file or a block. */
  static forTests(options: Omit<EmulatorOptions, "now"> = {}): EmulatorProcess {
    return duringTests(
      () => EmulatorProcess.start(options),
      (emulator) => emulator.stop(),
    );
  }

  /** Starts emulators, and stops each after the test that started it. */
  static forOneTest(): typeof EmulatorProcess.start {
    return duringOneTest(
      (options?: Omit<EmulatorOptions, "now">) => EmulatorProcess.start(options),
      (emulator) => emulator.stop(),
    );
  }

  /** Stops the emulator. A data file is kept. */
  async stop(): Promise<void> {
    if (this.socket.closed) return;
    const ended = new Promise((resolve) => this.socket.once("close", resolve));
    this.socket.end();
    await ended;
  }
}

async function send(method: string, url: string, body?: object, headers: object = {}): Promise<JsonObject> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === "" ? {} : (JSON.parse(text) as JsonObject);
}

function firstLine(socket: Socket): Promise<Address> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text) as Address);
    });
    socket.on("error", reject);
    socket.on("close", () =>
      reject(new Error("The emulator ended before it listened: see its error above.")),
    );
  });
}
