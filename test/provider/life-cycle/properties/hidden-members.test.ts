import * as fc from "../../../support/fast-check";
import type { Declaration } from "../../../../src/schema/declaration";
import { wireName } from "../../../../src/schema/field";
import { declarations } from "../../../../src/resources/registry";
import { Plugin } from "../../../support/plugin";
import { account, argumentsOf, seed, type Json } from "./arbitraries";
import { sharedEmulator } from "../../../support/emulators";
import { plain } from "../../../support/in-process/values";

/** An answer may leave out, or answer null for, whatever it likes but ids: the specification promises no member. */

const emulator = sharedEmulator();
beforeAll(() => emulator.seed(account));

type Path = readonly (string | number)[];

/** The paths of all members of an answer, nested ones too, but no ids. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    const at = [...path, key];
    // A list without one of its items is another value, and no list with a hidden member.
    return [...(name === "id" || Array.isArray(value) ? [] : [at]), ...pathsIn(member, at)];
  });
}

/** The answer with the member at the path removed, or null. */
function without(answer: Json, path: Path, how: "removed" | "null"): Json {
  const copy = structuredClone(answer);
  const holder = path
    .slice(0, -1)
    .reduce((at, key) => at[key] as Json, copy as Record<string | number, unknown>);
  const last = path[path.length - 1]!;
  if (how === "null") holder[last] = null;
  else delete holder[last];
  return copy;
}

/** The member of the answer that shows each argument. */
function argumentMembers({ fields }: Declaration): string[] {
  return Object.entries(fields)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, field]) => field.traits.within ?? field.traits.ref ?? wireName(name, field));
}

/** The members that hold users' maps: one without an entry is another value. */
function mapMembers({ fields }: Declaration): string[] {
  return Object.entries(fields)
    .filter(([, { shape }]) => shape.kind === "map")
    .map(([name, field]) => wireName(name, field));
}

/** What the emulator refuses though the specification does not. */
function isAccepted(type: string, { provider, secret, validAfter, validUntil }: Json): boolean {
  if (type === "HttpsEdgeRouteWebhookVerification")
    return /^[A-Z][A-Z0-9_]*$/.test(String(provider)) && secret !== undefined;
  return !type.startsWith("Ssh") || (validAfter === undefined && validUntil === undefined);
}

// What a set of entries shows is made of the list of another class; the test below hides members there.
const answered = declarations.filter(({ setOf, rotates }) => !setOf && !rotates);

describe.each(answered.map((declaration) => [declaration.type, declaration] as const))(
  "any answer about any %s",
  (type, declaration) => {
    const samples = fc.sample(
      argumentsOf(declaration).filter((args) => isAccepted(type, args)),
      { seed, numRuns: 4 },
    );
    const richest = samples.reduce((a, b) => (Object.keys(b).length > Object.keys(a).length ? b : a));
    const shown = argumentMembers(declaration);

    it("is read, refreshed and previewed without any of its members, and only arguments drift", async () => {
      // What can be updated in any way is updated and not replaced.
      const plugin = Plugin.for(emulator, { patchUndocumented: true });
      const inputs = plain((await plugin.hooks(type).check({}, richest)) as { inputs: Json }).inputs;
      const { id, state } = await plugin.create(type, inputs);
      const raw = await answerTo(id);
      try {
        const maps = mapMembers(declaration);
        const paths = pathsIn(raw).filter(
          ([first, ...rest]) => rest.length === 0 || !maps.includes(String(first)),
        );
        expect(paths.length).toBeGreaterThan(1);
        for (const path of paths) {
          for (const how of ["removed", "null"] as const) {
            const context = `${path.join(".")} ${how}`;
            const found = await readAs(without(raw, path, how), id, state);
            expect([context, found.id]).toEqual([context, id]);
            if (found.inputs !== undefined) expect([context, ...shown]).toContain(path[0]);
            const { replaces } = await plugin.hooks(type).diff(id, found.state, inputs);
            expect([context, replaces]).toEqual([context, []]);
          }
        }
        const bare = await readAs(typeof raw.id === "string" ? { id: raw.id } : {}, id, state);
        expect(bare.id).toBe(id);
        await plugin.hooks(type).diff(id, bare.state, inputs);
      } finally {
        emulator.setFaults();
        await plugin.hooks(type).delete(id);
      }
    });

    /** The service's own answer about the object. */
    async function answerTo(id: string): Promise<Json> {
      const { http } = Plugin.for(emulator);
      const values = id.split("/");
      const path =
        declaration.style === "collection"
          ? `${declaration.path}/${id}`
          : declaration.path.replace(/\{\w+\}/g, () => encodeURIComponent(values.shift()!));
      return (await http.send({ method: "GET", path, operation: "reading" })).body as Json;
    }

    function readAs(answer: Json, id: string, state: Json) {
      emulator.setFaults({ rules: [{ kind: "garbage", method: "GET", status: 200, body: answer }] });
      return Plugin.for(emulator, { patchUndocumented: true }).read(type, id, state);
    }
  },
);

describe("any list of rules", () => {
  const type = "IpPolicyRuleSet";
  const inputs = {
    ipPolicyId: "ipp_one",
    rules: {
      "10.0.0.0/8": "allow",
      "2001:db8::/32": { action: "deny", description: "guests", metadata: "m" },
    },
  };

  it("is read as a set without any of its members, and only the rules drift", async () => {
    const plugin = Plugin.for(emulator);
    const { id, state } = await plugin.create(type, inputs);
    const list = (await plugin.http.send({ method: "GET", path: "/ip_policy_rules", operation: "reading" }))
      .body as Json;
    try {
      // The list itself and the ids of its objects are required; their Refs are not.
      const rules = list.ip_policy_rules as Json[];
      expect(rules).toHaveLength(2);
      const paths = rules.flatMap((rule, i) =>
        pathsIn(rule).map((path): Path => ["ip_policy_rules", i, ...path]),
      );
      expect(paths.length).toBeGreaterThan(10);
      for (const path of [...paths, ["uri"], ["next_page_uri"]]) {
        for (const how of ["removed", "null"] as const) {
          const context = `${path.join(".")} ${how}`;
          const body = without(list, path, how);
          emulator.setFaults({
            rules: [{ kind: "garbage", method: "GET", path: "/ip_policy_rules", status: 200, body }],
          });
          const found = await Plugin.for(emulator).read(type, id, state);
          expect([context, found.id]).toEqual([context, id]);
          const isArgument = ["action", "cidr", "description", "metadata", "ip_policy"].includes(
            String(path[2]),
          );
          if (!isArgument) expect([context, found.inputs]).toEqual([context, undefined]);
          const { replaces } = await plugin.hooks(type).diff(id, found.state, inputs);
          expect([context, replaces]).toEqual([context, []]);
        }
      }
    } finally {
      emulator.setFaults();
      await plugin.hooks(type).delete(id, state);
    }
  });
});
