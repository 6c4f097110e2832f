/** What a table shows of an object beside its id. */
import { declarationOf } from "../../../src/resources/registry";
import { objectLabel } from "../../../src/tools/inventory/label";

it.each<[string, string, Record<string, unknown>, string | undefined]>([
  ["nothing where it has none", "IpPolicy", { description: "", metadata: "m" }, undefined],
  ["its description alone", "IpPolicy", { description: "office" }, "office"],
  ["its name alone", "BotUser", { name: "ci" }, "ci"],
  [
    "its range beside its description",
    "IpPolicyRule",
    { description: "lan", cidr: "10.0.0.0/8", action: "deny" },
    "lan, 10.0.0.0/8 deny",
  ],
  ["all its addresses", "TcpEdge", { hostports: ["a:1", "b:2"] }, "a:1 b:2"],
  ["its labels in their order", "TunnelGroupBackend", { labels: { b: "2", a: "1" } }, "a=1 b=2"],
  ["the alternative that is set", "EventDestination", { target: { monitoring: {} } }, "monitoring"],
  [
    "its address before its edge",
    "CloudEndpoint",
    { url: "https://a.example.com", edgeId: "edgtcp_1" },
    "https://a.example.com",
  ],
])("is %s", (_, type, outputs, expected) => {
  expect(
    objectLabel({ declaration: declarationOf(type), id: "x_1", name: "x", args: {}, values: outputs }),
  ).toBe(expected);
});
