import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf, kindOf, urnOf } from "./states.mjs";

const policy = "ipp_0123456789abcdefghijklmnopq";
const time = "2030-06-01T12:00:00.123456789Z";
const ruleCode = codeOf("IpPolicyRule");
const frames = ["runtime/gateway-resource.js#63,9", "runtime/resource-class.js#27,13"].map((place) => ({
  sourcePosition: `project:///node_modules/pulumi-tunnel-gateway/dist/${place}`,
}));
const stackTrace = [
  ...frames,
  { sourcePosition: "project:///index.js#8,5" },
  ...Array.from({ length: 7 }, () => ({})),
  ...Array.from({ length: 3 }, () => ({
    sourcePosition: "project:///../node_modules/@pulumi/pulumi/cmd/run/run.ts#541,33",
  })),
];

/**
 * Writes what `pulumi preview --json` prints for rules whose ranges all change. It is as large as the engine's own where a
 * state is still as version 0.1.0 wrote it, with its long provider texts.
 */
export async function writePreview(file, count) {
  await pipeline(Readable.from(parts(count)), createWriteStream(file));
}

/**
 * The same of one of many stacks of the program, with a policy and `count - 1` rules: its objects have other ids, and in every
 * tenth stack a rule gets another range than in the others.
 */
export function previewOfStack(stack, count) {
  const text = [...parts(count - 1)].join("");
  const own = text
    .replaceAll("urn:pulumi:bench::", `urn:pulumi:prod-${stack}::`)
    .replaceAll(/\b(ipr|ipp)_0/g, `$1_${String(stack).padStart(4, "x")}`);
  return stack % 10 === 0 ? own.replaceAll("20.0.0.0/24", "30.0.0.0/24") : own;
}

function* parts(count) {
  yield `{\n    "steps": [\n${indented(policyStep)}`;
  for (let i = 0; i < count; i++) yield `,\n${indented(ruleStep(i))}`;
  yield `\n    ],\n    "duration": 1000000,\n    "changeSummary": ${JSON.stringify({ same: 1, update: count })}\n}\n`;
}

function indented(step) {
  return JSON.stringify(step, undefined, 4).replace(/^/gm, "        ");
}

/** What every state has. */
function state(type, name, dependencies) {
  return {
    urn: urnOf(type, name),
    ...kindOf(type),
    parent: "urn:pulumi:bench::bench::pulumi:pulumi:Stack::bench-bench",
    provider: "urn:pulumi:bench::bench::pulumi:providers:pulumi-nodejs::default::ecc56695-82b2-4de2-9545",
    dependencies,
    propertyDependencies: {
      ...{ __provider: [], action: [], cidr: [], description: [] },
      ipPolicyId: dependencies,
    },
    created: time,
    modified: time,
    sourcePosition: frames[0].sourcePosition,
    stackTrace,
  };
}

const policyInputs = { __provider: codeOf("IpPolicy"), description: "bench" };
const policyState = { ...state("IpPolicy", "policy", []), id: policy, inputs: policyInputs };
const policyOutputs = { ...policyInputs, __args: ["description"], createdAt: time };
const policyStep = {
  op: "same",
  urn: urnOf("IpPolicy", "policy"),
  oldState: { ...policyState, outputs: policyOutputs },
  newState: policyState,
};

function ruleStep(i) {
  const name = `rule${i}`;
  const id = `ipr_${String(i).padStart(27, "0")}`;
  const uri = `https://api.example.com/ip_policy_rules/${id}`;
  const range = (first, size) => `${first + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/${size}`;
  const inputs = (cidr) => ({
    ...{ __provider: ruleCode, action: "allow", cidr, description: `office range ${i}`, ipPolicyId: policy },
  });
  const hidden = { __args: ["cidr", "ipPolicyId", "action", "description"] };
  const ipPolicy = { id: policy, uri: `https://api.example.com/ip_policies/${policy}` };
  const outputs = { ...inputs(range(10, 24)), ...hidden, createdAt: time, ipPolicy, metadata: null, uri };
  const common = state("IpPolicyRule", name, [urnOf("IpPolicy", "policy")]);
  return {
    op: "update",
    urn: urnOf("IpPolicyRule", name),
    provider: common.provider,
    oldState: { ...common, id, inputs: inputs(range(10, 24)), outputs },
    newState: { ...common, inputs: inputs(range(20, 24)) },
    diffReasons: ["cidr"],
    detailedDiff: { cidr: { kind: "update", inputDiff: true } },
  };
}
