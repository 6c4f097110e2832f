import * as pulumi from "@pulumi/pulumi";
import { hintOfPlaintext, plaintextSecrets } from "../../../src/program/program-secrets";
import { Life } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const eventDestination = declarationOf("EventDestination");
const httpsEdgeRouteOidc = declarationOf("HttpsEdgeRouteOidc");
const ipPolicy = declarationOf("IpPolicy");

const plaintextKey = "__secretsInPlaintext";

interface Awaitable {
  promise(): Promise<unknown>;
}

async function clear(
  declaration: { fields: Parameters<typeof plaintextSecrets>[0] },
  args: Record<string, unknown>,
) {
  const found = hintOfPlaintext(plaintextSecrets(declaration.fields, args))[plaintextKey] as
    | Awaitable
    | undefined;
  return found?.promise();
}

const creds = (accessKeyId: unknown, secretAccessKey: unknown) => ({
  target: { stream: { streamRef: "s", auth: { creds: { accessKeyId, secretAccessKey } } } },
});

describe("the secrets that a program gives in clear", () => {
  it.each([
    ["a literal", "in clear", ["clientSecret"]],
    ["an Output that is no secret", pulumi.output("in clear"), ["clientSecret"]],
    ["a promise", Promise.resolve("in clear"), ["clientSecret"]],
    ["a secret Output", pulumi.secret("hidden"), undefined],
    ["an Output made from a secret one", pulumi.secret("hidden").apply((text) => `${text}!`), undefined],
  ])("are listed by their paths: %s", async (_, clientSecret, paths) => {
    expect(await clear(httpsEdgeRouteOidc, { clientId: "c", clientSecret })).toEqual(paths);
  });

  it("are found inside of objects, and of Outputs that hold objects", async () => {
    const path = "target.stream.auth.creds";
    const found = [`${path}.accessKeyId`, `${path}.secretAccessKey`];
    expect(await clear(eventDestination, creds("a", "b"))).toEqual(found);
    expect(await clear(eventDestination, creds("a", pulumi.secret("b")))).toEqual([found[0]]);
    expect(await clear(eventDestination, { target: pulumi.output(creds("a", "b").target) })).toEqual(found);
    expect(
      await clear(eventDestination, { target: pulumi.output(creds("a", pulumi.secret("b")).target) }),
    ).toBe(undefined);
    const role = { target: { stream: { streamRef: "s", auth: { role: { roleRef: "r" } } } } };
    expect(await clear(eventDestination, role)).toBe(undefined);
  });

  it("leave no trace where no secret is given", () => {
    expect(plaintextSecrets(ipPolicy.fields, { description: "d" })).toBeUndefined();
    expect(plaintextSecrets(httpsEdgeRouteOidc.fields, { clientId: "c" })).toBeUndefined();
  });

  it("pass check, change nothing, and get into no request and no output", async () => {
    const life = new Life(eventDestination, (stored) => stored);
    const args = { ...creds("a", "b"), [plaintextKey]: ["target.stream.auth.creds.accessKeyId"] };
    const inputs = await life.check({}, args);
    expect(inputs[plaintextKey]).toEqual(args[plaintextKey]);
    const outs = await life.create(inputs);
    expect(outs).not.toHaveProperty(plaintextKey);
    expect(JSON.stringify(life.sent)).not.toContain(plaintextKey);
    for (const next of [args, { ...creds("a", "b") }, { ...args, [plaintextKey]: ["other"] }]) {
      const checked = await life.check(args, next);
      expect((await life.cycle.diff(life.id, outs, { ...checked, ...creds("a", "b") })).changes).toBe(false);
    }
  });
});
