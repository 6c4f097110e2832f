import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { Env } from "./http/app";
import { InvalidOptionError } from "./http/errors";
import { CONTROL } from "./http/control";
import { checkControl, checkHost, limitBody, placeOf } from "./http/guard";
import { createService } from "./service";
import type { Emulator, EmulatorOptions } from "./types";

export { accessGaps } from "./access-history";
export { InvalidOptionError } from "./http/errors";
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
 * Tests in another process have the same controls under `/_emulator/` at the server's root, with the header
 * `Emulator-Control: 1`: `POST seed`, `GET state`, `GET access`, `GET` and `DELETE requests`, `PUT faults`, `GET` and `PUT clock`,
 * `POST reset`.
 *
 * @throws if the port is in use or the data file is invalid; an `InvalidOptionError` if other machines reach the address and there is
 * no `apiKey`, or the seed or the fault plan is invalid. Nothing is saved then.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? "127.0.0.1";
  const place = await placeOf(host);
  if (!place.loopback && !options.apiKey) {
    throw new InvalidOptionError(
      "host",
      `other machines can connect to ${host}, and the emulator's default key is public: ` +
        "set a key of your own in TUNNEL_GATEWAY_EMULATOR_API_KEY, with --api-key, or with the option apiKey of startEmulator",
    );
  }
  const { app, controls, at, saved } = await createService(options);
  const guarded = new Hono<Env>();
  guarded.use(checkHost(place));
  guarded.use(`${CONTROL}/*`, checkControl(place, controls.apiKey));
  guarded.use(limitBody());
  guarded.all("*", (c) => app.fetch(c.req.raw, c.env));
  const server = createAdaptorServer({ fetch: guarded.fetch, overrideGlobalObjects: false }) as Server;
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
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse =
        `port ${port} of ${host} is in use: stop the process that listens there, or choose another port with ` +
        `--port (--port 0 takes a free one)`;
      reject(error.code === "EADDRINUSE" ? Object.assign(new Error(inUse), { code: error.code }) : error);
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve((server.address() as AddressInfo).port);
    });
  });
}
