import { generateKeyPairSync } from "node:crypto";
import { unknown } from "../../../src/schema/unknown";
import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const host = declarationOf("SshHostCertificate");
const user = declarationOf("SshUserCertificate");

/** An OpenSSH line of a new ed25519 key. */
function publicKey(): string {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const parts = [Buffer.from("ssh-ed25519"), Buffer.from(x!, "base64url")];
  const blob = parts.flatMap((part) => [Buffer.of(0, 0, 0, part.length), part]);
  return `ssh-ed25519 ${Buffer.concat(blob).toString("base64")}`;
}

const key = publicKey();
const args = { sshCertificateAuthorityId: "sshca_1", publicKey: `${key} me@example.com` };
const both = [
  ["SshUserCertificate", user],
  ["SshHostCertificate", host],
] as const;

const filled = (body: Record<string, unknown>): Record<string, unknown> => ({
  key_type: "ed25519",
  principals: null,
  critical_options: {},
  extensions: { "permit-pty": "", "permit-user-rc": "" },
  valid_after: "2030-06-01T12:00:00Z",
  valid_until: "2030-06-02T12:00:00Z",
  certificate: "ssh-ed25519-cert-v01@openssh.com AAAA",
  ...body,
  public_key: key,
});

test.each(both)("what the service fills in of an %s is no drift", async (_type, declaration) => {
  const life = new Life(declaration, filled);
  const state = await life.create(args);
  expect(life.sent[0]!.body).toEqual({ ssh_certificate_authority_id: "sshca_1", public_key: args.publicKey });
  expect(state).toMatchObject({ ...args, keyType: "ed25519", validUntil: "2030-06-02T12:00:00Z" });
  expect(await life.diff(state, args)).toBe("none");
  expect(await life.read(state)).toEqual({ state });
});

test.each(
  both.flatMap(([type, declaration]) => [
    [type, declaration, "sshCertificateAuthorityId", "sshca_2"] as const,
    [type, declaration, "publicKey", publicKey()] as const,
    [type, declaration, "principals", ["root"]] as const,
    [type, declaration, "validAfter", "2030-06-01T11:00:00Z"] as const,
    [type, declaration, "validUntil", "2030-06-01T18:00:00Z"] as const,
  ]),
)("a new value of an %s's argument replaces it, create first", async (_type, declaration, name, value) => {
  const life = new Life(declaration, filled);
  const state = await life.create(args);
  expect(await life.cycle.diff("id_1", state, { ...args, [name]: value })).toEqual({
    changes: undefined,
    replaces: [name],
    deleteBeforeReplace: false,
  });
});

test.each([
  ["criticalOptions", { "force-command": "uptime" }],
  ["extensions", {}],
])("new %s replace a user certificate, and so does their removal", async (name, value) => {
  const life = new Life(user, filled);
  const plainState = await life.create(args);
  expect(await life.diff(plainState, { ...args, [name]: value })).toBe(`replace: ${name}`);
  const state = await life.create({ ...args, [name]: value });
  expect(await life.diff(state, { ...args, [name]: value })).toBe("none");
  expect(await life.diff(state, args)).toBe(`replace: ${name}`);
});

test("extensions that are the default say the same as none, and none at all may be answered as null", async () => {
  const life = new Life(user, filled);
  const state = await life.create({ ...args, extensions: { "permit-user-rc": "", "permit-pty": "" } });
  expect(await life.diff(state, args)).toBe("update");
  await life.update(state, args);
  expect(life.sent).toHaveLength(1);
  life.answer = (body) => ({ ...filled(body), extensions: null });
  expect(await life.create({ ...args, extensions: {} })).toMatchObject({ extensions: {} });
});

test("times are instants, principals a set, and a key's comment is none of its own", async () => {
  const life = new Life(host, (body) => ({
    ...filled(body),
    principals: ["203.0.113.10", "a.example.com"],
    valid_until: "2030-07-01T10:00:00Z",
  }));
  const given = {
    ...args,
    principals: ["a.example.com", "203.0.113.10"],
    validUntil: "2030-07-01T12:00:00.5+02:00",
  };
  const state = await life.create(given);
  expect(state).toMatchObject(given);
  expect(await life.diff(state, { ...given, publicKey: key })).toBe("none");
});

test("a removed validUntil replaces, because only the service knows its default", async () => {
  const life = new Life(user, filled);
  const state = await life.create({ ...args, validUntil: "2030-06-01T18:00:00Z" });
  expect(await life.diff(state, args)).toBe("replace: validUntil");
});

test("a host certificate's description changes in place", async () => {
  const life = new Life(host, filled);
  const state = await life.create(args);
  expect(await life.diff(state, { ...args, description: "bastion" })).toBe("update");
  await life.update(state, { ...args, description: "bastion" });
  expect(life.sent[1]).toEqual({ verb: "update", body: { description: "bastion" } });
});

test("a user certificate's description replaces it, unless the user knows of an update", async () => {
  const life = new Life(user, filled);
  const state = await life.create(args);
  expect(await life.diff(state, { ...args, description: "deploy" })).toBe("replace: description");
  const patching = new Life(user, filled, { patchUndocumented: true });
  expect(await patching.diff(state, { ...args, description: "deploy" })).toBe("update");
  await patching.update(state, { ...args, description: "deploy" });
  expect(patching.sent).toEqual([{ verb: "update", body: { description: "deploy" } }]);
});

test("what servers do not accept in a certificate is a warning at its place", () => {
  const odd = {
    ...args,
    principals: ["root", "a,b"],
    criticalOptions: {
      "source-address": "10.0.0.1/8",
      "force-command": "",
      "verify-required": "",
      other: "",
    },
    extensions: { "": "" },
    validAfter: "2001-01-01T00:00:00Z",
    validUntil: "2002-01-01T00:00:00Z",
  };
  expect(problems(user, odd)).toEqual([]);
  expect(problems(user, odd, { olds: {}, now: Date.now() })).toEqual([]);
  expect(adviceOnArguments(user, odd).map((line) => line.slice(0, line.indexOf(": ")))).toEqual([
    "principals[1]",
    "validUntil",
    'criticalOptions["source-address"]',
    'criticalOptions["force-command"]',
    'criticalOptions["other"]',
    'extensions[""]',
  ]);
});

test.each([
  [user, "principals: is empty, so its holder may sign in as any user"],
  [host, "principals: is empty, so it is valid for all hosts"],
])(
  "principals that are empty or left out are a warning that says for whom it is valid",
  (declaration, text) => {
    const { principals: _, ...without } = { principals: [], ...args };
    expect(adviceOnArguments(declaration, without)).toEqual([text]);
    expect(adviceOnArguments(declaration, { ...args, principals: [] })).toEqual([text]);
    expect(adviceOnArguments(declaration, { ...args, principals: ["web"] })).toEqual([]);
    expect(adviceOnArguments(declaration, { ...args, principals: unknown })).toEqual([]);
  },
);

test("every wrong argument is reported at its place", () => {
  const wrong = {
    sshCertificateAuthorityId: "ca_1",
    publicKey: "ssh-ed25519 AAAA",
    validAfter: "2030-06-02",
    validUntil: "1969-12-31T23:59:59Z",
  };
  expect(problems(user, wrong).map((problem) => problem.slice(0, problem.indexOf(": ")))).toEqual([
    "sshCertificateAuthorityId",
    "publicKey",
    "validAfter",
    "validUntil",
  ]);
  expect(problems(host, { ...args, criticalOptions: {} })).toEqual([
    expect.stringMatching(/^criticalOptions: is not an argument here/),
  ]);
});

test.each(both)("an %s must not end before it begins, in whatever zone", (_type, declaration) => {
  const validAfter = "2030-06-01T12:00:00+02:00";
  expect(problems(declaration, { ...args, validAfter, validUntil: "2030-06-01T10:00:00Z" })).toEqual([
    `validUntil: must be later than validAfter, which is ${validAfter}`,
  ]);
  expect(problems(declaration, { ...args, validAfter, validUntil: "2030-06-01T10:00:01Z" })).toEqual([]);
  expect(problems(declaration, { ...args, validAfter: unknown, validUntil: "2030-06-01T10:00:00Z" })).toEqual(
    [],
  );
});

test.each(both)(
  "an %s may not be made for a past, and one that has ended stays right",
  (_type, declaration) => {
    const now = Date.parse("2030-06-01T12:00:00Z");
    const given = { ...args, validUntil: "2030-06-01T11:59:59Z" };
    const past = ["validUntil: must be in the future, and 2030-06-01T11:59:59Z has passed"];
    expect(problems(declaration, given, { olds: {}, now })).toEqual(past);
    expect(problems(declaration, given, { olds: args, now })).toEqual(past);
    expect(
      problems(declaration, given, { olds: { ...given, validUntil: "2030-06-01T11:59:58Z" }, now }),
    ).toEqual(past);
    expect(
      problems(declaration, given, { olds: { ...given, validUntil: "2030-06-01T13:59:59+02:00" }, now }),
    ).toEqual([]);
    expect(problems(declaration, given)).toEqual([]);
  },
);

test.each([
  ["SshUserCertificate", user, 24],
  ["SshHostCertificate", host, 8760],
] as const)(
  "an %s is renewed early by less than its life, which the service chooses",
  (_type, declaration, life) => {
    for (const earlyRenewalHours of [0.5, life - 1, unknown]) {
      expect(problems(declaration, { ...args, earlyRenewalHours })).toEqual([]);
    }
    for (const earlyRenewalHours of [0, -1, life, NaN, Infinity]) {
      expect(problems(declaration, { ...args, earlyRenewalHours })).toEqual([
        `earlyRenewalHours: must be a number of hours above 0 and below ${life}, the life of a certificate; got ${earlyRenewalHours}`,
      ]);
    }
    const validUntil = "2030-06-01T18:00:00Z";
    expect(problems(declaration, { ...args, earlyRenewalHours: 6, validUntil })).toEqual([
      "earlyRenewalHours: must not be set beside validUntil; only one of validUntil, earlyRenewalHours may be",
    ]);
    expect(problems(declaration, { ...args, earlyRenewalHours: 6, validAfter: validUntil })).toEqual([
      "earlyRenewalHours: must not be set beside validAfter; only one of validAfter, earlyRenewalHours may be",
    ]);
  },
);

test("an SSH certificate has one end: validForHours is above 0, not beside validUntil, and bounds the early renewal", () => {
  for (const validForHours of [0.1, 24, 720, unknown]) {
    expect(problems(user, { ...args, validForHours })).toEqual([]);
  }
  for (const validForHours of [0, -1, NaN, Infinity, 50_000_001]) {
    expect(problems(user, { ...args, validForHours })).toEqual([
      `validForHours: must be a number of hours above 0 and at most 50000000; got ${validForHours}`,
    ]);
  }
  expect(problems(user, { ...args, validForHours: 2, validUntil: "2030-06-01T18:00:00Z" })).toEqual([
    "validForHours: must not be set beside validUntil; only one of validUntil, validForHours may be",
  ]);
  expect(problems(user, { ...args, validForHours: 720, earlyRenewalHours: 200 })).toEqual([]);
  expect(problems(user, { ...args, validForHours: unknown, earlyRenewalHours: 200 })).toEqual([]);
  expect(problems(user, { ...args, validForHours: 12, earlyRenewalHours: 12 })).toEqual([
    "earlyRenewalHours: must be a number of hours above 0 and below 12, the life of a certificate; got 12",
  ]);
});
