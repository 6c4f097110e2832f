import { setSecrets } from "../../../src/tools/stack/config";
import { PulumiStub } from "../../support/pulumi-stub";

let mockPulumi: PulumiStub;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (...given: Parameters<PulumiStub["run"]>) => mockPulumi.run(...given),
}));

const values = ["a", "b, \"c\"\n'd'=é", "-e", ""];
const secrets = new Map(values.map((value, i): [string, string] => [`shop:login${i}_clientSecret`, value]));

async function callsFor(
  wanted: ReadonlyMap<string, string>,
  isOld: boolean,
  config: Readonly<Record<string, string>> = { "shop:other": "x" },
): Promise<string[]> {
  mockPulumi = new PulumiStub("shop", config, { isOld });
  await setSecrets("test", wanted, {});
  expect(mockPulumi.config).toEqual({ ...config, ...Object.fromEntries(wanted) });
  return mockPulumi.calls.filter((call) => call.startsWith("config set"));
}

it("sets all secrets by one call, without a value on the command line", async () => {
  expect(await callsFor(secrets, false)).toEqual(["config set-all --stack test"]);
});

it("sets what an old CLI does not take from its environment key by key, through stdin", async () => {
  const single = [...secrets.keys()].map((key) => `config set --secret ${key} --stack test --raw`);
  expect(await callsFor(secrets, true)).toEqual(["config set-all --stack test", ...single]);
});

it("sets only what an old CLI does not have with this value yet", async () => {
  const wanted = new Map([
    ["shop:same", "a"],
    ["shop:rotated", "new"],
  ]);
  const config = { "shop:same": "a", "shop:rotated": "old" };
  expect(await callsFor(wanted, true, config)).toEqual([
    "config set-all --stack test",
    "config set --secret shop:rotated --stack test --raw",
  ]);
});

it("sets what is too long for an environment through stdin", async () => {
  const long = new Map([["shop:key", "é".repeat(20_000)]]);
  expect(await callsFor(long, false)).toEqual(["config set --secret shop:key --stack test --raw"]);
});
