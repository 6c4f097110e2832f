/** HTTP servers of a test's own, on loopback. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { duringOneTest, duringTests } from "./during-tests";

interface RunningServer {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts a server. */
async function startServer(answer: RequestListener): Promise<RunningServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const stop = (server: RunningServer): Promise<void> => server.stop();

/** A server for all tests of a file or a block. */
export function serverForTests(answer: RequestListener): RunningServer {
  return duringTests(() => startServer(answer), stop);
}

/** Starts servers, and stops each after the test that started it. */
export function servers(): typeof startServer {
  return duringOneTest(startServer, stop);
}
