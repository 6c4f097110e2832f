/** What the emulator's own schemas and rules accept, the checks of the classes never refuse. */
import * as fc from "../../../support/fast-check";
import { namesIn } from "../../../../src/provider/http/path";
import { declarationOf, declarations } from "../../../../src/resources/registry";
import type { Declaration } from "../../../../src/schema/declaration";
import { wireName } from "../../../../src/schema/field";
import type { AnyField, Fields } from "../../../../src/schema/field";
import { checkArguments } from "../../../../src/schema/validate";
import { bodies } from "./accepted-bodies";
import { account, seed, type Json } from "./arbitraries";
import { sharedEmulator } from "../../../support/emulators";
import { cases } from "../../../support/cases";

const emulator = sharedEmulator();
beforeAll(() => emulator.seed(account));

/** The objects of `account` that a path names. */
const inPath: Readonly<Record<string, string>> = {
  edgeId: "place_one",
  routeId: "place_one",
  subscriptionId: "esb_one",
};

/** The program's arguments that send such a body. */
function argumentsIn(fields: Fields, body: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const value = body[wireName(name, field)];
      if (field.presence === "computed" || value === undefined || value === null) return [];
      return [[name, argumentIn(field, value)]];
    }),
  );
}

function argumentIn({ shape }: AnyField, value: unknown): unknown {
  if (shape.kind === "object") return argumentsIn(shape.fields, value as Json);
  return shape.kind === "list" ? (value as unknown[]).map((item) => argumentIn(shape.item, item)) : value;
}

async function call(method: string, path: string, body?: Json): Promise<{ status: number; id: string }> {
  const response = await fetch(emulator.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${emulator.apiKey}`,
      "content-type": "application/json",
      "service-version": "2",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, id: String((text === "" ? {} : (JSON.parse(text) as Json)).id) };
}

/** Whether the emulator creates such an object; it is deleted again. */
async function accepts({ path, style }: Declaration, body: Json): Promise<boolean> {
  const own = style === "member" ? path.replace("/{type}", "") : path;
  const at = own.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name]!);
  const { status, id } = await call(style === "singleton" ? "PUT" : "POST", at, body);
  if (status >= 300) return false;
  const member = style === "member" ? encodeURIComponent(String(body.type)) : id;
  const removed = await call("DELETE", style === "singleton" ? at : `${at}/${member}`);
  expect([body, removed.status]).toEqual([body, 204]);
  return true;
}

const problems = ({ fields, rules }: Declaration, args: Json) =>
  checkArguments(fields, rules, args, { olds: {}, now: Date.now() });

const created = declarations.filter(({ setOf, rotates }) => !setOf && !rotates);

it("has bodies for every class", () => {
  expect(Object.keys(bodies).sort()).toEqual(created.map(({ type }) => type).sort());
});

const runs = cases(25, 300);

it.each(created.map((declaration) => [declaration.type, declaration] as const))(
  "a body that creates an object is right for %s",
  async (type, declaration) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies[type]!, async (body) => {
        if (!(await accepts(declaration, body))) return;
        accepted += 1;
        const place = Object.fromEntries(
          namesIn(declaration.path)
            .filter((name) => name in inPath)
            .map((name) => [name, inPath[name]]),
        );
        const args = { ...argumentsIn(declaration.fields, body), ...place };
        expect(problems(declaration, args)).toEqual([]);
        if (type === "IpPolicyRule") {
          const { cidr, ipPolicyId, ...rule } = args as unknown as Record<string, string>;
          const set = declarationOf("IpPolicyRuleSet");
          expect(problems(set, { ipPolicyId, rules: { [cidr!]: rule } })).toEqual([]);
        }
      }),
      { seed, numRuns: runs },
    );
    expect(accepted).toBeGreaterThan(cases(0, 10));
  },
  60_000,
);
