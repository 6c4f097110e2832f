import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineSetup } from "../../support/engine-setup";
import { newFolder, root, succeed, tools } from "./support";

interface Setup {
  /** Pulumi's own compiler, later ones, and 6: the repository's own, the newest that Pulumi accepts. */
  compiler: "3.8" | "4.9" | "5.4" | "6";
  module: string;
  moduleResolution: string;
  /** What the program's own package.json says. */
  type: "commonjs" | "module";
}

const setups: Setup[] = [
  { compiler: "3.8", module: "commonjs", moduleResolution: "node", type: "commonjs" },
  { compiler: "4.9", module: "commonjs", moduleResolution: "node", type: "commonjs" },
  { compiler: "4.9", module: "node16", moduleResolution: "node16", type: "commonjs" },
  { compiler: "4.9", module: "node16", moduleResolution: "node16", type: "module" },
  { compiler: "5.4", module: "nodenext", moduleResolution: "nodenext", type: "module" },
  { compiler: "5.4", module: "esnext", moduleResolution: "bundler", type: "module" },
  { compiler: "6", module: "commonjs", moduleResolution: "node10", type: "commonjs" },
  { compiler: "6", module: "node16", moduleResolution: "node16", type: "commonjs" },
  { compiler: "6", module: "nodenext", moduleResolution: "nodenext", type: "module" },
  { compiler: "6", module: "preserve", moduleResolution: "bundler", type: "commonjs" },
];

const right = `
import * as pulumi from "@pulumi/pulumi";
import {
  ApiError, ApiKey, ApiKeyArgs, CloudEndpoint, EventDestination, IpAccessList, IpPolicy, IpPolicyRule,
  IpPolicyRuleAction, KubernetesOperator, Provider, Ref, Settings, SshUserCertificate, TcpEdge, WeightedBackend,
  getIpPolicy, getIpPolicyOutput, listIpPolicyRules, updateTunnelSessions,
} from "pulumi-tunnel-gateway";
import { Emulator, startEmulator } from "pulumi-tunnel-gateway/emulator";
import { ResourcePolicy, StackPolicy, policies, policiesWith } from "pulumi-tunnel-gateway/policy";
import { hooksOf } from "pulumi-tunnel-gateway/provider";
import { GatewayMocks, mocks } from "pulumi-tunnel-gateway/testing";

const provider = new Provider("partner", { apiKey: pulumi.secret("x"), baseUrl: "https://api.example.com" });
const office = new IpPolicy("office", { description: "offices" }, { provider });
const action: IpPolicyRuleAction = IpPolicyRuleAction.Deny;
const rule = new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action });
const args: ApiKeyArgs = { description: pulumi.interpolate\`for \${office.id}\` };
export const token: pulumi.Output<string> = new ApiKey("key", args).token;
export const asKey = new Provider("key", { apiKey: token, baseUrl: "https://api.example.com" });
export const policy: pulumi.Output<Ref> = rule.ipPolicy;
export const description: pulumi.Output<string | undefined> = office.description;
export const classes = [CloudEndpoint, EventDestination, KubernetesOperator, SshUserCertificate, TcpEdge];
export const weighted = new WeightedBackend("weighted", { backends: { bkd_1: 5 } });
export const list = new IpAccessList("list", { allow: ["203.0.113.0/24"] });

const settings: Partial<Settings> = { apiKey: "x", baseUrl: "https://api.example.com" };
export async function read(): Promise<string[]> {
  const one: string | undefined = (await getIpPolicy({ description: "office" }, { settings })).description;
  const ranges: string[] = [];
  for await (const each of listIpPolicyRules({ filter: ({ action }) => action === "allow" })) ranges.push(each.cidr);
  return [one || "", ...ranges];
}
export const later: pulumi.Output<string> = getIpPolicyOutput(office.id).id;
export const command: typeof updateTunnelSessions = updateTunnelSessions;
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const emulator: Promise<Emulator> = startEmulator({ port: 0 });
export const pack: (ResourcePolicy | StackPolicy)[] = [...policies, ...policiesWith("advisory")];
export const hooks: typeof hooksOf = hooksOf;
const gateway: GatewayMocks = mocks({ outputs: ({ name }) => ({ description: name }) });
export const ranges: string[] = gateway.of(IpPolicyRule).map(({ inputs }) => inputs.cidr);
`;

/** Each line is wrong in its own way, with the message that it must have. */
const wrongs: [string, RegExp][] = [
  ['new gateway.IpPolicy("office", { descriptoin: "offices" });', /descriptoin/],
  [
    'new gateway.IpPolicyRule("lan", { ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "alow" });',
    /"alow"/,
  ],
  ['new gateway.IpPolicyRule("lan", { cidr: "203.0.113.0/24", action: "allow" });', /ipPolicyId/],
  [
    'gateway.getIpPolicy("ipp_1").then(({ id }) => { const n: number = id; return n; });',
    /'string'.*'number'/,
  ],
  ['void new gateway.IpPolicy("office").token;', /token/],
  ["void startEmulator({ prot: 1 });", /prot/],
  ['policiesWith("mandatry");', /"mandatry"/],
  ["void mocks().of(gateway.IpPolicyRule)[0]!.inputs.cdir;", /cdir/],
];
const wrong = [
  'import * as gateway from "pulumi-tunnel-gateway";',
  'import { startEmulator } from "pulumi-tunnel-gateway/emulator";',
  'import { policiesWith } from "pulumi-tunnel-gateway/policy";',
  'import { mocks } from "pulumi-tunnel-gateway/testing";',
  ...wrongs.map(([line]) => line),
];
const firstWrongLine = wrong.length - wrongs.length + 1;

/** With a comment before each name that an editor is asked about, and what it shows. */
const hovered = `
import { IpPolicyRule, KubernetesOperator, getIpPolicyRule } from "pulumi-tunnel-gateway";
const lan = new IpPolicyRule("lan", { ipPolicyId: "ipp_1", /*?*/cidr: "203.0.113.0/24", action: "allow", /*?*/description: "" });
export const ranges = [lan./*?*/cidr, lan./*?*/description];
const operator = new KubernetesOperator("operator", { deployment: { /*?*/namespace: "tunnels" } });
export const namespace = operator.deployment.apply((deployment) => deployment && deployment./*?*/namespace);
export const read = getIpPolicyRule("ipr_1").then((rule) => rule./*?*/ipPolicy);
`;
const shown = [
  /cidr: Input<string>: An IPv4 or IPv6 address/,
  /description\?: .*string.*: What the object is for\. At most 255 bytes\./s,
  /cidr: Output<string>: An IPv4 or IPv6 address/,
  /description: Output<string \| undefined>: What the object is for/,
  /namespace\?: .*string.*: The namespace of the deployment\. Changing it replaces/s,
  /namespace\?: string \| undefined: The namespace of the deployment/,
  /ipPolicy: Ref: The policy that the rule belongs to/,
];

describe.each(setups)(
  "TypeScript $compiler with module $module, moduleResolution $moduleResolution in a package of type $type",
  (setup) => {
    let found: Found;
    const inFile = (name: string) => found.errors.filter((error) => error.startsWith(name));

    beforeAll(async () => {
      found = await compile(setup, {
        "right.ts": right,
        "wrong.ts": wrong.join("\n"),
        "hovered.ts": hovered,
      });
    });

    it("compiles a strict program of all entries, and reads every declaration that these name", () => {
      expect(found.version.startsWith(setup.compiler)).toBe(true);
      expect(found.declarations).toBeGreaterThan(50);
      // zod, hono and undici are written for newer compilers than 3.8
      expect(found.imported).toEqual(["@pulumi/pulumi"]);
      expect(found.errors.filter((error) => !error.startsWith("wrong.ts"))).toEqual([]);
    });

    it("shows in an editor the type and the text of a field at its argument, its output and in what is read", () => {
      expect(found.shown).toEqual(shown.map((text) => expect.stringMatching(text) as unknown));
    });

    it("finds what is wrong in a program", () => {
      const messages = wrongs.map((_, at) => inFile(`wrong.ts(${firstWrongLine + at})`).join("\n"));
      expect(messages).toEqual(wrongs.map(([, message]) => expect.stringMatching(message) as unknown));
      expect(inFile("wrong.ts")).toHaveLength(wrongs.length);
    });
  },
);

/** What diagnose.cjs prints. */
interface Found {
  version: string;
  /** How many declarations of the package were read. */
  declarations: number;
  /** The packages that they import. */
  imported: string[];
  /** Each begins with the file and the line. */
  errors: string[];
  /** What an editor shows at each comment "?". */
  shown: string[];
}

/** What the compiler finds wrong in a program's files and in the package. */
async function compile(
  { compiler, module, moduleResolution, type }: Setup,
  files: Record<string, string>,
): Promise<Found> {
  const folder = newFolder("compiled");
  symlinkSync(join(engineSetup().template, "node_modules"), join(folder, "node_modules"));
  const compilerOptions = {
    target: "es2018",
    lib: ["es2018"],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    module,
    moduleResolution,
    preserveSymlinks: true,
    ...(compiler === "6" ? { types: ["node"], ignoreDeprecations: "6.0" } : {}),
  };
  const config = { compilerOptions, files: Object.keys(files) };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "compiled", type }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const modules =
    compiler === "6" ? join(root, "node_modules/typescript") : join(tools, `typescript-${compiler}`);
  const args = [join(__dirname, "diagnose.cjs"), modules, join(folder, "tsconfig.json")];
  return JSON.parse(await succeed(process.execPath, args, { cwd: folder })) as Found;
}
