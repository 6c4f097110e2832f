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

/** An option that needs a connection, or that the base URL gives. */
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
    answer: async ({ method, path, headers, body }) => {
      const request = new Request(origin + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const answer = await app.fetch(request, { incoming: { headers } });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text: await answer.text(),
      };
    },
  };
}
