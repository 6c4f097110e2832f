import type { Dispatcher } from "undici";
import { Transport } from "../../../src/provider/http/transport";
import { settings } from "../../support/plugin";

describe("a proxy of the environment", () => {
  const environment = process.env;
  beforeEach(() => (process.env = { ...environment }));
  afterEach(() => (process.env = environment));

  it.each(["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"])(
    "that is no URL is an error before the first request: %s",
    (name) => {
      process.env[name] = "no URL";
      const behind = { ...settings, baseUrl: "https://api.example.com" };
      expect(() => new Transport(behind)).toThrow("Invalid URL");
    },
  );
});

test("a request that still waits for a connection ends after its time, and is not sent later", async () => {
  let handler: Dispatcher.DispatchHandler | undefined;
  const dispatch: Dispatcher["dispatch"] = (_options, given) => {
    handler = given;
    return true;
  };
  const dispatcher: Partial<Dispatcher> = { dispatch };
  const transport = new Transport({ ...settings, requestTimeout: 0.01 }, undefined, dispatcher as Dispatcher);
  const sent = transport.send({ method: "GET", path: "/ip_policies", operation: "reading" });
  await expect(sent).rejects.toMatchObject({
    message: "reading failed: no answer within 0.01 seconds",
    outcome: "broken",
  });
  const abort = jest.fn();
  handler!.onRequestStart!({ abort } as Partial<Dispatcher.DispatchController> as never, undefined);
  expect(abort).toHaveBeenCalledWith(expect.objectContaining({ outcome: "broken" }));
});
