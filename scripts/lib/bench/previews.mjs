// What `pulumi preview --json` prints, made without the engine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.mjs";

const policy = "ipp_0123456789abcdefghijklmnopq";
const tokenOf = (type) => `pulumi-nodejs:dynamic/tunnel-gateway:${type}`;
const urnOf = (type, name) => `urn:pulumi:bench::bench::${tokenOf(type)}::${name}`;

/** The code in the states of version 0.1.0, which is longer than the code since then. */
const state = readFileSync(join(root, "test/fixtures/states/0.1.0/state.json"), "utf8");
const code = JSON.parse(state).deployment.resources.find(({ inputs }) => inputs?.__provider).inputs
  .__provider;

/** A step, whose inputs may refer to the policy. */
function step(type, name, id, before, after = before) {
  const urn = urnOf(type, name);
  const reference = ["ipPolicyId", "ipRestriction"].find((each) => each in after);
  const common = {
    ...{ urn, custom: true, type: tokenOf(type), created: "2030-06-01T12:00:00.123456789Z" },
    parent: "urn:pulumi:bench::bench::pulumi:pulumi:Stack::bench-bench",
    propertyDependencies: reference && { [reference]: [urnOf("IpPolicy", "policy")] },
  };
  const coded = (inputs) => ({
    ...inputs,
    __provider: code.replace(/(?<=\{type: )"\w+"/, JSON.stringify(type)),
  });
  const outputs = {
    ...coded(before),
    __args: Object.keys(before),
    uri: `https://api.example.com/${id}`,
    metadata: null,
  };
  return {
    op: before === after ? "same" : "update",
    urn,
    oldState: { ...common, id, inputs: coded(before), outputs },
    newState: { ...common, id, inputs: coded(after), ...(before === after && { outputs }) },
  };
}

const policyStep = step("IpPolicy", "policy", policy, { description: "bench" });

function ruleStep(i) {
  const rule = (first) => ({
    ...{ ipPolicyId: policy, action: "allow", description: `office range ${i}` },
    cidr: `${first + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`,
  });
  return step("IpPolicyRule", `rule${i}`, `ipr_${String(i).padStart(27, "0")}`, rule(10), rule(20));
}

const textOf = (steps) => JSON.stringify({ steps, changeSummary: {} }, undefined, 4);

/** A policy and rules whose ranges all change. */
export function previewOfRules(count) {
  return textOf([policyStep, ...Array.from({ length: count }, (_, i) => ruleStep(i))]);
}

/** The same of one of many stacks: its objects have other ids, and in every tenth stack a rule gets another range. */
export function previewOfStack(stack, count) {
  const text = previewOfRules(count - 1)
    .replaceAll("urn:pulumi:bench::", `urn:pulumi:prod-${stack}::`)
    .replaceAll(/\b(ipr|ipp)_0/g, `$1_${String(stack).padStart(4, "x")}`);
  return stack % 10 === 0 ? text.replaceAll("20.0.0.0/24", "30.0.0.0/24") : text;
}

/** Ranges that do not touch. */
const range = (i) => `10.${(i >> 7) & 255}.${(i & 127) * 2}.0/${24 + (i >> 15)}`;

/** An edge behind a set of so many ranges, of which every tenth changes. */
export function previewOfAccess(count) {
  const rules = (from) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [range(i + from), "allow"]));
  const set = (from) => ({ ipPolicyId: policy, rules: rules(from) });
  return textOf([
    policyStep,
    step("IpPolicyRuleSet", "office", policy, set(0), set(Math.round(count / 10))),
    step("TcpEdge", "database", "edgtcp_1", { ipRestriction: { ipPolicyIds: [policy] } }),
  ]);
}

/** The log of the edge, in parts. Half of the clients come once. */
export function* accessLog(lines) {
  for (let i = 0; i < lines; i++) {
    const host = i % 2 === 0 ? i * 37 : i % 5000;
    const client = `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
    yield `${client} - - [21/Nov/2026:10:11:12 +0000] "GET /orders/${i} HTTP/1.1" 200 512 "-" "curl/8.5.0"\n`;
  }
}
