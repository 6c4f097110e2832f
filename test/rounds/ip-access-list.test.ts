/** What changes of an IpAccessList lead to; test/full/engine/rules-before-edges.test.ts takes two through the engine. */
import { IpAccessList, type IpAccessListArgs } from "../../src";
import { InProcessStack } from "../support/in-process/stack";
import { emulatorForTests } from "../support/emulators";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

const list = (args: IpAccessListArgs) => () => new IpAccessList("list", args);
const first: IpAccessListArgs = {
  description: "office",
  allow: ["10.0.0.0/8", { cidr: "2001:db8::/32", description: "Berlin" }],
  deny: ["192.0.2.0/24"],
};

function writes(): string[] {
  const sent = emulator.requests.filter(({ method }) => method !== "GET");
  return sent.map(({ method, path }) => `${method} /${path.split("/")[1]}`);
}

it("changes nothing for another order and another spelling", async () => {
  await stack.up(list(first));
  const same: IpAccessListArgs = {
    description: "office",
    deny: [{ cidr: "192.0.2.0/24" }],
    allow: [{ cidr: "2001:0DB8:0:0::/32", description: "Berlin" }, "10.0.0.0/8"],
  };
  expect((await stack.preview(list(same))).changes).toEqual([]);
});

it("changes one rule where a range flips, the old one deleted first", async () => {
  await stack.up(list(first));
  const flipped = list({
    description: "office",
    allow: ["10.0.0.0/8"],
    deny: ["192.0.2.0/24", { cidr: "2001:db8::/32", description: "Berlin" }],
  });
  const { changes } = await stack.preview(flipped);
  expect(changes.map(({ op, name }) => `${op} ${name}`)).toEqual(["update list"]);
  emulator.clearRequests();
  await stack.up(flipped);
  expect(writes()).toEqual(["DELETE /ip_policy_rules", "POST /ip_policy_rules"]);
});

it("changes one rule where a description changes, adds one and takes one away", async () => {
  await stack.up(list(first));
  emulator.clearRequests();
  await stack.up(
    list({
      description: "office",
      allow: ["10.0.0.0/8", { cidr: "2001:db8::/32", description: "Hamburg" }, "198.51.100.0/24"],
    }),
  );
  expect(writes().sort()).toEqual([
    "DELETE /ip_policy_rules",
    "PATCH /ip_policy_rules",
    "POST /ip_policy_rules",
  ]);
});

it("previews a policy and one set for 1,000 ranges without a request", async () => {
  const allow = [...Array(1000).keys()].map((i) => `10.${i >> 8}.${i & 255}.0/24`);
  const { changes } = await stack.preview(list({ allow }));
  expect(changes.filter(({ op }) => op === "create")).toHaveLength(2);
  expect(emulator.requests).toEqual([]);
});
