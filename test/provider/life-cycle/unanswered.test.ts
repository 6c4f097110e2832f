import { object, text } from "../../../src/schema/kinds";
import type { Declaration } from "../../../src/schema/declaration";
import type { Json } from "../../../src/schema/json";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { declarationOf } from "../../../src/resources/registry";
import { Life } from "../../support/life";
import { thing } from "./made-up";
import { failureOf } from "../../support/failure";

const kept: Declaration = {
  ...thing,
  fields: {
    ...thing.fields,
    kind: text().required(),
    size: text().replace((_change, { patchUndocumented }) => !patchUndocumented),
    zone: text().replace(({ next }) => next !== undefined),
    tier: text().replace(({ old }) => old === "gold"),
    operator: object({
      name: text().required().replace(),
      namespace: text().replace(),
      version: text(),
      place: object({ region: text().replace(), rack: text() }),
    }),
  },
};

/** The state after the arguments were answered in full, and then a read with this answer. */
async function readAfter(args: Json, answer: Json): Promise<Json> {
  const life = new Life(kept, (body) => body);
  const state = await life.create({ kind: "k", ...args });
  life.answer = () => answer;
  return (await life.read(state)).state;
}

describe("an argument that an answer leaves out", () => {
  it.each<[string, Json]>([
    ["is required", { kind: "k" }],
    ["replaces the object with any change", { fixed: "f" }],
    ["replaces the object when this value is removed", { tier: "gold" }],
  ])("keeps its value where it %s", async (_why, args) => {
    expect(await readAfter(args, {})).toMatchObject(args);
  });

  it.each<[string, string, unknown]>([
    ["an update can remove it", "description", "d"],
    ["an update can remove all entries of it", "labels", { fixed: "f" }],
    ["an update can remove all items of it", "order", ["a"]],
    ["a setting lets an update remove it", "size", "s"],
    ["only a new value replaces the object", "zone", "z"],
    ["the removal of another value would replace the object", "tier", "silver"],
    ["all of its members can be removed", "operator", { version: "2" }],
  ])("is removed where %s", async (_why, name, value) => {
    expect(await readAfter({ [name]: value }, { kind: "k" })).toMatchObject({ [name]: null });
  });

  it("keeps of an object the optional members that no update changes", async () => {
    const operator = { name: "n", namespace: "s", version: "2", place: { region: "eu" } };
    expect(await readAfter({ operator }, {})).toMatchObject({ operator: { namespace: "s" } });
    expect((await readAfter({ operator }, {})).operator).toEqual({ namespace: "s" });
  });

  it("keeps nothing that only the state of another version holds", async () => {
    const life = new Life(kept, () => ({ kind: "k" }));
    const state = { kind: "k", former: "f", operator: { former: "f", namespace: "s" } };
    const read = (await life.read(state)).state;
    expect(read).not.toHaveProperty("former");
    expect(read.operator).toEqual({ namespace: "s" });
  });

  it("keeps its value inside of an object that the answer holds", async () => {
    const operator = { name: "n", namespace: "s", version: "2", place: { region: "eu", rack: "r" } };
    expect((await readAfter({ operator }, { operator: { place: {} } })).operator).toEqual({
      name: "n",
      namespace: "s",
      place: { region: "eu" },
    });
  });
});

describe("a module whose answer leaves out what is required", () => {
  const args = { edgeId: "edge", routeId: "route", issuer: "https://id.example.com", clientId: "app" };
  const read = async (answer: Json) => {
    const life = new Life(declarationOf("HttpsEdgeRouteOidc"), (body) => ({ enabled: true, ...body }));
    const state = await life.create({ ...args, clientSecret: "not-so-secret" });
    life.answer = () => answer;
    return life.read(state);
  };

  it("keeps it where the answer shows other content", async () => {
    const { state, inputs } = await read({ enabled: true, client_id: "app" });
    expect(state).toMatchObject(args);
    expect(inputs).toBeUndefined();
  });

  it("has lost it where the answer shows no content: somebody deleted the module", async () => {
    const { state, inputs } = await read({ enabled: true });
    expect(state).toMatchObject({ issuer: null, clientId: null });
    expect(inputs).toEqual({ edgeId: "edge", routeId: "route", clientSecret: "not-so-secret" });
  });
});

describe("an argument that the service does not take as it was sent", () => {
  it("is no change while service and program keep their values, and a warning names both", async () => {
    const life = new Life(thing, (body) => ({ ...body, description: "of the service" }));
    const args = { description: "mine" };
    const state = await life.create(args);
    expect(state).toMatchObject({ description: "of the service", __accepted: { description: "mine" } });
    expect(await life.diff(state, args)).toBe("none");
    expect(life.lines).toEqual([
      'thing id_1: description: the service keeps "of the service" for "mine". This is not a change; to end this ' +
        "warning, write what the service keeps into the program",
    ]);
    const found = await life.read(state);
    expect(found).toEqual({ state });
    expect(await life.diff(state, { description: "another" })).toBe("update");

    life.answer = () => ({ description: "by hand" });
    const drifted = await life.read(state);
    expect(drifted.state).toMatchObject({ description: "by hand" });
    expect(drifted.state.__accepted).toBeUndefined();
    expect(await life.diff(drifted.state, args)).toBe("update");
  });

  it("has no warning once the program has what the service keeps, and what was sent before is forgotten", async () => {
    const life = new Life(thing, (body) => ({ ...body, description: "of the service" }));
    const state = await life.create({ description: "mine" });
    const kept = { description: "of the service" };
    expect(await life.diff(state, kept)).toBe("none");
    expect(life.lines).toEqual([]);
    const updated = await life.update(state, { ...kept, region: "eu" });
    expect(life.sent.at(-1)).toEqual({ verb: "update", body: { region: "eu" } });
    expect(updated.__accepted).toBeUndefined();
  });
});

describe("an update", () => {
  it("that sends nothing keeps what the service keeps in another form, and what was sent", async () => {
    const life = new Life(thing, (body) => ({ ...body, description: "of the service" }));
    const state = await life.create({ description: "mine" });
    const args = { description: "mine", region: "global" };
    const recorded = await life.update(state, args);
    expect(life.sent).toHaveLength(1);
    expect(recorded).toMatchObject({ description: "of the service", __accepted: { description: "mine" } });
    expect(recorded.__args).toEqual(["description", "region"]);
    expect(await life.diff(recorded, args)).toBe("none");
  });

  it("fails where the service answers it with the values from before, and records them", async () => {
    const life = new Life(thing, () => ({ description: "before" }));
    const state = await life.create({ description: "before" });
    const inputs = { description: "after", __provider: "shim" };
    const failure = await failureOf<PartialFailure>(life.cycle.update("id_1", state, inputs));
    expect(failure).toBeInstanceOf(PartialFailure);
    expect(failure.message).toContain('description was not changed: sent "after", kept "before"');
    expect(failure.id).toBe("id_1");
    expect(failure.properties).toMatchObject({
      description: "before",
      __args: ["description"],
      __unlike: true,
      __provider: "shim",
    });
  });

  it("forgets what no answer holds when the program removes it, with or without a request", async () => {
    const life = new Life(thing, ({ password: _, ...body }) => body);
    const state = await life.create({ description: "d", csr: "request", password: "p" });
    expect(state).toMatchObject({ csr: "request", password: "p" });
    const recorded = await life.update(state, { description: "d", password: "p" });
    expect(recorded).toMatchObject({ csr: null, password: "p", description: "d" });
    expect(life.sent).toHaveLength(1);
    expect(await life.update(state, { description: "e" })).toMatchObject({
      csr: null,
      password: null,
      description: "e",
    });
  });

  it("records no argument that stays with the program", async () => {
    const life = new Life(thing, (body) => body);
    const state = await life.create({ hint: 1 });
    expect(await life.update(state, { hint: 2 })).not.toHaveProperty("hint");
    expect(await life.update(state, { hint: 2, description: "d" })).not.toHaveProperty("hint");
  });

  it("of an object that was made only in part and is gone says to refresh", async () => {
    const life = new Life(thing, (stored) => stored);
    life.stored = undefined;
    await expect(
      life.cycle.update("th_1", { __partial: true, __args: [] }, { description: "d" }),
    ).rejects.toThrow(
      "the thing th_1 does not exist: it was deleted outside of this stack. Run pulumi refresh, which removes it",
    );
  });
});

describe("an argument that answers leave out from the first write on", () => {
  const operator = declarationOf("KubernetesOperator");
  const args = {
    enabledFeatures: ["bindings"],
    binding: { endpointSelectors: ["true"], ingressEndpoint: "in:1" },
  };
  const shows = (endpointSelectors?: unknown) => (body: Json) => ({
    ...body,
    binding: { ...(body.binding as Json), endpoint_selectors: endpointSelectors },
  });

  it("keeps its value, and a preview says that it is not seen", async () => {
    const life = new Life(operator, shows(null));
    const state = await life.create(args);
    expect(state).toMatchObject({ ...args, __unanswered: ["binding.endpointSelectors"] });
    expect(await life.read(state)).toEqual({ state });
    expect(await life.diff(state, args)).toBe("none");
    expect(life.lines).toEqual([
      "Kubernetes operator id_1: binding.endpointSelectors decides who has access, and the service does not show it: " +
        "Pulumi cannot see what others change in it",
    ]);
  });

  it("is sent when it changes, and stays unseen", async () => {
    const life = new Life(operator, shows());
    const state = await life.create(args);
    const changed = { ...args, binding: { ...args.binding, endpointSelectors: ["false"] } };
    const updated = await life.update(state, changed);
    expect(life.sent.at(-1)!.body).toEqual({
      binding: { endpoint_selectors: ["false"], ingress_endpoint: "in:1" },
    });
    expect(updated).toMatchObject({ ...changed, __unanswered: ["binding.endpointSelectors"] });
    expect((await life.update(updated, { ...changed, description: "d" })).__unanswered).toEqual([
      "binding.endpointSelectors",
    ]);
  });

  it("is drift once an answer shows another value, an empty one too", async () => {
    for (const shown of [["false"], []]) {
      const life = new Life(operator, shows());
      const state = await life.create(args);
      life.answer = shows(shown);
      const found = await life.read(state);
      expect(found.state).toMatchObject({ binding: { endpointSelectors: shown } });
      expect(found.state.__unanswered).toBeUndefined();
      expect(await life.diff(found.state, args)).toBe("update");
    }
  });

  it("takes a second update to know where only the first write showed it", async () => {
    const life = new Life(operator, (body) => body);
    const state = await life.create(args);
    life.answer = shows(null);
    const drifted = (await life.read(state)).state;
    expect(await life.diff(drifted, args)).toBe("update");
    const repaired = await life.update(drifted, args);
    expect(await life.diff(repaired, args)).toBe("none");
    expect(await life.read(repaired)).toEqual({ state: repaired });
  });

  it("keeps what was sent of an object that is left out whole, and its secret that no answer holds", async () => {
    const life = new Life(operator, ({ binding: _, ...body }) => body);
    const secret = { ...args, binding: { ...args.binding, csr: "request" } };
    const state = await life.create(secret);
    expect(state).toMatchObject({ ...secret, __unanswered: ["binding"] });
    expect(await life.read(state)).toEqual({ state });
    expect(await life.diff(state, secret)).toBe("none");
  });
});

describe("the answer to an update", () => {
  const byHand = async (declaration: Declaration, args: Json, changes: Json, update: Json) => {
    const life = new Life(declaration, ({ description, ...body }) => ({
      ...body,
      description: description === "mine" ? "of the service" : description,
    }));
    const state = await life.create(args);
    life.stored = { ...life.stored, ...changes };
    const updated = await life.update(state, { ...args, ...update });
    return { life, state, updated, wanted: { ...args, ...update } };
  };

  it.each<[string, Declaration, Json, Json, Json, Json]>([
    [
      "a text",
      thing,
      { description: "one" },
      { description: "by hand" },
      { description: "by hand" },
      { region: "eu" },
    ],
    [
      "a text that the service had kept in another form",
      thing,
      { description: "mine" },
      { description: "by hand" },
      { description: "by hand" },
      { region: "eu" },
    ],
    [
      "what decides access",
      declarationOf("SshCredential"),
      { publicKey: "key", acl: ["bind:a.example.com"] },
      { acl: ["*"] },
      { acl: ["*"] },
      { description: "d" },
    ],
  ])(
    "is not held against %s that it did not send",
    async (_what, declaration, args, changes, found, update) => {
      const { life, state, updated, wanted } = await byHand(declaration, args, changes, update);
      expect(updated).toMatchObject(found);
      expect(updated.__unlike).toBe(true);
      expect(updated.__accepted).toBeUndefined();
      expect(await life.diff(updated, wanted)).toBe("update");
      const repaired = await life.update(updated, wanted);
      for (const name of Object.keys(args)) expect(repaired[name]).toEqual(state[name]);
      expect(await life.diff(repaired, wanted)).toBe("none");
    },
  );

  it("is not held against a member that no update sends, beside one that it sent", async () => {
    const life = new Life(declarationOf("KubernetesOperator"), (body) => body);
    const state = await life.create({ deployment: { name: "a", namespace: "one" } });
    life.answer = ({ deployment }) => ({ deployment: { ...(deployment as Json), namespace: "by hand" } });
    const wanted = { deployment: { name: "b", namespace: "one" } };
    const updated = await life.update(state, wanted);
    expect(updated).toMatchObject({ deployment: { name: "b", namespace: "by hand" }, __unlike: true });
    expect(await life.diff(updated, wanted)).toBe("replace: deployment");
  });
});

describe("a create", () => {
  const withFormat: Declaration = {
    ...thing,
    fields: { ...thing.fields, format: text().serverDefault("json").essential() },
  };

  it("sends a default that the service must be sent, and does not take it for an argument", async () => {
    const life = new Life(withFormat, (body) => body);
    expect(await life.create({ description: "d" })).toMatchObject({
      format: "json",
      __args: ["description"],
    });
    expect(life.sent).toEqual([{ verb: "create", body: { description: "d", format: "json" } }]);
  });

  it("sends the program's value in its place", async () => {
    const life = new Life(withFormat, (body) => body);
    expect(await life.create({ format: "xml" })).toMatchObject({ format: "xml", __args: ["format"] });
    expect(life.sent).toEqual([{ verb: "create", body: { format: "xml" } }]);
  });
});
