/** Which providers may work on one account. */
import { ProviderAccounts } from "../../../src/tools/inventory/provider-accounts";
import { secretMask } from "../../../src/tools/stack/mask";
import { unknown } from "../../../src/schema/unknown";

it.each([
  ["hidden as a secret", secretMask],
  ["not known before the deployment", unknown],
])("two providers whose base URLs are %s have keys of their own, and may share an account", (_, url) => {
  const accounts = new ProviderAccounts(
    new Map([
      ["urn:one", url],
      ["urn:two", url],
      ["urn:three", "https://api.example.com"],
    ]),
  );
  expect(accounts.keyOf("urn:one")).not.toBe(accounts.keyOf("urn:two"));
  expect(accounts.mayBeOne("urn:one", "urn:two")).toBe(true);
  expect(accounts.mayBeOne("urn:one", "urn:three")).toBe(true);
});
