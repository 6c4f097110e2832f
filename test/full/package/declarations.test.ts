import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
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
  { compiler: "4.9", module: "node16", moduleResolution: "node16", type: "commonjs" },
  { compiler: "4.9", module: "node16", moduleResolution: "node16", type: "module" },
  { compiler: "5.4", module: "esnext", moduleResolution: "bundler", type: "module" },
  { compiler: "6", module: "commonjs", moduleResolution: "node10", type: "commonjs" },
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

/** Each line is wrong in its own way, with the message that it must have, in one line. */
const wrongs: [string, RegExp][] = [
  [
    'new gateway.IpPolicy("office", { descriptoin: "offices" });',
    /'descriptoin' does not exist in type 'IpPolicyArgs'/,
  ],
  [
    'new gateway.IpPolicyRule("lan", { ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "alow" });',
    /"alow".* property 'action' .* on type 'IpPolicyRuleArgs'/,
  ],
  [
    'new gateway.IpPolicyRule("lan", { cidr: "203.0.113.0/24", action: "allow" });',
    /'ipPolicyId' is missing in type '{ cidr: .* required in type 'IpPolicyRuleArgs'/,
  ],
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
      expect(found.declarations).toBe(5); // all entries but that of the native provider
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

/** In a program: whether two types are equal. Each named type stands for itself, so members are compared by their values. */
const equality = `
type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Known<A> = { [K in keyof A]: unknown extends A[K] ? 0 : 1 };
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Same<A, B> = Both<A, B> & Identical<Known<A>, Known<B>>;
type Public<C> = Pick<C, keyof C>;
type Made<C extends new (...args: any) => unknown> = ConstructorParameters<C>;
`;

describe("the declarations", () => {
  const inferred = newFolder("inferred");
  let entry: Exported[];

  beforeAll(async () => {
    // The stage `types` checks the sources.
    const args = ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck", "--outDir", inferred];
    await succeed(join(root, "node_modules/.bin/tsc"), args, { cwd: root });
    symlinkSync(join(engineSetup().template, "node_modules"), join(inferred, "node_modules"));
    entry = exportedBy(join(inferred, "index.d.ts"));
  });

  it("export the names that the sources export, and the interfaces of what functions return", () => {
    const file = join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/dist/index.d.ts");
    const names = exportedBy(file).map(({ name }) => name);
    const isNew = (name: string) => !entry.some((each) => each.name === name);
    expect(names.filter((name) => !isNew(name)).sort()).toEqual(entry.map(({ name }) => name).sort());
    expect(names.filter(isNew).length).toBeGreaterThan(20);
    expect(names.filter(isNew).filter((name) => !name.endsWith("Result"))).toEqual([]);
    expect(readFileSync(file, "utf8")).not.toMatch(/\bany\b(?=[\])>;,]| \|)/);
  });

  it.each([setups[0]!, setups.at(-1)!])(
    "are equal to the inferred types with TypeScript $compiler",
    async (setup) => {
      const lines = entry.flatMap(linesAbout);
      const imports = ["./inferred/index", "pulumi-tunnel-gateway"].map(
        (from, at) => `import * as ${at === 0 ? "inferred" : "flat"} from "${from}";`,
      );
      const { errors } = await compile(
        setup,
        { "equal.ts": [...imports, equality, ...lines].join("\n") },
        { inferred },
      );
      const first = imports.length + equality.split("\n").length + 1;
      const wrongLine = (error: string) => lines[Number(/\((\d+)\)/.exec(error)![1]) - first] ?? error;
      expect(errors.map(wrongLine)).toEqual([]);
      expect(lines.length).toBeGreaterThan(250);
    },
  );
});

interface Exported {
  name: string;
  isClass: boolean;
  isValue: boolean;
  isType: boolean;
  /** How many types it takes. */
  parameters: number;
}

function exportedBy(file: string): Exported[] {
  const program = ts.createProgram([file], { module: ts.ModuleKind.Node16, types: [] });
  const checker = program.getTypeChecker();
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
    .map((each) => {
      const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
      const nodes = symbol.declarations as { typeParameters?: unknown[] }[];
      return {
        name: each.name,
        isClass: (symbol.flags & ts.SymbolFlags.Class) !== 0,
        isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
        isType: (symbol.flags & ts.SymbolFlags.Type) !== 0,
        parameters: Math.max(...nodes.map(({ typeParameters = [] }) => typeParameters.length)),
      };
    });
}

/** One constant for each thing that must be equal. */
function linesAbout({ name, isClass, isValue, isType, parameters }: Exported): string[] {
  const both = (textOf: (from: string) => string) => ["flat", "inferred"].map(textOf);
  const pairs = [
    ...(isType ? [both((from) => `${from}.${name}${parameters > 0 ? `<${from}.IpPolicy>` : ""}`)] : []),
    ...(isClass ? ["Public", "Made"].map((part) => both((from) => `${part}<typeof ${from}.${name}>`)) : []),
    ...(isValue && !isClass ? [both((from) => `typeof ${from}.${name}`)] : []),
  ];
  return pairs.map(([a, b], at) => `export const ${name}${at}: Same<${a}, ${b}> = true;`);
}

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
  folders: Record<string, string> = {},
): Promise<Found> {
  const folder = newFolder("compiled");
  const linked = { ...folders, node_modules: join(engineSetup().template, "node_modules") };
  for (const [name, target] of Object.entries(linked)) symlinkSync(target, join(folder, name));
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
