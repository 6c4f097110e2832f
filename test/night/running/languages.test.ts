import { EmulatorProcess } from "../../support/emulator-process";
import { Program, type ProgramOptions, type Stack } from "../../support/engine";
import { expectPlaces, resources, stackTrace } from "../../engine/support";

const typed = `
import * as pulumi from "@pulumi/pulumi";
import { ApiKey, ApiKeyArgs, IpPolicy, IpPolicyRule, IpPolicyRuleAction, Provider } from "pulumi-tunnel-gateway";

const office = new IpPolicy("office", { description: "offices" });
const action: IpPolicyRuleAction = IpPolicyRuleAction.Allow;
const rule = new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action });
const args: ApiKeyArgs = { description: pulumi.interpolate\`for \${office.id}\` };
const key = new ApiKey("pipeline", args);
export const ofRule: pulumi.Output<string> = rule.ipPolicy.apply((policy) => policy.id);
export const description: pulumi.Output<string | undefined> = office.description;
export const isPolicy: boolean = IpPolicy.isInstance(office) && !IpPolicy.isInstance(key) && !!Provider;
`;

const plain = `
const office = new IpPolicy("office", { description: "offices" });
const rule = new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: IpPolicyRuleAction.Allow });
const key = new ApiKey("pipeline", { description: pulumi.interpolate\`for \${office.id}\` });
`;

const names = "ApiKey, IpPolicy, IpPolicyRule, IpPolicyRuleAction, Provider";
const languages: Record<string, ProgramOptions> = {
  "TypeScript with the compiler that Pulumi brings (3.8.3)": {
    kind: "ts",
    files: typed,
    without: ["typescript"],
  },
  "TypeScript with the program's own compiler": { kind: "ts", files: typed },
  "plain CommonJS": {
    kind: "cjs",
    files: `
      const pulumi = require("@pulumi/pulumi");
      const { ${names} } = require("pulumi-tunnel-gateway");
      ${plain}
      exports.ofRule = rule.ipPolicy.id;
      exports.description = office.description;
      exports.isPolicy = IpPolicy.isInstance(office) && !IpPolicy.isInstance(key) && !!Provider;
    `,
  },
  "plain ECMAScript modules": {
    kind: "esm",
    files: `
      import * as pulumi from "@pulumi/pulumi";
      import { ${names} } from "pulumi-tunnel-gateway";
      ${plain}
      export const ofRule = rule.ipPolicy.id;
      export const description = office.description;
      export const isPolicy = IpPolicy.isInstance(office) && !IpPolicy.isInstance(key) && !!Provider;
    `,
  },
};

describe("a program", () => {
  const shims = new Map<string, Record<string, unknown>>();
  const emulator = EmulatorProcess.forTests();
  let stack: Stack;

  beforeEach(() => emulator.reset());

  it.each(Object.entries(languages))(
    "in %s is deployed from the packed package",
    async (language, options) => {
      stack = await new Program(options).stack({ env: emulator.env });
      const { output } = await stack.up();
      expect(output).toContain('description: "offices"');
      expect(output).toContain("isPolicy   : true");
      const made = resources(stack);
      expect(output).toContain(`ofRule     : "${made.office!.id}"`);
      expect(Object.keys(made).sort()).toEqual(["lan", "office", "pipeline"]);
      // The SDK does not recognize the frame of a statement outside of all functions of an ECMAScript module.
      if (options.kind !== "esm") expectPlaces(stack);
      shims.set(
        language,
        Object.fromEntries(Object.entries(made).map(([name, { inputs }]) => [name, inputs!.__provider])),
      );
    },
  );

  it("stores the same short provider text for each resource, wherever and however it was written", () => {
    expect(shims.size).toBe(Object.keys(languages).length);
    const [first, ...others] = [...shims.values()];
    for (const other of others) expect(other).toEqual(first);
    for (const text of Object.values(first!)) {
      expect(Buffer.byteLength(text as string)).toBeLessThanOrEqual(300);
      expect(text).not.toContain(stack.program.dir);
    }
  });

  it("does not compile with an argument of a wrong type, whichever compiler it has", async () => {
    const files = `
      import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";
      new IpPolicy("office", { descriptoin: "offices" });
      new IpPolicyRule("lan", { ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "alow" });
    `;
    const { output } = await (
      await new Program({ kind: "ts", files, without: ["typescript"] }).stack({ env: emulator.env })
    ).preview({ exitCode: 1 });
    expect(output).toMatch(/descriptoin/);
    expect(output).toMatch(/"alow"/);
    expect(await emulator.requestLines()).toEqual([]);
    expect(output).not.toMatch(stackTrace);
  });
});
