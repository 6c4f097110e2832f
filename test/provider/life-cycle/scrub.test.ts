import { scrub } from "../../../src/provider/errors";

const secret = "XSECRETX one two three";

it("replaces a secret that a cut message holds the beginning of", () => {
  expect(scrub(`cannot take ${secret.slice(0, 11)}…`, [secret])).toBe("cannot take [secret]…");
  expect(scrub(`a ${secret.slice(0, 20)}… failed: 400 (operation op_1)`, [secret])).toBe(
    "a [secret]… failed: 400 (operation op_1)",
  );
  expect(scrub(`${secret} and ${secret.slice(0, 4)}… and so on`, [secret])).toBe(
    "[secret] and [secret]… and so on",
  );
});

it("leaves a message as it is whose end is no secret's beginning", () => {
  for (const text of ["cannot take XS…", "cannot take XSECRETX", "no SECRET…"]) {
    expect(scrub(text, [secret])).toBe(text);
  }
});
