/**
 * What the compiler must refuse. `npm run types` checks every line here; each `@ts-expect-error` is an error itself where
 * the compiler accepts what follows.
 */
import type * as pulumi from "@pulumi/pulumi";
import { declarationFor } from "../../../src/schema/declaration";
import { together } from "../../../src/schema/inferred";
import type { ArgsOf, OutputsOf, ReadOf, ValueOf } from "../../../src/schema/inferred";
import { flag, id, list, map, number, object, oneOf, ref, text } from "../../../src/schema/kinds";
import type { Ref } from "../../../src/schema/kinds";
import { resource } from "../../../src/program/resource-class";
import { IpPolicy, IpPolicyRule } from "../../../src";

const box = { size: number(), color: oneOf("red", "blue").required() };
interface BoxArgs extends ArgsOf<typeof box> {}
interface Box extends ValueOf<typeof box> {}

const common = together(
  { name: text().required(), kind: oneOf("a", "b"), policyIds: list(id("ipp_")), sizes: map(number()) },
  { box: object<BoxArgs>(box), open: flag().serverDefault(true) },
);
const fields = together(common, {
  days: number().required().local(),
  scopes: list(text()).alwaysShown(),
  uri: text().computed(),
  owner: ref("owner").maybe(),
  gone: text()
    .computed()
    .noneWhen((value) => value === ""),
});

interface ThingArgs {
  name: pulumi.Input<string>;
  kind?: pulumi.Input<"a" | "b">;
  policyIds?: pulumi.Input<pulumi.Input<string>[]>;
  sizes?: pulumi.Input<Record<string, pulumi.Input<number>>>;
  box?: pulumi.Input<BoxArgs>;
  open?: pulumi.Input<boolean>;
  days: pulumi.Input<number>;
  scopes?: pulumi.Input<pulumi.Input<string>[]>;
}

interface ThingOutputs {
  readonly name: pulumi.Output<string>;
  readonly kind: pulumi.Output<"a" | "b" | undefined>;
  readonly policyIds: pulumi.Output<string[] | undefined>;
  readonly sizes: pulumi.Output<Record<string, number> | undefined>;
  readonly box: pulumi.Output<pulumi.Unwrap<BoxArgs> | undefined>;
  readonly open: pulumi.Output<boolean>;
  readonly scopes: pulumi.Output<string[]>;
  readonly uri: pulumi.Output<string>;
  readonly owner: pulumi.Output<Ref | undefined>;
  readonly gone: pulumi.Output<string | undefined>;
}

/** Whether two types have the same members, each with the same type and both optional and read-only or not. */
type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type Flat<T> = { [K in keyof T]: T[K] };
const holds = <T extends true>(value: T): T => value;

const named = {
  type: "Thing",
  noun: "thing",
  group: { name: "things", title: "Things" },
  path: "/things",
  columns: ["name"],
};

describe("the types of a collection", () => {
  it("are those of its fields", () => {
    const same = [
      holds<Same<ArgsOf<typeof fields>, ThingArgs>>(true),
      holds<Same<OutputsOf<typeof fields>, ThingOutputs>>(true),
      holds<Same<BoxArgs, { size?: pulumi.Input<number>; color: pulumi.Input<"red" | "blue"> }>>(true),
      holds<Same<Box, { size?: number; color: "red" | "blue" }>>(true),
      holds<Same<ReadOf<typeof box>, { size: number | undefined; color: "red" | "blue" }>>(true),
      // @ts-expect-error the comparison tells apart what may be left out
      holds<Same<Box, { size: number | undefined; color: "red" | "blue" }>>(true),
      // @ts-expect-error and what is read only
      holds<Same<Box, { readonly size?: number; color: "red" | "blue" }>>(true),
    ];
    expect(same).toHaveLength(7);
  });

  it("do not compile where a part differs from its fields", () => {
    const declared = { ...named, fields };
    interface Thing {
      id: string;
    }
    const wrong = [
      resource<Thing, ThingArgs, typeof fields>(declared),
      // @ts-expect-error arguments of other fields
      resource<Thing, BoxArgs, typeof fields>(declared),
      // @ts-expect-error the declaration of other fields
      resource<Thing, ThingArgs, typeof fields>({ ...named, fields: common }),
      // @ts-expect-error what is unique is not among the arguments
      declarationFor<typeof fields>({ ...named, fields, unique: ["owner"] }),
      // @ts-expect-error a member whose argument has another type
      object<BoxArgs>({ ...box, size: text() }),
      // @ts-expect-error a member that may be left out, though the argument is required
      object<BoxArgs>({ ...box, color: oneOf("red", "blue") }),
      // @ts-expect-error a member without a field
      object<BoxArgs>({ size: box.size }),
      // @ts-expect-error a default of another type
      flag().serverDefault("on"),
    ];
    expect(wrong).toHaveLength(8);
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
