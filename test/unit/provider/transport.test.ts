import { Transport } from "../../../src/provider/transport";
import { settings } from "../../faults/support";

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
