/** The programs, plain CommonJS so that no compiler is measured: `revised` rules have another description. */
const rules = (count, revised, make) => `
  for (let i = 0; i < ${count}; i++) {
    const cidr = (10 + (i >> 16)) + "." + ((i >> 8) & 255) + "." + (i & 255) + ".0/24";
    const description = (i < ${revised} ? "revised range " : "office range ") + i;
    ${make}
  }
`;

export const emptyProgram = () => `require("@pulumi/pulumi");`;

/** A policy and its rules, by the door of the package's entry: "" or "/native". */
export function rulesProgram(count, revised = 0, door = "") {
  return `
    const { IpPolicy, IpPolicyRule } = require("pulumi-tunnel-gateway${door}");
    const policy = new IpPolicy("policy", { description: "bench" });
    ${rules(count, revised, `new IpPolicyRule("rule" + i, { ipPolicyId: policy.id, cidr, action: "allow", description });`)}
  `;
}

/** A policy and its rules as one set; revised rules have a description. */
export function setProgram(count, revised = 0, door = "") {
  return `
    const { IpPolicy, IpPolicyRuleSet } = require("pulumi-tunnel-gateway${door}");
    const policy = new IpPolicy("policy", { description: "bench" });
    const rules = {};
    ${rules(count, revised, `rules[cidr] = i < ${revised} ? { action: "allow", description } : "allow";`)}
    new IpPolicyRuleSet("rules", { ipPolicyId: policy.id, rules });
  `;
}

/** As many resources as rulesProgram has, with properties of the same sizes, of a dynamic provider that does nothing. */
export function doNothingProgram(count, revised = 0) {
  return `
    const pulumi = require("@pulumi/pulumi");
    const provider = {
      create(inputs) {
        const uri = "http://127.0.0.1:12345/ip_policy_rules/";
        const id = "ipr_" + (Math.random().toFixed(14) + Math.random().toFixed(15)).replace(/0[.]/g, "").slice(0, 27);
        const ipPolicy = { id: inputs.ipPolicyId ?? null, uri: uri + id };
        const hidden = { __args: Object.keys(inputs) };
        const outs = { ...inputs, uri: uri + id, createdAt: "2030-06-01T12:00:00Z", metadata: null, ipPolicy, ...hidden };
        return Promise.resolve({ id, outs });
      },
      update(id, olds, news) {
        return Promise.resolve({ outs: { ...olds, ...news } });
      },
    };
    class Nothing extends pulumi.dynamic.Resource {
      constructor(name, args) {
        const seeds = { createdAt: undefined, uri: undefined, metadata: undefined, ipPolicy: undefined };
        super(provider, name, { ...seeds, ...args }, {}, "bench", "Nothing");
      }
    }
    const policy = new Nothing("policy", { description: "bench" });
    ${rules(count, revised, `new Nothing("rule" + i, { ipPolicyId: policy.id, cidr, action: "allow", description });`)}
  `;
}
