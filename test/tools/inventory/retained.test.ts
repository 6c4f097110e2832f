/** What a deployment drops from the stack and leaves in the account. */
import { readPreview } from "../../support/recorded";
import { urnOf } from "../review/support";

type State = Record<string, unknown>;

const policy = { retainOnDelete: true };
const inPolicy = { inputs: { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" } };
const withPolicy = { ...inPolicy, deletedWith: urnOf("IpPolicy", "one") };
const deletedWithApp = { ...inPolicy, deletedWith: urnOf("TunnelGroupBackend", "app") };
const key = { inputs: { ownerId: "bot_1" }, deletedWith: urnOf("BotUser", "bot") };

it.each<[string, [string, string, string, State][], string[]]>([
  [
    "what is to be retained and is deleted",
    [["delete", "IpPolicy one", "ipp_1", policy]],
    ["one by retainOnDelete"],
  ],
  [
    "what is to be retained and is replaced",
    [["replace", "IpPolicy one", "ipp_1", policy]],
    ["one by retainOnDelete"],
  ],
  [
    "what is to be retained, is replaced and has another name, and what is deleted with it",
    [
      ["replace", "IpPolicy one", "ipp_1", { ...policy, urn: urnOf("IpPolicy", "was") }],
      ["delete", "IpPolicyRule rule", "ipr_1", { ...inPolicy, deletedWith: urnOf("IpPolicy", "was") }],
    ],
    ["one by retainOnDelete", "rule by deletedWith"],
  ],
  [
    "no part of what is replaced and has another name",
    [
      ["replace", "IpPolicy one", "ipp_1", { urn: urnOf("IpPolicy", "was") }],
      ["delete", "IpPolicyRule rule", "ipr_1", { ...inPolicy, deletedWith: urnOf("IpPolicy", "was") }],
    ],
    [],
  ],
  [
    "nothing that is deleted with what is deleted before its replacement is created",
    [
      ["replace", "TunnelGroupBackend app", "bkdtg_1", { pendingReplacement: true }],
      ["delete", "IpPolicyRule rule", "ipr_1", deletedWithApp],
    ],
    [],
  ],
  [
    "nothing that is itself deleted before its replacement is created",
    [
      ["delete", "TunnelGroupBackend app", "bkdtg_1", {}],
      ["replace", "IpPolicyRule rule", "ipr_1", { ...deletedWithApp, pendingReplacement: true }],
    ],
    [],
  ],
  [
    "what is deleted with what is replaced and deleted last",
    [
      ["replace", "TunnelGroupBackend app", "bkdtg_1", {}],
      ["delete", "IpPolicyRule rule", "ipr_1", deletedWithApp],
    ],
    ["rule by deletedWith"],
  ],
  [
    "nothing that stays",
    [
      ["same", "IpPolicy one", "ipp_1", policy],
      ["delete", "IpPolicyRule rule", "ipr_1", withPolicy],
    ],
    [],
  ],
  [
    "no part of what is deleted",
    [
      ["delete", "IpPolicy one", "ipp_1", {}],
      ["delete", "IpPolicyRule rule", "ipr_1", withPolicy],
    ],
    [],
  ],
  [
    "a part of what is retained",
    [
      ["delete", "IpPolicy one", "ipp_1", policy],
      ["delete", "IpPolicyRule rule", "ipr_1", withPolicy],
    ],
    ["one by retainOnDelete", "rule by deletedWith"],
  ],
  ...["discard", "remove-pending-replace"].map(
    (op): [string, [string, string, string, State][], string[]] => [
      `what is deleted with what the engine only drops, also a part of that: ${op}`,
      [
        [op, "IpPolicy one", "ipp_1", { external: true }],
        ["delete", "IpPolicyRule rule", "ipr_1", withPolicy],
      ],
      ["rule by deletedWith"],
    ],
  ),
  [
    "a part of something else than what it is deleted with",
    [
      ["delete", "IpPolicy one", "ipp_other", {}],
      ["delete", "IpPolicyRule rule", "ipr_1", withPolicy],
    ],
    ["rule by deletedWith"],
  ],
  [
    "what refers to what it is deleted with and is no part of it",
    [
      ["delete", "BotUser bot", "bot_1", {}],
      ["delete", "ApiKey key", "ak_1", key],
    ],
    ["key by deletedWith"],
  ],
])("is %s", (_, resources, expected) => {
  const steps = resources.map(([op, resource, id, more]) => {
    const [type = "", name = ""] = resource.split(" ");
    const state = { id, outputs: more.inputs, ...more };
    return {
      op,
      urn: urnOf(type, name),
      oldState: state,
      newState: op === "same" || op === "replace" ? state : undefined,
    };
  });
  const { retained } = readPreview(JSON.stringify({ steps }));
  expect(retained.map(({ old, by }) => `${old.name} by ${by}`)).toEqual(expected);
});
