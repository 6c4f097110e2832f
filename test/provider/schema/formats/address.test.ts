import { access, hostport, url } from "./formats";
import { same } from "./support";

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

test("A scheme that is none of an endpoint, and an empty text, are refused for an endpoint", () => {
  for (const value of ["ftp://a.example.com", "ssh://a"]) {
    expect(url.checkEndpoint(value)).toBe(
      "must be a URL that begins with http://, https://, tcp:// or tls://; " +
        `the scheme of "${value}" is another`,
    );
  }
  expect(url.checkEndpoint("")).toBe("must be the URL of an endpoint, which is not empty");
});

test.each([
  ["a.example.com", '"a.example.com" has no scheme, did you mean https://a.example.com?'],
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
  ["https://user:hunter2@a.example.com", "a user name or password does not belong in it"],
])("%j is accepted for an endpoint with a warning: %s", (value, reason) => {
  expect(url.checkEndpoint(value)).toBeUndefined();
  expect(url.adviseEndpoint(value)).toMatch(/^is an unusual URL of an endpoint: /);
  expect(url.adviseEndpoint(value)).toContain(reason);
});

test("There is no warning about an endpoint's usual URL", () => {
  for (const value of ["https://*.example.com", "tcp://1.tcp.example.com:12345", "TLS://[::1]/x?y"]) {
    expect(url.adviseEndpoint(value)).toBeUndefined();
  }
});

test("An issuer is a URL that can be fetched from", () => {
  const right = "https://login.example.com/tenant/";
  expect(url.checkIssuer(right)).toBeUndefined();
  expect(url.adviseIssuer(right)).toBeUndefined();
  expect(url.checkIssuer("login.example.com")).toMatch(
    /^must be an https:\/\/ URL such as .*, or an http:\/\/ URL; .* did you mean https:\/\/login\.example\.com\?$/,
  );
  for (const value of [
    "",
    "https://",
    "https://a b",
    "ftp://login.example.com",
    " https://login.example.com",
  ]) {
    expect(url.checkIssuer(value)).toMatch(/^must be an https:\/\/ URL such as /);
  }
});

test.each([
  ["http://login.example.com", "is not https, which OpenID Connect requires of an issuer"],
  ["https://login.example.com?tenant=1", "has a query, which OpenID Connect does not allow in an issuer"],
  ["https://login.example.com#x", "has a fragment, which OpenID Connect does not allow in an issuer"],
  ["https://*.example.com", 'is an unusual URL of an issuer: "https://*.example.com" has no valid host'],
  [
    "https://u:hunter2@login.example.com",
    "is an unusual URL of an issuer: a user name or password does not belong in it",
  ],
])("%s is accepted as an issuer with a warning", (value, advice) => {
  expect(url.checkIssuer(value)).toBeUndefined();
  expect(url.adviseIssuer(value)).toBe(advice);
});

test("A data collection endpoint that is not an https URL is a warning", () => {
  expect(url.adviseUri("https://x.ingest.example.com")).toBeUndefined();
  for (const value of ["http://x.ingest.example.com", "x.ingest.example.com"]) {
    expect(url.adviseUri(value)).toMatch(/^is not an https:\/\/ URL with a host: /);
  }
});

test("No message about a URL shows a password, a query or a fragment", () => {
  const values = [
    "https://u:hunter2@a.example.com",
    "https://a..b?key=hunter2",
    "ftp://a#hunter2",
    "u:hunter2@a",
    "a.example.com?key=hunter2",
  ];
  for (const value of values) {
    for (const check of [url.checkEndpoint, url.checkIssuer]) {
      expect(check(value) ?? "").not.toContain("hunter2");
    }
    for (const advise of [url.adviseEndpoint, url.adviseIssuer, url.adviseUri]) {
      expect(advise(value)).toBeDefined();
      expect(advise(value)).not.toContain("hunter2");
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
  expect(same(url, a, b)).toBe(true);
});

test.each([
  ["https://x", "http://x"],
  ["https://x", "https://x:80"],
  ["https://x/a", "https://x/A"],
  ["https://x/a", "https://x/a/"],
  ["tcp://x", "tcp://x:443"],
])("%s and %s are two", (a, b) => {
  expect(same(url, a, b)).toBe(false);
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
  ["a b:80", "does not begin with a host name"],
  ["tcp://a.example.com:80", "without a scheme"],
  ["[::1]", "has no port"],
])("%s is refused as a hostport: %s", (value, reason) => {
  expect(hostport.check(value)).toMatch(/^must be hostname:port such as 1\.tcp\.example\.com:12345[;,] /);
  expect(hostport.check(value)).toContain(reason);
});

test("A host that DNS does not know in this form is a warning", () => {
  for (const value of ["-a.example.com:80", `${"a".repeat(64)}.com:80`, "*.example.com:443"]) {
    expect(hostport.check(value)).toBeUndefined();
    expect(hostport.advise(value)).toBe("has a host that is neither a host name nor an IP address");
  }
  expect(hostport.advise("a.example.com:1")).toBeUndefined();
});

test("The letter case of a hostport does not count, its port does", () => {
  expect(same(hostport, "A.example.com:1", "a.EXAMPLE.com:1")).toBe(true);
  expect(same(hostport, "a.example.com:1", "a.example.com:2")).toBe(false);
});

test("A team is an organization and a team with one slash between", () => {
  expect(access.checkTeam("acme/platform")).toBeUndefined();
  for (const value of ["acme", "acme/", "/platform", "acme/a/b", "ac me/x", ""]) {
    expect(access.checkTeam(value)).toMatch(/^must be a team as <org-slug>\/<team-slug>, got "/);
  }
});

test("What looks like no organization, no e-mail address and no e-mail domain is a warning", () => {
  for (const value of ["", "acme/x", "ac me"]) {
    expect(access.adviseOrganization(value)).toMatch(/^does not look like an organization's slug, /);
  }
  for (const value of [
    "a",
    "@example.com",
    "a@",
    "a@b@example.com",
    "a b@example.com",
    "a@https://example.com",
  ]) {
    expect(access.adviseEmail(value)).toMatch(/^does not look like an e-mail address such as /);
  }
  for (const value of [
    "",
    "@example.com",
    "a@example.com",
    "https://example.com",
    ".example.com",
    "example.com/",
  ]) {
    expect(access.adviseEmailDomain(value)).toMatch(
      /^does not look like an e-mail domain such as example\.com, /,
    );
  }
});

test("An organization is a slug, an e-mail address has one at sign and a domain, a domain neither at sign nor scheme", () => {
  expect(access.adviseOrganization("acme")).toBeUndefined();
  expect(access.adviseEmail("a.b+c@example.com")).toBeUndefined();
  expect(access.adviseEmailDomain("example.com")).toBeUndefined();
});

test("The letter case of an e-mail domain does not count", () => {
  expect(same({ canonical: access.canonicalEmail }, "A@Example.com", "A@example.com")).toBe(true);
  expect(same({ canonical: access.canonicalEmail }, "A@example.com", "a@example.com")).toBe(false);
  expect(same({ canonical: hostport.canonicalHost }, "Example.com", "example.COM")).toBe(true);
});
