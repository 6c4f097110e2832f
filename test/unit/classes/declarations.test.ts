/**
 * What the compiler must refuse: a declaration that differs from its arguments or its class. `npm run types`
 * checks every line here; each `@ts-expect-error` is an error itself where the compiler accepts what follows.
 */
import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../../../src/schema/declaration";
import { flag, id, list, number, object, oneOf, ref, text } from "../../../src/schema/kinds";
import type { Ref } from "../../../src/schema/kinds";
import type { GatewayResource } from "../../../src/runtime/gateway-resource";
import { IpPolicy, IpPolicyRule } from "../../../src";

interface ThingArgs {
  name: pulumi.Input<string>;
  kind?: pulumi.Input<"a" | "b">;
  policyIds?: pulumi.Input<pulumi.Input<string>[]>;
  box?: pulumi.Input<{ size?: pulumi.Input<number> }>;
}

interface Thing extends GatewayResource {
  readonly name: pulumi.Output<string>;
  readonly kind: pulumi.Output<"a" | "b" | undefined>;
  readonly policyIds: pulumi.Output<string[] | undefined>;
  readonly box: pulumi.Output<{ size?: number } | undefined>;
  readonly uri: pulumi.Output<string>;
  readonly owner: pulumi.Output<Ref>;
}

const common = {
  type: "Thing",
  noun: "thing",
  plural: "things",
  group: { name: "things", title: "Things" },
  path: "/things",
  listKey: "things",
  columns: ["name"],
};
const fields = {
  name: text().required(),
  kind: oneOf("a", "b"),
  policyIds: list(id("ipp_")),
  box: object({ size: number() }),
  uri: text().computed(),
  owner: ref("owner"),
};
const narrow = { name: fields.name, uri: fields.uri };
const { kind: _kind, ...withoutKind } = fields;
const { owner: _owner, ...withoutOwner } = fields;

type Named = Pick<ThingArgs, "name">;
interface OtherOutput extends GatewayResource {
  readonly name: pulumi.Output<number>;
}

describe("a declaration", () => {
  it("compiles only where it agrees with its arguments and its class", () => {
    const declarations = [
      collection<ThingArgs, Thing>({ ...common, fields }),
      // @ts-expect-error an argument without a field
      collection<ThingArgs, Thing>({ ...common, fields: withoutKind }),
      // @ts-expect-error an output without a field
      collection<ThingArgs, Thing>({ ...common, fields: withoutOwner }),
      // @ts-expect-error optional, though the argument is required
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, name: text() } }),
      // @ts-expect-error required, though the argument is optional
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, kind: oneOf("a", "b").required() } }),
      // @ts-expect-error a word that the argument does not have
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, kind: oneOf("a", "b", "c") } }),
      // @ts-expect-error a word of the argument is left out
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, kind: oneOf("a") } }),
      // @ts-expect-error another kind of value
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, name: flag().required() } }),
      // @ts-expect-error another kind of items
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, policyIds: list(number()) } }),
      // @ts-expect-error another kind of a member
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, box: object({ size: text() }) } }),
      // @ts-expect-error an output that is not called computed
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, uri: text() } }),
      // @ts-expect-error a computed output of another type
      collection<ThingArgs, Thing>({ ...common, fields: { ...fields, owner: text().computed() } }),
      // @ts-expect-error an output of an argument's name has another type
      collection<Named, OtherOutput>({ ...common, fields: narrow }),
      // @ts-expect-error what is unique is not among the arguments
      collection<ThingArgs, Thing>({ ...common, fields, unique: ["owner"] }),
    ];
    expect(declarations).toHaveLength(14);
  });

  it("gives a class whose wrong use does not compile", () => {
    const wrong = [
      // @ts-expect-error an argument that does not exist
      () => new IpPolicy("a", { descriptoin: "" }),
      // @ts-expect-error a word that does not exist
      () => new IpPolicyRule("a", { cidr: "", ipPolicyId: "", action: "alow" }),
      // @ts-expect-error a required argument is missing
      () => new IpPolicyRule("a", { cidr: "", action: "allow" }),
      // @ts-expect-error the resource in the place of its id
      () => new IpPolicyRule("a", { cidr: "", action: "allow", ipPolicyId: new IpPolicy("b") }),
    ];
    expect(wrong).toHaveLength(4);
  });
});
