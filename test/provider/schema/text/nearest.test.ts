import { nearest } from "../../../../src/schema/text/nearest";

const known = [
  "apiKey",
  "baseUrl",
  "requestTimeout",
  "retryTimeout",
  "listTimeout",
  "keepAccess",
  "rule",
] as const;

it.each([
  ["baseURL", "baseUrl"],
  ["base_url", "baseUrl"],
  ["keepAcess", "keepAccess"],
  ["keepAcesss", "keepAccess"],
  ["keepAccses", "keepAccess"],
  ["apikeys", "apiKey"],
  ["apiKye", "apiKey"],
  ["listTimeouts", "listTimeout"],
  ["requestTimout", "requestTimeout"],
  ["rules", "rule"],
  ["timeout", undefined],
  ["url", undefined],
  ["key", undefined],
  ["re", undefined],
  ["", undefined],
  ["-", undefined],
])("%j is near to %s", (name, expected) => expect(nearest(name, known)).toBe(expected));

it("is the nearest of several", () => {
  expect(nearest("ipv44", ["ipv6", "ipv4"])).toBe("ipv4");
});
