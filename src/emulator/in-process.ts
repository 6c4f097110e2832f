/** The emulator in the process of its client: it answers requests without a socket. */
import { createService } from "./service";
import type { Changes } from "./service";
import type { Emulator, EmulatorOptions } from "./types";

interface EmulatedRequest {
  readonly method: string;
  /** With the base path and the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface EmulatedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** An option that needs a connection, or that the base URL determines. */
type OfServer = "port" | "host" | "basePath" | "faults";

export interface InProcessEmulator extends Omit<Emulator, "close" | "setFaults">, Changes {
  answer(request: EmulatedRequest): Promise<EmulatedAnswer>;
}

/**
 * @param baseUrl the address that the service seems to have; it may be that of a real one.
 * @param isOpaque whether a text stands for an unknown value, which passes every check. Default: none does.
 */
export async function emulatorInProcess(
  baseUrl: string,
  options: Omit<EmulatorOptions, OfServer> = {},
  isOpaque?: (text: string) => boolean,
): Promise<InProcessEmulator> {
  const { origin, pathname } = new URL(baseUrl);
  const { app, controls, at } = await createService({ ...options, basePath: pathname }, isOpaque);
  return {
    ...controls,
    baseUrl: at(origin),
    answer: async (request) => {
      const { status, headers, text } = (await app.fetch(
        lightRequest(origin, request) as unknown as Request,
        { incoming: request, respond: lightResponse },
      )) as unknown as LightResponse;
      return { status, headers: Object.fromEntries(headers), text: await text() };
    },
  };
}

/** The parts of a Request that the service reads. A real Request takes more time than the service itself. */
function lightRequest(origin: string, { method, path, headers, body }: EmulatedRequest) {
  return {
    method,
    url: origin + path,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    text: () => Promise.resolve(body ?? ""),
  };
}

interface LightResponse {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly text: () => Promise<string>;
}

/** The parts of a Response that the service sets. */
function lightResponse(body: string | null, init: ResponseInit): Response {
  const response: LightResponse = {
    status: init.status!,
    headers: new Map(
      Object.entries(init.headers!).map(([name, value]) => [name.toLowerCase(), value as string]),
    ),
    text: () => Promise.resolve(body ?? ""),
  };
  return response as unknown as Response;
}
