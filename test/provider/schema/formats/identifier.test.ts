import "../../../../src/resources/registry"; // declares which prefix belongs to which collection
import { acl, eventType, header, id, labelKey, labelValue, number, sshCertificate } from "./formats";
import { same } from "./support";

test.each([
  "*",
  "bind:example.com",
  "bind:*.example.com",
  "bind:1.tcp.example.com:12345",
  "bind:team=platform",
  "bind:*=platform",
  "bind:team=*",
  "bind:*=*",
  "bind:team=a:b",
])("%s is a rule", (value) => {
  expect(acl.check(value)).toBeUndefined();
});

test.each([
  "",
  "bind",
  "bind:",
  "BIND:example.com",
  "allow:example.com",
  "bind: example.com",
  "bind:example.com ",
  "bind:*.*.example.com",
  "bind:a.*.example.com",
  "bind:*example.com",
  "bind:*.",
  "bind:*:80",
  "bind:=platform",
  "bind:a=b=c",
  "bind:te*=platform",
  "bind:team=plat*",
  "**",
])("%j is no rule, and the message shows it and what is allowed", (value) => {
  expect(acl.check(value)).toMatch(/^must be "\*" or "bind:<target>", the target being a domain/);
  expect(acl.check(value)).toContain(`got ${JSON.stringify(value)}`);
});

test.each([
  ["bind:*", 'did you mean "*"?'],
  ["example.com", 'did you mean "bind:example.com"?'],
  ["bind:example.com ", "begins or ends with white space"],
])("The message about %j helps: %s", (value, help) => {
  expect(acl.check(value)).toContain(help);
});

test("the message about a rule without a target suggests none", () => {
  expect(acl.check("bind")).not.toContain("did you mean");
});

test.each([
  ["bind:https://example.com", '"bind:https://example.com", a target has no scheme'],
  ["bind:example.com:0", '"bind:example.com:0"'],
  ["bind:*.-a", '"bind:*.-a"'],
])("%s is a rule with a warning", (value, shown) => {
  expect(acl.check(value)).toBeUndefined();
  expect(acl.advise(value)).toBe(`has a target that is neither a domain, an address nor a label: ${shown}`);
});

test("There is no warning about a domain, an address, a label and the rule that permits all", () => {
  for (const value of [
    "*",
    "bind:*.example.com",
    "bind:1.tcp.example.com:12345",
    "bind:team=my team",
    "bind:*=*",
  ]) {
    expect(acl.advise(value)).toBeUndefined();
  }
});

test("The letter case of a rule's domain and address does not count, that of a label does", () => {
  expect(same(acl, "bind:*.Example.com", "bind:*.example.com")).toBe(true);
  expect(same(acl, "bind:A.example.com:1", "bind:a.example.com:1")).toBe(true);
  expect(same(acl, "bind:A=b", "bind:a=b")).toBe(false);
  expect(same(acl, "bind:example.com", "bind:*.example.com")).toBe(false);
});

test("An id has its prefix, and the message knows whose a foreign prefix is", () => {
  const check = id.prefixed("ipp_");
  expect(check("ipp_2abc")).toBeUndefined();
  expect(check("ipr_2abc")).toBe(
    'must be an id that starts with ipp_; "ipr_2abc" is the id of an IP policy rule',
  );
  expect(check("my-policy")).toBe('must be an id that starts with ipp_; got "my-policy"');
  for (const value of ["", "ipp_", "ipp_a/b", "ipp_a b", " ipp_a", "IPP_a"])
    expect(check(value)).toBeDefined();
});

test("One of several prefixes is enough", () => {
  const check = id.prefixed("bkdtg_", "bkdhr_", "bkdwd_");
  expect(check("bkdhr_1")).toBeUndefined();
  expect(check("bkdfo_1")).toBe(
    'must be an id that starts with bkdtg_, bkdhr_ or bkdwd_; "bkdfo_1" is the id of a failover backend',
  );
});

test("An id in a path is one segment", () => {
  expect(id.checkPath("edghts_1")).toBeUndefined();
  expect(id.checkPath("..a")).toBeUndefined();
  for (const value of ["", ".", "..", "a/b", "a\nb", "a b"])
    expect(id.checkPath(value)).toMatch(/^must be an id/);
});

test("A header's name is a token", () => {
  expect(header.checkName("X-Request-Id")).toBeUndefined();
  for (const value of ["", "a b", "a:", "é", "a\r\nb"])
    expect(header.checkName(value)).toContain(`got ${JSON.stringify(value)}`);
  expect(header.canonicalName("Content-Type")).toBe("content-type");
});

test("A header's value has no line ends, and no message shows it", () => {
  for (const value of ["", "a\tb", "text/plain; charset=utf-8", "é", " a "])
    expect(header.checkValue(value)).toBeUndefined();
  for (const value of ["hunter2\r\nx: y", "hunter2\0", "hunter2\u007f"]) {
    expect(header.checkValue(value)).toMatch(/^must be a header value without /);
    expect(header.checkValue(value)).not.toContain("hunter2");
  }
});

test("White space around a header's value is a warning and does not count", () => {
  for (const value of [" hunter2", "hunter2\t"]) {
    expect(header.adviseValue(value)).toBe("has white space around it, which HTTP does not transfer");
    expect(same({ canonical: header.canonicalValue }, value, "hunter2")).toBe(true);
  }
  expect(header.adviseValue("a b")).toBeUndefined();
  expect(same({ canonical: header.canonicalValue }, "a b", "a  b")).toBe(false);
});

test("An event type has any name, and carries its version", () => {
  for (const value of [
    "ip_policy_created.v0",
    "a.v12",
    "Ip.v0",
    "a.v01",
    "_a__b.v0",
    "a-b.v0",
    "a/b.c.v2",
    "é.v0",
  ])
    expect(eventType.check(value)).toBeUndefined();
  for (const value of [
    "",
    "ip_policy_created",
    "a.v",
    ".v0",
    "a.v0 ",
    "a b.v0",
    "a.v0.x",
    "a.V0",
    "a\0.v0",
  ]) {
    expect(eventType.check(value)).toMatch(/such as ip_policy_created\.v0; got "/);
  }
});

test("A principal that names nobody is a warning", () => {
  expect(sshCertificate.advisePrincipal("root")).toBeUndefined();
  expect(sshCertificate.advisePrincipal("")).toMatch(/^is empty/);
  for (const value of ["a,b", "a\n"]) {
    expect(sshCertificate.advisePrincipal(value)).toMatch(/^holds a comma or a control character; /);
  }
});

test("An extension without a name is a warning", () => {
  expect(sshCertificate.adviseExtension("permit-pty")).toBeUndefined();
  expect(sshCertificate.adviseExtension("")).toMatch(/^is empty/);
});

test("A label holds no equals sign, and what looks wrong in it is a warning", () => {
  expect(labelKey.check("a=b")).toBe('must be a label key without "=" in it; got "a=b"');
  expect(labelValue.check("=")).toBe('must be a label value without "=" in it; got "="');
  for (const value of ["", "a\nb", "a b"]) {
    expect(labelKey.check(value)).toBeUndefined();
    expect(labelValue.check(value)).toBeUndefined();
  }
  expect(labelKey.advise("")).toBe("is empty");
  expect(labelKey.advise("a\nb")).toBe("holds a control character");
  expect(labelValue.advise("")).toBeUndefined();
  expect(labelValue.advise("a\nb")).toBe("holds a control character");
});

test("A status code is a number of 32 bits, and one that HTTP does not define is a warning", () => {
  for (const value of [100, 200, 599]) {
    expect(number.statusCode(value)).toBeUndefined();
    expect(number.adviseStatusCode(value)).toBeUndefined();
  }
  for (const value of [-(2 ** 31), 0, 99, 600, 2 ** 31 - 1]) {
    expect(number.statusCode(value)).toBeUndefined();
    expect(number.adviseStatusCode(value)).toBe(
      "is not an HTTP status code (100 to 599); services may refuse it",
    );
  }
  for (const value of [2 ** 31, -(2 ** 31) - 1, 200.5, NaN]) expect(number.statusCode(value)).toBeDefined();
});

test("A critical option that servers may not know is a warning", () => {
  for (const name of ["force-command", "source-address", "verify-required"]) {
    expect(sshCertificate.adviseCriticalOption(name)).toBeUndefined();
  }
  expect(sshCertificate.adviseCriticalOption("other")).toBe(
    "is none of force-command, source-address or verify-required, and a server refuses a certificate with a " +
      "critical option that it does not know",
  );
});

test("A source address that is no list of addresses and ranges is a warning, as is an empty command", () => {
  const advise = (value: string) => sshCertificate.adviseCriticalValue("source-address", value);
  for (const value of ["10.0.0.1", "10.0.0.0/8,2001:db8::/32,::1"]) expect(advise(value)).toBeUndefined();
  for (const value of ["", "10.0.0.0/8,", "10.0.0.0/8, ::1", "example.com"])
    expect(advise(value)).toBeDefined();
  expect(advise("::1,10.0.0.1/8")).toBe(
    "holds more than addresses and ranges with commas between them, so servers refuse the certificate; " +
      '"10.0.0.1/8" has host bits set, did you mean 10.0.0.0/8?',
  );
  expect(sshCertificate.adviseCriticalValue("force-command", "")).toBe("is an empty command");
  expect(sshCertificate.adviseCriticalValue("force-command", "/bin/true, x")).toBeUndefined();
});

test.each([
  ["*", "bind:app.example.com", true],
  ["bind:app.example.com", "*", false],
  ["bind:*.example.com", "bind:APP.example.com", true],
  ["bind:*.example.com", "bind:*.app.example.com", true],
  ["bind:*.example.com", "bind:example.com", false],
  ["bind:*.example.com", "bind:app.example.com:443", false],
  ["bind:*.app.example.com", "bind:*.example.com", false],
  ["bind:team=*", "bind:team=web", true],
  ["bind:*=web", "bind:team=web", true],
  ["bind:*=*", "bind:team=*", true],
  ["bind:team=web", "bind:team=*", false],
  ["bind:team=*", "bind:app.example.com", false],
  ["bind:*.example.com", "bind:host=app.example.com", false],
])("The ACL rule %s covers %s: %s", (outer, inner, covers) => {
  expect(acl.covers(outer, inner)).toBe(covers);
});
