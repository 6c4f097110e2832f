import * as fc from "../../support/fast-check";
import type { Declaration } from "../../../src/schema/declaration";
import { toWire, fromWire } from "../../../src/provider/life-cycle/wire";
import { asRule, Life } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";
import { argumentsFrom } from "../../../src/schema/values";
import { emulators } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";
import { configuredHooks } from "../../support/configured-hooks";

const start = emulators();

const apiKey = declarationOf("ApiKey");
const ipPolicy = declarationOf("IpPolicy");
const ipPolicyRule = declarationOf("IpPolicyRule");

type Json = Readonly<Record<string, unknown>>;

const word = fc.string({ maxLength: 60, unit: "grapheme" });
const described = { description: word, metadata: word };
const optional = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] });
const id = (prefix: string) => fc.stringMatching(/^[A-Za-z0-9]{1,20}$/).map((rest) => prefix + rest);
const cidr = fc.oneof(
  fc
    .tuple(fc.nat(255), fc.nat(8))
    .map(([first, bits]) => `${(first >> (8 - bits)) << (8 - bits)}.0.0.0/${bits}`),
  fc.integer({ min: 0x1000, max: 0xffff }).map((group) => `${group.toString(16).toUpperCase()}:0:0::/16`),
);

const cases: [string, Declaration, fc.Arbitrary<Json>, Life["answer"]][] = [
  ["IpPolicy", ipPolicy, optional(described), (stored) => stored],
  [
    "IpPolicyRule",
    ipPolicyRule,
    fc.record(
      { ...described, cidr, ipPolicyId: id("ipp_"), action: fc.constantFrom("allow", "deny") },
      { requiredKeys: ["cidr", "ipPolicyId", "action"] },
    ),
    (stored) => asRule({ ...stored, cidr: String(stored.cidr).toLowerCase() }),
  ],
  [
    "ApiKey",
    apiKey,
    optional({ ...described, ownerId: fc.oneof(id("usr_"), id("bot_")) }),
    (stored) => ({ owner_id: "usr_default", token: null, ...stored }),
  ],
];

const orNull = (value: unknown) => (value === "" ? null : (value ?? null));

/** The ways in which a service shows a description or metadata that is not set. */
const ways = fc.constantFrom<((stored: Json) => Json)[]>(
  (stored) => stored,
  ({ description, metadata, ...rest }) => ({
    ...rest,
    description: orNull(description),
    metadata: orNull(metadata),
  }),
  (stored) => ({ ...stored, description: stored.description ?? "", metadata: stored.metadata ?? "" }),
  (stored) => Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== "")),
);

describe.each(cases)("any %s", (type, declaration, right, answer) => {
  const service = (way: (stored: Json) => Json = (stored) => stored) => {
    const made = new Life(declaration, (stored) => way(answer(stored)));
    made.once = type === "ApiKey" ? { token: "tok-1" } : {};
    return made;
  };

  it("with right arguments passes check, which changes nothing when it is repeated", async () => {
    const { cycle } = service();
    await fc.assert(
      fc.asyncProperty(right, async (args) => {
        const once = await cycle.check({}, args);
        expect(once).toEqual({ inputs: args });
        const inputs = plain(once.inputs) as Json;
        expect(await cycle.check(inputs, inputs)).toEqual({ inputs: args });
      }),
    );
  });

  it("has no change after create, after read and after an update, however the service shows what is unset", async () => {
    await fc.assert(
      fc.asyncProperty(right, right, ways, async (first, second, way) => {
        const life = service(way);
        const inputs = await life.check({}, first);
        const state = await life.create(inputs);
        expect(await life.diff(state, inputs)).toBe("none");
        expect(await life.read(state)).toEqual({ state });

        const next = await life.check(inputs, second);
        if ((await life.diff(state, next)) !== "update") return;
        const updated = await life.update(state, next);
        expect(await life.diff(updated, next)).toBe("none");
        expect(await life.read(updated)).toEqual({ state: updated });
      }),
    );
  });

  it("comes back from the wire as it was sent, but for what is empty", () => {
    fc.assert(
      fc.property(right, (given) => {
        const args = argumentsFrom(given);
        const set = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ""));
        const back = fromWire(declaration.fields, answer(toWire(declaration.fields, args)));
        expect(Object.fromEntries(Object.keys(set).map((name) => [name, back[name]]))).toEqual(
          type === "IpPolicyRule" ? { ...set, cidr: String(set.cidr).toLowerCase() } : set,
        );
        expect(fromWire(declaration.fields, answer(toWire(declaration.fields, args)), args)).toMatchObject(
          args,
        );
      }),
    );
  });

  it("with anything at all as arguments gets a judgement, and no text of it is repeated at length", async () => {
    const { cycle } = service();
    const mark = "LONG-TEXT-OF-THE-USER-".repeat(20);
    const anything = fc.dictionary(
      fc.constantFrom(...Object.keys(declaration.fields), "other"),
      fc.oneof(fc.anything(), fc.constant(mark)),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (args) => {
        const { failures = [] } = await cycle.check({}, args);
        for (const { property, reason } of failures) {
          expect(property).toBe("");
          expect(reason).not.toContain(mark.slice(0, 80));
        }
      }),
    );
  });
});

describe("an error", () => {
  it("never holds the token of the state or the stack's key, whatever the service answers", async () => {
    const emulator = await start();
    const { apiKey, baseUrl } = emulator;
    const hook = configuredHooks("ApiKey", { apiKey, baseUrl, retryTimeout: "1" });
    const token = "token-of-the-state";
    const state = { token, description: "a", ownerId: "usr_1", __args: ["description"] };
    const msg = `${token} and ${emulator.apiKey} are wrong`;
    const body = { msg, error_code: msg, details: { operation_id: msg } };
    for (const answer of [body, JSON.stringify(body), `<html>${token} ${emulator.apiKey}</html>`]) {
      emulator.setFaults({ rules: [{ kind: "status", status: 422, body: answer }] });
      const failed = await failureOf(hook("update")("ak_1", state, { description: "b" }));
      const text = `${String(failed?.message)} ${String(failed?.stack)} ${String(failed)} ${JSON.stringify(failed)}`;
      expect(text).toContain("422");
      expect(text).not.toContain(token);
      expect(text).not.toContain(emulator.apiKey);
    }
  });
});
