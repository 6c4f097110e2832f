import fc from "../../../support/fast-check";
import * as equality from "../../../../src/schema/equality";
import type { Format } from "../../../../src/schema/field";
import { text } from "../../../../src/schema/kinds";
import { codePoint } from "../../../support/any-text";

/** Whether two texts of the format are one. */
export function same(format: Format, a: string, b: string): boolean {
  return equality.same(text(format), a, b);
}

/** Texts of every kind: unicode, lone surrogates, control characters, and the marks that formats know. */
export const oddString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ..."*.:/=@-_,%#?[]{}()<>\\\"'` \t\r\n\u0000\u00a0\u2028\ud800",
        ..."0aZ1é漢🎉",
        "bind:",
        "https://",
        "tcp://",
        "::",
        "ffff:",
        "10.0.0.0",
        "/8",
        "-----BEGIN CERTIFICATE-----",
        "-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "AAAA",
        "MIIB",
        "ssh-rsa ",
        "AAAAC3NzaC1lZDI1NTE5AAAA",
        "ssh-ed25519 ",
        "2030-01-01T00:00:00",
        "ipp_",
        ".v0",
        "__proto__",
        "constructor",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

/** Values of 200 kB that make careless expressions take quadratic time. */
export const hugeStrings: readonly string[] = [
  ..."a0 .:/=@-_*,[(!\n\t•\ud800é",
  "a.",
  "a,",
  "a_",
  "1:",
  "\n ",
  "-----BEGIN ",
  "-----BEGIN A-----\nAAAA\n-----END A-----\n",
  "-----BEGIN CERTIFICATE-----\n",
]
  .map((unit) => unit.repeat(Math.ceil(200_000 / unit.length)))
  .flatMap((text) => [
    text,
    `bind:${text}`,
    `https://${text}!`,
    `2030-01-01T00:00:00.${text}1Z`,
    `ssh-rsa ${text}`,
  ]);
