/** Principals, credentials and IP policies. */
import { drop, record, remove, replace, swap, update } from "../subject";
import type { Subject } from "../subject";
import { sealingKey, sshKey } from "../values";
import { described, driftedTexts, texts } from "./texts";

export const principals: Subject[] = [
  {
    name: "key",
    type: "ApiKey",
    args: { ...texts, ownerId: "usr_ada" },
    changes: [
      ...described,
      replace({ ownerId: "usr_bob" }),
      drop("ownerId"),
      replace({ sealTo: sealingKey() }),
      replace({ sealTo: sealingKey() }),
      drop("sealTo"),
    ],
    drift: driftedTexts,
    exchanged: { ...texts, owner_id: "usr_bob" },
  },
  {
    name: "bot",
    type: "BotUser",
    args: { name: "first", active: true },
    changes: [
      update("name", "another"),
      update("active", false),
      // The service keeps it: removing false does not activate the bot user.
      record("active"),
      record("active", false),
      update("active", true),
      update("active", false),
    ],
    drift: { name: "by hand", active: false },
  },
  {
    name: "credential",
    type: "SshCredential",
    args: { ...texts, publicKey: sshKey("one"), acl: ["bind:one.example.com"], ownerId: "usr_ada" },
    changes: [
      ...described,
      update("acl", ["bind:*.example.com", "bind:team=web"]),
      remove("acl", { acl: ["*"] }),
      replace({ publicKey: sshKey("two") }),
      // The key stays, and it may stand only once.
      swap({ ownerId: "usr_bob" }),
      swap({ ownerId: undefined }),
    ],
    drift: { ...driftedTexts, acl: [] },
    exchanged: { ...texts, public_key: sshKey("other"), acl: ["bind:one.example.com"], owner_id: "usr_bob" },
  },
];

export const policies: Subject[] = [
  { name: "policy", type: "IpPolicy", args: texts, changes: described, drift: driftedTexts },
  {
    name: "rule",
    type: "IpPolicyRule",
    args: { ...texts, cidr: "10.0.0.0/8", ipPolicyId: "@policy", action: "allow" },
    changes: [
      ...described,
      update("cidr", "2001:db8::/32"),
      // A range may stand once in a policy, whatever becomes of it.
      swap({ action: "deny" }),
      replace({ ipPolicyId: "ipp_one" }),
      replace({ cidr: "10.0.0.0/16", action: "allow" }),
      update("cidr", "0.0.0.0/0"),
    ],
    drift: { ...driftedTexts, cidr: "11.0.0.0/8" },
    exchanged: { ...texts, cidr: "10.0.0.0/8", ip_policy_id: "ipp_two", action: "deny" },
  },
];
