import type { dynamic } from "@pulumi/pulumi";
import { hooksOfType } from "../../../src/provider/dynamic/hooks";
import { failureOf } from "../../support/failure";

describe("the hooks of a type", () => {
  it("read the settings once, however often they are called", async () => {
    const values: Record<string, string> = {
      "tunnel-gateway:apiKey": "a-key-for-tests",
      "tunnel-gateway:baseUrl": "http://127.0.0.1:9",
    };
    const get = jest.fn((key: string) => values[key]);
    const configured = hooksOfType("IpPolicy");
    await configured.configure({ config: { get } as unknown as dynamic.Config });
    await configured.check({}, { description: "first" });
    const reads = get.mock.calls.length;
    expect(reads).toBeGreaterThan(0);
    for (const description of ["second", "third"]) {
      await configured.check({}, { description });
      await configured.diff("ipp_1", { description: "first", __args: ["description"] }, { description });
    }
    expect(get).toHaveBeenCalledTimes(reads);
  });

  it("report missing settings at every call", async () => {
    const configured = hooksOfType("IpPolicy");
    await configured.configure({ config: { get: () => undefined } as unknown as dynamic.Config });
    for (let i = 0; i < 2; i++) {
      const { failures } = (await configured.check({}, {})) as dynamic.CheckResult;
      expect(failures?.[0]?.reason).toContain("tunnel-gateway:baseUrl");
    }
  });

  it("need no key where they send no request, and report a missing one where they would", async () => {
    const get = (key: string) => (key === "tunnel-gateway:baseUrl" ? "http://127.0.0.1:9" : undefined);
    const configured = hooksOfType("IpPolicy");
    await configured.configure({ config: { get } as unknown as dynamic.Config });
    const state = { description: "office", __args: ["description"] };
    expect(await configured.check({}, { description: "lan" })).not.toHaveProperty("failures");
    expect(await configured.diff("ipp_1", state, { description: "lan" })).not.toMatchObject({
      changes: false,
    });
    for (const work of [
      () => configured.create({ description: "lan" }),
      () => configured.update("ipp_1", state, { description: "lan" }),
      () => configured.read("ipp_1", state),
      () => configured.delete("ipp_1", state),
    ])
      expect((await failureOf(work())).message).toMatch(/^the setting tunnel-gateway:apiKey .* is not set: /);
  });

  it("say of a refresh and a deletion whose settings they lack, and not of a look-up by the program", async () => {
    const get = (key: string) => (key === "tunnel-gateway:baseUrl" ? "http://127.0.0.1:9" : undefined);
    const configured = hooksOfType("IpPolicy");
    await configured.configure({ config: { get } as unknown as dynamic.Config });
    const failure = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;
    const state = { description: "office", __args: ["description"] };
    const advice =
      "Without --run-program, a refresh or destroy uses the settings of the last pulumi up: if they were moved since, run pulumi up once, or add it";
    for (const work of [configured.read("ipp_1", state), configured.delete("ipp_1", state)])
      expect(await failure(work)).toMatch(new RegExp(`apiKey .* is not set.*${advice}$`));
    const lookUp = await failure(configured.read("ipp_1", {}));
    expect(lookUp).toContain("apiKey");
    expect(lookUp).not.toContain(advice);
  });
});
