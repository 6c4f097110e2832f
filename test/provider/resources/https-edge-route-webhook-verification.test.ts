import { ApiError } from "../../../src/provider/errors";
import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const webhook = declarationOf("HttpsEdgeRouteWebhookVerification");

const args = { edgeId: "edge_1", routeId: "route_1", provider: "PAYMENTS" };

function refusing(status: number, words: string | undefined): Life {
  return new Life(webhook, () => {
    throw new ApiError("creating the webhook verification module", status, "ERR_1", words, undefined);
  });
}

test("a missing secret is no problem of its own, because one provider needs none", () => {
  expect(problems(webhook, args)).toEqual([]);
  expect(problems(webhook, { ...args, secret: "" })).toEqual(["secret: must not be empty"]);
});

test("the arguments of an existing module, which has no metadata, are checked like those of a new one", async () => {
  const { cycle } = new Life(webhook, (body) => body);
  expect(await cycle.check({}, args)).toEqual({ inputs: args });
  expect(await cycle.check(args, args)).toEqual({ inputs: args });
});

test("a refusal without a secret names the secret as a possible reason", async () => {
  await expect(refusing(400, "a secret is needed").create(args)).rejects.toThrow(
    "secret may be the reason: some providers require one (creating the webhook verification module failed: 400 ERR_1: a secret is needed)",
  );
});

test.each([
  ["of a secret that was given", refusing(400, "a longer secret is needed"), { ...args, secret: "short" }],
  ["of another kind", refusing(409, "a secret exists"), args],
])("a refusal %s stays as it is", async (_name, life, given) => {
  await expect(life.create(given)).rejects.toThrow(/^creating the webhook verification module failed: /);
});

test.each(["payments", "PAY MENTS"])(
  "the provider %j, in another form than shown, is a warning",
  (provider) => {
    expect(problems(webhook, { ...args, provider })).toEqual([]);
    expect(adviceOnArguments(webhook, { ...args, provider })).toEqual([
      "provider: is not in upper case without white space, as the identifiers of webhook providers are; services may refuse it",
    ]);
  },
);

test("a provider in lower case is that in upper case", async () => {
  const life = new Life(webhook, (body) => ({ enabled: true, ...body, provider: "PAYMENTS" }));
  const state = await life.create({ ...args, provider: "payments" });
  expect(await life.diff(state, { ...args, provider: "payments" })).toBe("none");
  expect(await life.diff(state, args)).toBe("none");
});

test("a provider is not empty", () => {
  expect(problems(webhook, { ...args, provider: "" })).toEqual(["provider: must not be empty"]);
});

test("a secret that an answer leaves out or hides is kept, and one that changed is drift", async () => {
  const life = new Life(webhook, (body) => ({ enabled: true, ...body, secret: null }));
  const state = await life.create({ ...args, secret: "first value" });
  expect(state).toMatchObject({ secret: "first value" });
  life.answer = () => ({ enabled: true, provider: "PAYMENTS", secret: "********" });
  expect(await life.read(state)).toEqual({ state });
  life.answer = () => ({ enabled: true, provider: "PAYMENTS", secret: "another value" });
  expect((await life.read(state)).inputs).toEqual({ ...args, secret: "another value" });
});
