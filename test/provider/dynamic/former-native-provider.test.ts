/** The deployment in which a native provider becomes one of dynamic resources: the engine still gives it the old inputs. */
import { hooksOf } from "../../../src/provider/dynamic";
import { shimOf } from "../../../src/program/shim";
import { emulatorForTests } from "../../support/emulators";

const emulator = emulatorForTests();

/** Hooks of a plugin that gets these settings, as Pulumi's class for them holds and reads them. */
function configured(rawConfig: Readonly<Record<string, unknown>>) {
  const get = (key: string): string | undefined =>
    rawConfig[key.includes(":") ? key : `project:${key}`] as string | undefined;
  const config = { rawConfig, get, require: (key: string) => get(key)! };
  return hooksOf("IpPolicy", config);
}

it("works with the names of the native provider's inputs", async () => {
  const hooks = configured({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, requestTimeout: 5 });
  const { id } = (await hooks("create")({ description: "office" })) as { id: string };
  expect(id).toMatch(/^ipp_/);
});

it("prefers the names of a configuration", async () => {
  const { apiKey, baseUrl } = emulator;
  const hooks = configured({
    "tunnel-gateway:apiKey": apiKey,
    "tunnel-gateway:baseUrl": baseUrl,
    apiKey: "of another account",
  });
  await hooks("create")({});
  expect(emulator.requests).toHaveLength(1);
});

describe("a state of the native provider, or of an earlier key or version", () => {
  const __provider = shimOf("IpPolicy");
  let hooks: ReturnType<typeof configured>;
  beforeEach(() => (hooks = configured({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl })));
  type Values = Record<string, unknown>;
  const made = async () =>
    (await hooks("create")({ description: "office" })) as { readonly id: string; readonly outs: Values };

  it("gets the text of the provider by an update of its own, which hides no other change", async () => {
    const { id, outs } = await made();
    const changes = async (description: string) =>
      ((await hooks("diff")(id, outs, { __provider, description })) as { changes?: boolean }).changes;
    expect(await changes("office")).toBe(true);
    expect(await changes("new")).toBeUndefined();
  });

  it("keeps the mark of the account through an update with another key", async () => {
    const { id, outs } = await made();
    const updated = (await hooks("update")(
      id,
      { ...outs, __account: "earlier" },
      { description: "new" },
    )) as {
      readonly outs: Values;
    };
    expect(updated.outs.__account).toBe("earlier");
  });

  it("gets the text of this version by a refresh, in the inputs that show drift too", async () => {
    const { id, outs } = await made();
    await hooks("update")(id, outs, { description: "by hand" });
    const found = (await hooks("read")(id, outs)) as { readonly props: Values; readonly inputs: Values };
    for (const values of [found.props, found.inputs])
      expect(Object.assign(values, { __provider: "earlier text" }).__provider).toBe(__provider);
  });
});
