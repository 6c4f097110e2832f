import fc from "../../../support/fast-check";
import { halves, overlap } from "../../../../src/schema/formats/cidr";
import { cidr } from "./formats";
import { same } from "./support";

test.each([
  "10.0.0.0/8",
  "10.0.0.1/32",
  "0.0.0.0/0",
  "::/0",
  "2001:db8::/32",
  "2001:DB8:0::/33",
  "::1/128",
  "::ffff:10.0.0.0/104",
  "10.0.0.1",
  "2001:DB8:0:0::1",
  "::ffff:10.0.0.1",
])("%s is a range", (value) => {
  expect(cidr.check(value)).toBeUndefined();
});

test.each([
  ["10.0.0.1/8", '"10.0.0.1/8" has host bits set, did you mean 10.0.0.0/8?'],
  ["2001:db8::1/32", '"2001:db8::1/32" has host bits set, did you mean 2001:db8::/32?'],
  ["fe80::1%eth0", "does not begin with an IPv4 or IPv6 address"],
  ["10.0.0.0/33", 'the mask of "10.0.0.0/33" must be a number from 0 to 32'],
  ["::/129", 'the mask of "::/129" must be a number from 0 to 128'],
  ["10.0.0.0/08", "must be a number from 0 to 32"],
  ["10.0.0.0/", "must be a number from 0 to 32"],
  ["10.0.0.0/8/8", "must be a number from 0 to 32"],
  ["10.0.0.0/255.0.0.0", "must be a number from 0 to 32"],
  ["010.0.0.0/8", "does not begin with an IPv4 or IPv6 address"],
  ["0x0a.0.0.0/8", "does not begin with an IPv4 or IPv6 address"],
  ["10.0/8", "does not begin with an IPv4 or IPv6 address"],
  ["fe80::%eth0/64", "does not begin with an IPv4 or IPv6 address"],
  [" 10.0.0.0/8", '" 10.0.0.0/8" contains white space'],
  ["10.0.0.0 /8", '"10.0.0.0 /8" contains white space'],
  ["10.0.0.0-10.0.0.9", '"10.0.0.0-10.0.0.9" is a span of addresses; write it as ranges in CIDR notation'],
  ["10.0.0.0 - 10.0.0.9", "is a span of addresses; write it as ranges in CIDR notation"],
  ["2001:db8::-2001:db8::f", "is a span of addresses; write it as ranges in CIDR notation"],
  ["10.0.0.0-nowhere", "does not begin with an IPv4 or IPv6 address"],
  ["10.0.0.0/8\n", "must be a number from 0 to 32"],
  ["", '"" does not begin with an IPv4 or IPv6 address'],
  ["1".repeat(1000), "is too long to be one"],
])("%j is refused with what is wrong: %s", (value, reason) => {
  expect(cidr.check(value)).toMatch(
    /^must be a network address in CIDR notation such as 10\.0\.0\.0\/8 or 2001:db8::\/32, or an IP address; /,
  );
  expect(cidr.check(value)).toContain(reason);
});

test.each([
  ["2001:db8::/32", "2001:DB8:0:0:0:0:0:0/32"],
  ["::ffff:10.0.0.0/104", "::FFFF:a00:0/104"],
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["10.0.0.1", "10.0.0.1/32"],
  ["2001:DB8:0::1", "2001:db8::1/128"],
])("%s and %s are one range", (a, b) => {
  expect(same(cidr, a, b)).toBe(true);
  expect(cidr.canonical(a)).toBe(cidr.canonical(b));
});

test.each([
  ["10.0.0.0/8", "10.0.0.0/9"],
  ["10.0.0.0/8", "::ffff:10.0.0.0/104"],
  ["10.0.0.1/8", "10.0.0.0/8"],
  ["nonsense", "nonsense/"],
])("%s and %s are two", (a, b) => {
  expect(same(cidr, a, b)).toBe(false);
});

test("The canonical spelling is that of RFC 5952", () => {
  expect(cidr.canonical("2001:0DB8:0:0:1:0:0:0/80")).toBe("2001:db8:0:0:1::/80");
  expect(cidr.canonical("0:0:0:0:0:ffff:a00:0/104")).toBe("::ffff:10.0.0.0/104");
  expect(cidr.canonical("nonsense")).toBe("nonsense");
});

test("A plain address is sent as the range that holds it alone, and a range as it is written", () => {
  expect(cidr.sent("10.0.0.1")).toBe("10.0.0.1/32");
  expect(cidr.sent("2001:DB8::1")).toBe("2001:db8::1/128");
  expect(cidr.sent("2001:DB8::/32")).toBe("2001:DB8::/32");
  expect(cidr.canonical("10.0.0.1")).toBe("10.0.0.1/32");
});

test("Every IPv4 and IPv6 network is right in every spelling, and is one range with its canonical spelling", () => {
  const network = fc
    .tuple(fc.constantFrom(32, 128), fc.nat(128), fc.bigInt(0n, (1n << 128n) - 1n))
    .map(([width, length, bits]) => {
      const prefix = length % (width + 1);
      const hosts = BigInt(width - prefix);
      return { width, prefix, address: (BigInt.asUintN(width, bits) >> hosts) << hosts };
    });
  fc.assert(
    fc.property(network, fc.boolean(), ({ width, prefix, address }, upper) => {
      const hex = address.toString(16).padStart(width / 4, "0");
      const spelled =
        width === 32
          ? hex
              .match(/../g)!
              .map((byte) => parseInt(byte, 16))
              .join(".")
          : hex.match(/..../g)!.join(":");
      const value = `${upper ? spelled.toUpperCase() : spelled}/${prefix}`;
      expect(cidr.check(value)).toBeUndefined();
      expect(same(cidr, value, cidr.canonical(value))).toBe(true);
      const bytes = hex.match(/../g)!.map((byte) => parseInt(byte, 16));
      expect(cidr.parse(value)).toEqual({ family: width === 32 ? 4 : 6, bytes, prefix });
    }),
  );
});

test("An IPv4 tail without the prefix ::ffff: is not an IPv4-mapped address", () => {
  expect(same(cidr, "::192.0.2.0/120", "::c000:200/120")).toBe(true);
  expect(same(cidr, "::192.0.2.0/120", "::ffff:192.0.2.0/120")).toBe(false);
});

describe("ranges beside each other", () => {
  it.each([
    ["10.0.0.0/8", "10.1.0.0/16", true],
    ["10.1.0.0/16", "10.0.0.0/8", true],
    ["10.0.0.0/8", "11.0.0.0/8", false],
    ["10.0.0.1", "10.0.0.1/32", true],
    ["0.0.0.0/0", "198.51.100.7", true],
    ["0.0.0.0/0", "::/0", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::/32", false],
    ["10.0.0.0/8", "no range", false],
  ])("%s and %s overlap: %p", (one, other, expected) => {
    expect(overlap(one, other)).toBe(expected);
  });

  it.each([
    ["10.0.0.0/8", ["10.0.0.0/9", "10.128.0.0/9"]],
    ["0.0.0.0/0", ["0.0.0.0/1", "128.0.0.0/1"]],
    ["192.0.2.6/31", ["192.0.2.6/32", "192.0.2.7/32"]],
    ["2001:db8::/32", ["2001:db8::/33", "2001:db8:8000::/33"]],
    ["::/0", ["::/1", "8000::/1"]],
    ["192.0.2.1", []],
    ["2001:db8::1/128", []],
    ["no range", []],
  ])("the halves of %s are %p", (range, expected) => {
    expect(halves(range)).toEqual(expected);
  });
});
