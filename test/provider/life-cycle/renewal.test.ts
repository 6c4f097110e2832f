import { Diagnostics } from "../../../src/provider/diagnostics";
import { Life } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const host = declarationOf("SshHostCertificate");
const user = declarationOf("SshUserCertificate");

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";
const args = { sshCertificateAuthorityId: "sshca_1", publicKey: key, earlyRenewalHours: 6 };
const begin = "2030-06-01T12:00:00Z";
const end = "2030-06-02T12:00:00Z";

function lifeFrom(valid_after: string, valid_until: string, declaration = user): Life {
  const life = new Life(declaration, (body) => ({ ...body, key_type: "ed25519", valid_after, valid_until }));
  life.id = "sucrt_1";
  return life;
}

test("a certificate is replaced when less than earlyRenewalHours of its life are left, and not before", async () => {
  const life = lifeFrom(begin, end);
  const state = await life.create(args);
  life.now = Date.parse("2030-06-02T05:59:59Z");
  expect(await life.diff(state, args)).toBe("none");
  expect(life.lines).toEqual([]);
  life.now += 1000;
  expect(await life.cycle.diff("sucrt_1", state, args)).toEqual({
    changes: true,
    replaces: ["validUntil"],
    deleteBeforeReplace: false,
  });
  expect(life.lines).toEqual([
    `SSH user certificate sucrt_1: due for renewal, because it ends at ${end} and earlyRenewalHours is 6`,
  ]);
});

test("one that has ended is renewed too, and the reason says so", async () => {
  const life = lifeFrom(begin, end);
  const state = await life.create(args);
  life.now = Date.parse("2031-01-01T00:00:00Z");
  expect(await life.diff(state, args)).toBe("replace: validUntil");
  expect(life.lines).toEqual([
    `SSH user certificate sucrt_1: due for renewal, because it expired at ${end} and earlyRenewalHours is 6`,
  ]);
});

test("without earlyRenewalHours, and while it is unknown, nothing is renewed", async () => {
  const life = lifeFrom(begin, end);
  const state = await life.create(args);
  life.now = Date.parse("2031-01-01T00:00:00Z");
  const { earlyRenewalHours: _, ...without } = args;
  // The state records the argument, so both are changes; neither is a replacement.
  const recorded = await life.update(state, without);
  expect(await life.diff(recorded, without)).toBe("none");
  expect(life.sent).toHaveLength(1);
  expect(await life.diff(state, without)).toBe("update");
  expect(await life.diff(state, { ...args, earlyRenewalHours: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" })).toBe(
    "update",
  );
  expect(life.lines).toEqual([]);
});

test("the reason is printed once for each object, and not for one that is replaced anyway", async () => {
  const life = lifeFrom(begin, end);
  const state = await life.create(args);
  life.now = Date.parse("2030-06-02T11:00:00Z");
  await life.diff(state, { ...args, principals: ["root"] });
  expect(life.lines).toEqual([]);
  for (const id of ["sucrt_1", "sucrt_2", "sucrt_1"]) await life.cycle.diff(id, state, args);
  expect(life.lines.map((line) => line.split(":")[0])).toEqual([
    "SSH user certificate sucrt_1",
    "SSH user certificate sucrt_2",
  ]);
});

test("earlyRenewalHours is neither sent nor an output, and changing it is an update that sends nothing", async () => {
  const life = lifeFrom(begin, end);
  const state = await life.create(args);
  expect(life.sent[0]!.body).toEqual({ ssh_certificate_authority_id: "sshca_1", public_key: key });
  expect(state).not.toHaveProperty("earlyRenewalHours");
  expect(state.__args).toEqual(["sshCertificateAuthorityId", "publicKey"]);
  for (const given of [
    { ...args, earlyRenewalHours: 7 },
    { ...args, earlyRenewalHours: 7, principals: [] },
  ]) {
    expect(await life.diff(state, given)).toBe("update");
    const recorded = await life.update(state, given);
    expect(recorded).not.toHaveProperty("earlyRenewalHours");
    expect(await life.diff(recorded, given)).toBe("none");
  }
  expect(life.sent).toHaveLength(1);
});

test("a service that lets certificates live shorter does not have them replaced in every deployment", async () => {
  const life = lifeFrom(begin, "2030-06-01T16:00:00Z");
  const state = await life.create(args);
  expect(await life.diff(state, args)).toBe("none");
  expect(life.lines).toEqual([
    "SSH user certificate sucrt_1: not renewed before it expires, because the service made it valid for 4 hours and earlyRenewalHours is 6",
  ]);
  life.now = Date.parse("2030-06-01T16:00:00Z");
  expect(await life.diff(state, args)).toBe("replace: validUntil");
});

test("a host certificate is renewed by the same rule", async () => {
  const life = lifeFrom(begin, "2031-06-01T12:00:00Z", host);
  const state = await life.create({ ...args, earlyRenewalHours: 720 });
  life.now = Date.parse("2031-05-02T11:59:59Z");
  expect(await life.diff(state, { ...args, earlyRenewalHours: 720 })).toBe("none");
  life.now += 1000;
  expect(await life.diff(state, { ...args, earlyRenewalHours: 720 })).toBe("replace: validUntil");
});

test("a state without times, as of an object that nobody could read, is left alone", async () => {
  const life = lifeFrom(begin, end);
  expect(await life.diff({ ...args, __args: ["sshCertificateAuthorityId", "publicKey"] }, args)).toBe("none");
});

test("notices go to stdout, each once", () => {
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const notices = new Diagnostics();
  for (const text of ["a", "b", "a"]) notices.warn(declarationOf("ApiKey"), "ak_1", text);
  const lines = write.mock.calls.map(([line]) => line);
  write.mockRestore();
  expect(lines).toEqual(["API key ak_1: a\n", "API key ak_1: b\n"]);
});

describe("validForHours", () => {
  const { earlyRenewalHours: _, ...plain } = args;

  test("becomes the end of each certificate, from its creation or from validAfter, and is no output", async () => {
    const life = lifeFrom(begin, end);
    life.now = Date.parse("2030-06-01T12:00:00.400Z");
    const state = await life.create({ ...plain, validForHours: 720 });
    expect(life.sent[0]!.body).toMatchObject({ valid_until: "2030-07-01T12:00:01Z" });
    expect(life.sent[0]!.body).not.toHaveProperty("valid_for_hours");
    expect(state).not.toHaveProperty("validForHours");

    await life.create({ ...plain, validForHours: 0.5, validAfter: "2030-12-31T23:45:00+00:00" });
    expect(life.sent[1]!.body).toMatchObject({ valid_until: "2031-01-01T00:15:00Z" });
  });

  test("renews nothing while a certificate is valid: setting, changing or removing it is an update", async () => {
    const life = lifeFrom(begin, end);
    const state = await life.create({ ...plain, validForHours: 720 });
    expect(await life.diff(state, { ...plain, validForHours: 720 })).toBe("none");
    for (const changed of [{ validForHours: 48 }, {}]) {
      const given = { ...plain, ...changed };
      expect(await life.diff(state, given)).toBe("update");
      expect(await life.diff(await life.update(state, given), given)).toBe("none");
    }
    expect(life.sent).toHaveLength(1);
  });

  test("works with earlyRenewalHours, which may then be longer than the default life", async () => {
    const given = { ...plain, validForHours: 720, earlyRenewalHours: 200 };
    const life = lifeFrom(begin, "2030-07-01T12:00:00Z");
    const state = await life.create(given);
    life.now = Date.parse("2030-06-23T03:59:59Z");
    expect(await life.diff(state, given)).toBe("none");
    life.now += 1000;
    expect(await life.diff(state, given)).toBe("replace: validUntil");
  });
});
