/** What a preview makes of a state that was left incomplete, of a renewal and of a rotation, beside changed arguments. */
import type { Json } from "../../../src/schema/json";
import { declarationOf } from "../../../src/resources/registry";
import { text } from "../../../src/schema/kinds";
import { newCreationMark } from "../../../src/schema/metadata";
import { unknown } from "../../../src/schema/unknown";
import { plain } from "../../support/in-process/values";
import { Life } from "../../support/life";
import { thing } from "./made-up";

/** Undefined lets the engine find the change by itself, which gives a preview its lines. */
const byEngine = { changes: undefined };
const token = { ...thing, fields: { ...thing.fields, token: text().secret().computed() } };
const lifeOf = (declaration = thing) => new Life(declaration, (body) => body);
const stateOf = (args: Json, more: Json = {}): Json => ({ ...args, __args: Object.keys(args), ...more });

describe("a state that differs from what was sent", () => {
  const unlike = stateOf({ description: "theirs" }, { __unlike: true });

  it("is a change that the engine cannot find, because the inputs are as before", async () => {
    const { cycle } = lifeOf();
    expect(await cycle.diff("id_1", unlike, { description: "mine" })).toMatchObject({ changes: true });
    const like = { ...unlike, __unlike: undefined };
    expect(await cycle.diff("id_1", like, { description: "mine" })).toMatchObject(byEngine);
  });

  it("is a change too where it replaces the object", async () => {
    const state = stateOf({ fixed: "theirs" }, { __unlike: true });
    expect(await lifeOf().cycle.diff("id_1", state, { fixed: "mine" })).toMatchObject({
      changes: true,
      replaces: ["fixed"],
    });
  });

  it("is no change where the program has what the service has", async () => {
    expect(await lifeOf().cycle.diff("id_1", unlike, { description: "theirs" })).toMatchObject({
      changes: false,
    });
  });

  it("is the failure of a create where it decides who gets in", async () => {
    const life = new Life(thing, (stored) => ({
      ...stored,
      module: { ...(stored.module as Json), enabled: false },
    }));
    await expect(life.create({ module: { enabled: true, value: "v" } })).rejects.toThrow(
      "the service accepted the thing but keeps another value: module.enabled",
    );
  });

  it("stays so in a refresh that finds nothing else, and not in one that finds drift", async () => {
    const life = lifeOf();
    life.answer = () => ({ description: "theirs" });
    const found = await life.read(unlike);
    expect(found.state).toMatchObject({ description: "theirs", __unlike: true });
    expect(found).not.toHaveProperty("inputs");
    life.answer = () => ({ description: "by hand" });
    const drifted = await life.read(unlike);
    expect(drifted.state).not.toHaveProperty("__unlike");
    expect(drifted.inputs).toEqual({ description: "by hand" });
  });
});

describe("an object that was made only in part", () => {
  const partial = stateOf({ description: "d" }, { __partial: true });

  it("is a change though its arguments are the same, and is no longer partial after a refresh", async () => {
    const life = lifeOf();
    expect(await life.cycle.diff("id_1", partial, { description: "d" })).toMatchObject({
      changes: true,
      replaces: [],
    });
    life.answer = () => ({ description: "d" });
    const { state } = await life.read(partial);
    expect(state).not.toHaveProperty("__partial");
    expect(await life.cycle.diff("id_1", state, { description: "d" })).toMatchObject({ changes: false });
  });

  it("is replaced where its secret is lost, also beside changed arguments, until it is replaced", async () => {
    const life = lifeOf(token);
    for (const description of ["d", "e"]) {
      expect(await life.cycle.diff("id_1", partial, { description })).toMatchObject({
        changes: true,
        replaces: ["token"],
      });
    }
    life.answer = () => ({ description: "d" });
    const { state } = await life.read(partial);
    expect(state).toMatchObject({ __partial: true });
    expect(await life.cycle.diff("id_1", { ...partial, token: "t" }, { description: "d" })).toMatchObject({
      changes: true,
      replaces: [],
    });
  });

  it("is compared with what the service has, and keeps its arguments", async () => {
    const life = lifeOf();
    life.answer = (body) => ({ description: "half", region: "eu", ...body });
    const args = { description: "d", region: "eu" };
    const state = stateOf(args, { __partial: true });
    await life.update(state, args);
    expect(life.sent).toEqual([{ verb: "update", body: { description: "d" } }]);
  });
});

describe("an object that is looked up", () => {
  it("has no inputs, whatever it holds", async () => {
    const life = new Life(declarationOf("HttpsEdgeRouteOidc"), () => ({ enabled: false, client_id: "c" }));
    life.id = "edge/route";
    const found = await life.read({});
    expect(found).not.toHaveProperty("inputs");
    expect(found.state).toMatchObject({ edgeId: "edge", routeId: "route", enabled: false, clientId: "c" });
  });
});

describe("an object of another kind of the same list", () => {
  it("is refused where it is looked up, and read where the state has it", async () => {
    const life = new Life(declarationOf("CloudEndpoint"), () => ({ type: "edge", url: "https://a.example" }));
    await expect(life.read({})).rejects.toThrow("id_1 is not a cloud endpoint");
    expect((await life.read({ url: "https://a.example", __args: ["url"] })).state).toMatchObject({
      url: "https://a.example",
    });
  });
});

describe("the mark that a creation leaves in the metadata", () => {
  it("is an argument once, whether the program sets the metadata or not", async () => {
    const metadata = newCreationMark();
    for (const set of [[], ["metadata"]]) {
      const life = new Life(declarationOf("ApiKey"), () => ({ metadata }));
      const { state } = await life.read({ token: "t", metadata, __args: set });
      expect(state.__args).toEqual(["metadata"]);
    }
  });
});

describe("a renewal", () => {
  const args = { sshCertificateAuthorityId: "sshca_1", publicKey: "ssh-ed25519 AAAA", earlyRenewalHours: 6 };
  const { earlyRenewalHours: _, ...answered } = args;
  const life = () => {
    const made = new Life(declarationOf("SshUserCertificate"), (body) => body);
    made.now = Date.parse("2030-06-02T11:00:00Z");
    return made;
  };
  const times = { validAfter: "2030-06-01T12:00:00Z", validUntil: "2030-06-02T12:00:00Z" };
  const state = { ...answered, ...times, __args: ["sshCertificateAuthorityId", "publicKey"] };

  it("is a replacement that the engine cannot find, with its reason", async () => {
    const due = life();
    expect(await due.cycle.diff("sucrt_1", state, args)).toMatchObject({
      changes: true,
      replaces: ["validUntil"],
    });
    expect(due.lines).toEqual([expect.stringContaining("due for renewal")]);
  });

  it("is not named where the certificate is replaced anyway", async () => {
    const due = life();
    const other = { ...args, publicKey: "ssh-ed25519 BBBB" };
    expect(await due.cycle.diff("sucrt_1", state, other)).toMatchObject({
      changes: undefined,
      replaces: ["publicKey"],
    });
    expect(due.lines).toEqual([]);
  });
});

describe("a rotation", () => {
  const args = { rotateAfterDays: 30, overlapDays: 3, description: "ci" };
  const state = {
    ...{ description: "ci", keyId: "ak_1" },
    token: "t",
    rotatedAt: "2030-05-01T12:00:00Z",
    rotatesAfter: "2030-05-31T12:00:00Z",
    __args: ["description"],
  };
  const life = (now: string) => {
    const made = new Life(declarationOf("RotatingApiKey"), (body) => body);
    made.now = Date.parse(now);
    return made;
  };

  it("is a change that the engine cannot find, also beside a changed argument, with its reason", async () => {
    for (const description of ["ci", "cd"]) {
      const due = life("2030-05-31T12:00:00Z");
      expect(await due.cycle.diff("ak_1", state, { ...args, description })).toMatchObject({
        changes: true,
        replaces: [],
      });
      expect(due.lines).toEqual([expect.stringContaining("a new API key is created")]);
    }
  });

  it("leaves in a preview its new token unknown, and keeps the current one before its time", () => {
    const token = (now: string, more: object) =>
      plain(life(now).cycle.planUpdate(state, { ...args, ...more })).token;
    for (const more of [{ description: "cd" }, {}]) {
      expect(token("2030-05-31T12:00:00Z", more)).toBe(unknown);
      expect(token("2030-05-31T11:59:59Z", more)).toBe("t");
    }
  });

  it("deletes no previous key where the current one is gone, whatever changes beside", async () => {
    const gone = life("2030-05-02T12:00:00Z");
    const { keyId: _, ...left } = state;
    await gone.cycle.diff("ak_1", { ...left, previousKeyId: "ak_0" }, { ...args, sealTo: "another" });
    expect(gone.lines).toEqual([expect.stringContaining("because the current one no longer exists")]);
  });

  it("is none before its time", async () => {
    const early = life("2030-05-31T11:59:59Z");
    expect(await early.cycle.diff("ak_1", state, args)).toMatchObject({ changes: false, replaces: [] });
    expect(await early.cycle.diff("ak_1", state, { ...args, description: "cd" })).toMatchObject(byEngine);
    expect(early.lines).toEqual([]);
  });
});
