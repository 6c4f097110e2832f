import { access, hostport, url } from "../../../../src/schema/formats";

test.each([
  "https://a.example.com",
  "http://localhost:8080/x?y",
  "tcp://1.tcp.example.com:12345",
  "TLS://a.example.com",
  "https://*.example.com",
  "https://[::1]:8443",
  "https://münchen.de/",
])("%s is an endpoint's URL", (value) => {
  expect(url.checkEndpoint(value)).toBeUndefined();
});

test.each([
  ["a.example.com", '"a.example.com" has no scheme, did you mean https://a.example.com?'],
  ["", '"" has no scheme'],
  ["ftp://a.example.com", 'the scheme of "ftp://a.example.com" is another'],
  ["https://", '"https://" has no valid host'],
  ["https:///path", "has no valid host"],
  ["https:a.example.com", "has no scheme"],
  ["https://a..b", "has no valid host"],
  ["https://a*.example.com", "has no valid host"],
  ["https://1.2.3", "has no valid host"],
  ["https://[::1", "has no valid host"],
  ["https://a.example.com:0", "must be a number from 1 to 65535"],
  ["https://a.example.com:65536", "must be a number from 1 to 65535"],
  ["https://a.example.com:", "must be a number from 1 to 65535"],
  ["https://a b", "holds a space"],
  ["https:\\\\a", "a backslash"],
])("%j is refused for an endpoint: %s", (value, reason) => {
  expect(url.checkEndpoint(value)).toMatch(
    /^must be a URL that begins with http:\/\/, https:\/\/, tcp:\/\/ or tls:\/\/ and has a host; /,
  );
  expect(url.checkEndpoint(value)).toContain(reason);
});

test("An issuer is an https URL without query and fragment", () => {
  expect(url.checkIssuer("https://login.example.com/tenant/")).toBeUndefined();
  expect(url.checkIssuer("http://login.example.com")).toContain("is another");
  expect(url.checkIssuer("https://login.example.com?x")).toContain("has a query");
  expect(url.checkIssuer("https://login.example.com#x")).toContain("has a fragment");
  expect(url.checkIssuer("https://*.example.com")).toContain("has no valid host");
});

test("A data collection endpoint is an https URL", () => {
  expect(url.checkHttps("https://x.ingest.example.com")).toBeUndefined();
  expect(url.checkHttps("http://x.ingest.example.com")).toMatch(/^must be an https:\/\/ URL with a host; /);
});

test("No message about a URL shows a password, a query or a fragment", () => {
  const values = [
    "https://u:hunter2@a.example.com",
    "https://a..b?key=hunter2",
    "ftp://a#hunter2",
    "u:hunter2@a",
  ];
  for (const value of values) {
    for (const check of [url.checkEndpoint, url.checkIssuer, url.checkHttps]) {
      expect(check(value)).toBeDefined();
      expect(check(value)).not.toContain("hunter2");
    }
  }
});

test.each([
  ["https://x", "https://x:443"],
  ["http://x/", "http://x:80"],
  ["https://X.example.com/", "HTTPS://x.EXAMPLE.com"],
  ["https://münchen.de", "https://xn--mnchen-3ya.de"],
  ["tcp://X:1", "tcp://x:1"],
  ["https://*.X.com", "https://*.x.com/"],
  ["https://[::1]", "https://[0:0::1]:443"],
])("%s and %s are one URL", (a, b) => {
  expect(url.same(a, b)).toBe(true);
});

test.each([
  ["https://x", "http://x"],
  ["https://x", "https://x:80"],
  ["https://x/a", "https://x/A"],
  ["https://x/a", "https://x/a/"],
  ["tcp://x", "tcp://x:443"],
])("%s and %s are two", (a, b) => {
  expect(url.same(a, b)).toBe(false);
});

test("The scheme of a URL is in lower case, and there may be none", () => {
  expect(url.schemeOf("TCP://x:1")).toBe("tcp");
  expect(url.schemeOf("x:1")).toBeUndefined();
});

test.each(["a.example.com:1", "localhost:65535", "10.0.0.1:80", "[2001:db8::1]:443", "a_b.example.com:1"])(
  "%s is a hostport",
  (value) => {
    expect(hostport.check(value)).toBeUndefined();
  },
);

test.each([
  ["a.example.com", "has no port"],
  ["a.example.com:0", "must be a number from 1 to 65535"],
  ["a.example.com:65536", "must be a number from 1 to 65535"],
  ["a.example.com:080", "must be a number from 1 to 65535"],
  ["a.example.com:http", "must be a number from 1 to 65535"],
  [":80", "does not begin with a host name"],
  ["2001:db8::1:80", "does not begin with a host name"],
  ["-a.example.com:80", "does not begin with a host name"],
  [`${"a".repeat(64)}.com:80`, "does not begin with a host name"],
  ["a b:80", "does not begin with a host name"],
  ["tcp://a.example.com:80", "without a scheme"],
  ["[::1]", "has no port"],
])("%s is refused as a hostport: %s", (value, reason) => {
  expect(hostport.check(value)).toMatch(/^must be hostname:port such as 1\.tcp\.example\.com:12345[;,] /);
  expect(hostport.check(value)).toContain(reason);
});

test("The letter case of a hostport does not count, its port does", () => {
  expect(hostport.same("A.example.com:1", "a.EXAMPLE.com:1")).toBe(true);
  expect(hostport.same("a.example.com:1", "a.example.com:2")).toBe(false);
});

test("A team is an organization and a team with one slash between", () => {
  expect(access.checkTeam("acme/platform")).toBeUndefined();
  for (const value of ["acme", "acme/", "/platform", "acme/a/b", "ac me/x", ""]) {
    expect(access.checkTeam(value)).toMatch(/^must be a team as <org-slug>\/<team-slug>, got "/);
  }
});

test("An organization is a slug", () => {
  expect(access.checkOrganization("acme")).toBeUndefined();
  for (const value of ["", "acme/x", "ac me"]) expect(access.checkOrganization(value)).toBeDefined();
});

test("An e-mail address has one at sign and a domain", () => {
  expect(access.checkEmail("a.b+c@example.com")).toBeUndefined();
  for (const value of [
    "a",
    "@example.com",
    "a@",
    "a@b@example.com",
    "a b@example.com",
    "a@https://example.com",
  ]) {
    expect(access.checkEmail(value)).toMatch(/^must be an e-mail address such as user@example\.com, got "/);
  }
  expect(access.sameEmail("A@Example.com", "A@example.com")).toBe(true);
  expect(access.sameEmail("A@example.com", "a@example.com")).toBe(false);
});

test("An e-mail domain has neither at sign nor scheme", () => {
  expect(access.checkEmailDomain("example.com")).toBeUndefined();
  for (const value of [
    "",
    "@example.com",
    "a@example.com",
    "https://example.com",
    ".example.com",
    "example.com/",
  ]) {
    expect(access.checkEmailDomain(value)).toMatch(/^must be an e-mail domain such as example\.com, /);
  }
  expect(access.sameEmailDomain("Example.com", "example.COM")).toBe(true);
});
