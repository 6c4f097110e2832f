/** What was at the place of each object before a deployment. */
import { pairedByPlace } from "../../../src/tools/access/served";
import type { InventoryObject } from "../../../src/tools/inventory/inventory";
import { declarationOf } from "../../../src/resources/registry";

const edge = (name: string, provider?: string): InventoryObject => ({
  ...{ urn: `urn:${name}`, declaration: declarationOf("TcpEdge"), name, id: name, args: {} },
  ...(provider !== undefined && { provider }),
  values: { hostports: ["1.tcp.example.com:12345"] },
});

const names = (before: readonly InventoryObject[], after: readonly InventoryObject[]) =>
  pairedByPlace(before, after).map(({ old, next }) => [old?.name, next?.name]);

it("is what its own account had at the address, where another account had something there too", () => {
  expect(names([edge("theirs", "urn:partner"), edge("ours")], [edge("next")])).toEqual([
    ["ours", "next"],
    ["theirs", undefined],
  ]);
});

it("is what another account had at the address, where its own had nothing", () => {
  expect(names([edge("theirs", "urn:partner")], [edge("next")])).toEqual([["theirs", "next"]]);
});

it("is the object itself where it was at the address beside others of its account", () => {
  expect(names([edge("other"), edge("same")], [edge("same"), edge("other")])).toEqual([
    ["same", "same"],
    ["other", "other"],
  ]);
});
