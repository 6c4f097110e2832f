/** Where Pulumi's engine listens, and how a plugin learns that it has ended. */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { engineAddress, watchEngine } from "../../../src/provider/dynamic/engine";

it("is at the last address among the arguments: that of a collector of traces may stand before it", () => {
  expect(engineAddress(["node", "run.js", "127.0.0.1:4317", "127.0.0.1:40000"])).toBe("127.0.0.1:40000");
  expect(engineAddress(["node", "run.js", "40000", "--logtostderr"])).toBe("40000");
  expect(engineAddress(["node", "run.js", "localhost"])).toBeUndefined();
});

describe("the end of an engine", () => {
  beforeEach(() =>
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout"] }),
  );
  afterEach(() => jest.useRealTimers());

  async function listening() {
    const server = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const close = async (): Promise<void> => {
      server.close();
      await once(server, "close"); // which waits for the end of its connections
    };
    return { server, port, close };
  }

  it("shows where its address answers no more", async () => {
    const { server, port, close } = await listening();
    const answered = once(server, "connection");
    const ended = new Promise<void>((resolve) => watchEngine(["node", `127.0.0.1:${port}`], resolve));
    await answered;
    await close();
    jest.advanceTimersByTime(2_000);
    await ended;
  });

  it("is none of an address that never answered", async () => {
    const { port, close } = await listening();
    await close();
    const onEnd = jest.fn();
    watchEngine(["node", String(port)], onEnd);
    for (let look = 0; look < 2; look += 1) {
      await once(connect(port, "127.0.0.1"), "error");
      jest.advanceTimersByTime(2_000);
    }
    await once(connect(port, "127.0.0.1"), "error");
    expect(onEnd).not.toHaveBeenCalled();
  });
});
