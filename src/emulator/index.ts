import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { createService } from "./service";
import type { Emulator, EmulatorOptions } from "./types";

export * from "./types";

/**
 * Starts the tunnel gateway service of the specification on this machine, for tests, quick starts and offline work.
 * It rejects what the specification does not allow. Resolves when it listens.
 *
 * ```typescript
 * import { startEmulator } from "pulumi-tunnel-gateway/emulator";
 *
 * const emulator = await startEmulator({ requestsPerMinute: 120 });
 * process.env.TUNNEL_GATEWAY_BASE_URL = emulator.baseUrl;
 * process.env.TUNNEL_GATEWAY_API_KEY = emulator.apiKey;
 * ```
 *
 * Tests in another process have the same controls under `/_emulator/` at the server's root, without headers:
 * `POST seed`, `GET state`, `GET` and `DELETE requests`, `PUT faults`, `GET` and `PUT clock`, `POST reset`.
 *
 * @throws if the port is in use, the data file is invalid or the fault plan is invalid.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? "127.0.0.1";
  const { app, controls, at, saved } = await createService(options);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  // Longer than any client keeps an idle connection: a reused connection breaks only where a test injects a fault.
  server.keepAliveTimeout = 120_000;
  const port = await listen(server, options.port ?? 0, host);
  const baseUrl = at(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);

  return {
    ...controls,
    baseUrl,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await saved();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
