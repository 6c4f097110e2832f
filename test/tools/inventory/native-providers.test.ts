/** The providers of a stack that are native ones: their inputs have the names of the settings alone. */
import { defaultProvider, providerNamed, providerSource } from "../../../src/tools/inventory/providers";
import { contentsOf } from "../../../src/tools/inventory/stack";
import { nativeProviderType } from "../../../src/provider/urn";

const start = `urn:pulumi:dev::shop::${nativeProviderType}`;
const provider = (name: string, inputs: object) => ({
  ...{ urn: `${start}::${name}`, type: nativeProviderType, custom: true, id: "1", inputs },
});
const contents = contentsOf(
  {
    deployment: {
      resources: [
        provider("default", { baseUrl: "https://own" }),
        provider("partner", { baseUrl: "https://partner", apiKey: "a key of the test" }),
      ],
    },
  },
  "dev",
);

it("gives the settings of a provider that the program has registered", () => {
  const source = providerSource(contents, providerNamed(contents, "partner"));
  expect(source.get("tunnel-gateway:baseUrl")).toBe("https://partner");
  expect(source.get("tunnel-gateway:apiKey")).toBe("a key of the test");
});

it("knows the base URL of the last deployment", () => {
  expect(defaultProvider(contents)).toEqual({ baseUrl: "https://own" });
});

it("keeps the accounts of two providers apart", () => {
  const { accounts } = contents.inventory;
  expect(accounts.mayBeOne(undefined, `${start}::partner`)).toBe(false);
});
