import { Transport } from "../../../src/provider/transport";

const settings = {
  apiKey: "a-key-for-tests",
  baseUrl: "http://127.0.0.1:9",
  patchUndocumented: false,
  requestTimeout: 2,
  retryTimeout: 300,
  stampMetadata: false,
};

describe("a proxy of the environment", () => {
  const environment = process.env;
  beforeEach(() => (process.env = { ...environment }));
  afterEach(() => (process.env = environment));

  it.each(["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"])(
    "that is no URL is an error before the first request: %s",
    (name) => {
      process.env[name] = "no URL";
      expect(() => new Transport(settings)).toThrow("Invalid URL");
    },
  );
});
