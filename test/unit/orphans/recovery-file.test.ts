/** The import file of interrupted creates. */
import { accountObject } from "../../../src/inventory/account";
import { recoveryFile } from "../../../src/orphans/recovery-file";
import { shimIn } from "../../../src/schema/recorded-state";
import { contentsOf } from "../../support/recorded";

const creating = (type: string, name: string, more: object): object => ({
  type: "creating",
  resource: {
    urn: `urn:pulumi:dev::shop::${type}::${name}`,
    ...{ type, custom: true, inputs: { description: "office" } },
    ...more,
  },
});

it("has each resource behind the door through which it was created, in one stack with both", () => {
  const native = "urn:pulumi:dev::shop::pulumi:providers:tunnel-gateway::default::1";
  const contents = contentsOf(
    {
      deployment: {
        pending_operations: [
          creating("pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy", "one", {}),
          creating("tunnel-gateway:index:IpPolicy", "two", { provider: native }),
        ],
      },
    },
    "dev",
  );
  const outcomes = contents.pending.map((pending, i) => {
    const id = `ipp_${i}`;
    const object = accountObject(pending.declaration, id, { id, description: "office" });
    return { kind: "created", pending, object } as const;
  });
  const { resources } = recoveryFile(outcomes, contents, 0);
  const hasCode = (values: object): boolean => typeof shimIn({ ...values }) === "string";
  expect(
    resources.map(({ type, name, id, inputs, outputs }) => [
      type,
      name,
      id,
      hasCode(inputs),
      hasCode(outputs),
    ]),
  ).toEqual([
    ["pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy", "one", "ipp_0", true, true],
    ["tunnel-gateway:index:IpPolicy", "two", "ipp_1", false, false],
  ]);
});
