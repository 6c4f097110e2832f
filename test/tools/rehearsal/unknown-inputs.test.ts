/** Which unknown ids of a plan are filled: only those of which it is certain what they are. */
import { declarationOf } from "../../../src/resources/registry";
import { unknown } from "../../../src/schema/unknown";
import { filledInputs } from "../../../src/tools/rehearsal/unknown-inputs";

type Inputs = Record<string, unknown>;

const made = new Map(
  ["IpPolicy ipp_1", "IpPolicyRuleSet ipp_1", "IpPolicy ipp_2", "TunnelGroupBackend bkdtg_1"]
    .concat("TunnelGroupBackend bkdtg_2")
    .map((each) => {
      const [type = "", id = ""] = each.split(" ");
      return [each, { declaration: declarationOf(type), id }];
    }),
);
const both = ["IpPolicy ipp_1", "IpPolicy ipp_2"];
const backends = ["TunnelGroupBackend bkdtg_1", "TunnelGroupBackend bkdtg_2"];
const guard = (...ipPolicyIds: string[]): Inputs => ({ ipRestriction: { ipPolicyIds } });
const open = { ipRestriction: { enabled: unknown, ipPolicyIds: [unknown] } };

it.each<[string, string, Inputs, string[], Inputs]>([
  [
    "an id of the one source",
    "IpPolicyRule",
    { ipPolicyId: unknown },
    both.slice(1),
    { ipPolicyId: "ipp_2" },
  ],
  [
    "an id of the one source of the right kind",
    ...["IpPolicyRule", { ipPolicyId: unknown }, [...backends, ...both.slice(0, 1)], { ipPolicyId: "ipp_1" }],
  ],
  [
    "an id of two sources that are one object",
    ...["IpPolicyRule", { ipPolicyId: unknown }, ["IpPolicyRuleSet ipp_1", ...both.slice(0, 1)]],
    { ipPolicyId: "ipp_1" },
  ],
  ["no id of two sources", "IpPolicyRule", { ipPolicyId: unknown }, both, { ipPolicyId: unknown }],
  [
    "no id of a source that is not made",
    "IpPolicyRule",
    { ipPolicyId: unknown },
    ["other"],
    { ipPolicyId: unknown },
  ],
  ["all ids of a set", "TcpEdge", guard(unknown, unknown), both, guard("ipp_1", "ipp_2")],
  [
    "the id of a set that it does not hold yet",
    "TcpEdge",
    guard("ipp_1", unknown),
    both,
    guard("ipp_1", "ipp_2"),
  ],
  [
    "no id of a set that has more than its sources",
    "TcpEdge",
    guard(unknown, unknown),
    both.slice(1),
    guard(unknown, unknown),
  ],
  ["no id beside a value that one of two sources may be for", "TcpEdge", open, both, open],
  [
    "the one open id of a list whose order counts",
    "FailoverBackend",
    { backends: ["bkdtg_1", unknown] },
    backends,
    { backends: ["bkdtg_1", "bkdtg_2"] },
  ],
  [
    "no two ids of a list whose order counts",
    "FailoverBackend",
    { backends: [unknown, unknown] },
    backends,
    { backends: [unknown, unknown] },
  ],
  [
    "no list that is unknown as a whole",
    "FailoverBackend",
    { backends: unknown },
    backends.slice(1),
    { backends: unknown },
  ],
] as [string, string, Inputs, string[], Inputs][])("fills %s", (_, type, inputs, sources, expected) => {
  const propertyDependencies = Object.fromEntries(Object.keys(inputs).map((name) => [name, sources]));
  expect(filledInputs(declarationOf(type), { inputs, propertyDependencies }, made)).toEqual(expected);
});
