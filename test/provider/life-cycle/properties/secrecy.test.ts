import * as fc from "../../../support/fast-check";
import { checkArguments, problemText } from "../../../../src/schema/validate";
import type { AnyField, Fields } from "../../../../src/schema/field";
import { declarations } from "../../../../src/resources/registry";
import { argumentsOf, seed, type Json } from "./arbitraries";
import { idIn } from "../../../../src/provider/http/path";
import { argumentsFrom } from "../../../../src/schema/values";
import { holdsSecret } from "../../../../src/schema/secrets";
import { plain } from "../../../support/in-process/values";
import { serverForTests } from "../../../support/servers";
import { failureOf } from "../../../support/failure";
import { configuredHooks } from "../../../support/configured-hooks";
import { cases } from "../../../support/cases";

const needle = "XSECRETX";

/** Anything but what a field wants; a wrong secret often is a right one of another kind, or in other clothes. */
const wrongSecrets = fc.constantFrom<unknown>(
  needle,
  ` ${needle}\n`,
  `-----BEGIN PRIVATE KEY-----\n${needle}\n-----END PRIVATE KEY-----\n`,
  `-----BEGIN CERTIFICATE-----\n${needle}`,
  `-----BEGIN ${needle}-----\nAAAA\n-----END ${needle}-----\n`,
  `ssh-ed25519 ${needle}`,
  `https://user:${needle}@example.com`,
  [needle],
  { [needle]: needle },
  { value: needle },
);
const wrongValues = fc.constantFrom<unknown>(
  "",
  "wrong",
  1.5,
  -1,
  true,
  [],
  {},
  [1],
  ["a", null],
  { a: 1 },
  null,
);

/** The arguments with each secret, and some of the rest, replaced by something wrong. */
function spoiled(fields: Fields, args: Json): fc.Arbitrary<Json> {
  const members = Object.entries(fields)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, field]): [string, fc.Arbitrary<unknown>] => [name, spoiledValue(field, args[name])]);
  return fc.record(Object.fromEntries(members), { noNullPrototype: true });
}

function spoiledValue(field: AnyField, value: unknown): fc.Arbitrary<unknown> {
  if (field.traits.secret) return wrongSecrets;
  const { shape } = field;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (shape.kind === "object")
    return holdsSecret(field) || isObject
      ? spoiled(shape.fields, isObject ? (value as Json) : {})
      : wrongValues;
  return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, wrongValues);
}

/** Replaces every secret of right arguments by one that is known, where its form allows it. */
function withNeedle(fields: Fields, args: Json): Json {
  const entries = Object.entries(args).map(([name, value]): [string, unknown] => {
    const field = fields[name]!;
    if (field.traits.secret)
      return [name, String(value).includes("-----") ? value : `${needle} "\n\\ ${name}`];
    if (field.shape.kind === "object") return [name, withNeedle(field.shape.fields, value as Json)];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** A service that repeats what it was sent in its refusals, in clear and as JSON. */
let received: string;
const service = serverForTests((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  request.on("end", () => {
    const refuses = request.method !== "GET";
    if (refuses) received = text;
    const strings = refuses ? stringsIn(JSON.parse(text)) : [];
    response.writeHead(refuses ? 400 : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ msg: `cannot take ${text} with ${strings.join(", ")}` }));
  });
});

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const state = { __args: [] };
const hooks = (type: string) => configuredHooks(type, { apiKey: "TOKEN", baseUrl: service.baseUrl });

const withSecrets = declarations.filter(({ fields }) =>
  Object.values(fields).some((field) => field.presence !== "computed" && holdsSecret(field)),
);

it("is a matter of at least six classes", () => {
  expect(withSecrets.map(({ type }) => type).sort()).toEqual([
    "EventDestination",
    "HttpsEdgeRouteOauth",
    "HttpsEdgeRouteOidc",
    "HttpsEdgeRouteWebhookVerification",
    "KubernetesOperator",
    "TlsCertificate",
  ]);
});

describe.each(withSecrets.map((declaration) => [declaration.type, declaration] as const))(
  "the secrets of any %s",
  (type, declaration) => {
    const { fields, rules, path } = declaration;
    const args = argumentsOf(declaration);

    it("are in no word about wrong arguments", async () => {
      const wrong = args.chain((right) => spoiled(fields, right));
      let checked = 0;
      await fc.assert(
        fc.asyncProperty(wrong, async (given) => {
          const reasons = checkArguments(fields, rules, given, { olds: {}, now: Date.now() }).map(
            problemText,
          );
          const result = (await hooks(type)("check")({}, given)) as {
            failures?: { property: string; reason: string }[];
          };
          for (const { property, reason } of result.failures ?? []) {
            expect(property).toBe("");
            reasons.push(reason);
          }
          checked += reasons.length;
          expect(reasons.filter((text) => text.includes(needle))).toEqual([]);
        }),
        { seed, numRuns: cases(60, 600) },
      );
      expect(checked).toBeGreaterThan(cases(100, 600));
    });

    it.each<[string, (inputs: Json) => Promise<unknown>]>([
      ["create", (inputs) => hooks(type)("create")(inputs)],
      // The engine gives the state first, which knows none of the new secrets.
      [
        "update",
        (inputs) => hooks(type)("update")(idIn(path, argumentsFrom(inputs)) || "id_1", state, inputs),
      ],
    ])("are in no error of the hook %s, though the service repeats them", async (_, write) => {
      await fc.assert(
        fc.asyncProperty(args, async (right) => {
          const given = withNeedle(fields, right);
          const { inputs } = plain((await hooks(type)("check")({}, given)) as { inputs: Json });
          const error = await failureOf(write(inputs));
          expect(received).toBeDefined();
          const text = `${error.message}\n${error.stack}\n${String(error)}\n${JSON.stringify(error)}`;
          expect(text).toContain("400");
          expect(text).not.toContain(needle);
          for (const secret of secretsIn(fields, given)) {
            for (const line of secret.split("\n").filter((each) => each.length > 40))
              expect(text).not.toContain(line);
          }
        }),
        { seed, numRuns: cases(8, 80) },
      );
    });
  },
);

function secretsIn(fields: Fields, args: Json): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const field = fields[name]!;
    if (field.traits.secret) return [String(value)];
    return field.shape.kind === "object" ? secretsIn(field.shape.fields, value as Json) : [];
  });
}
