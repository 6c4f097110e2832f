/** Wrong usage: every refusal of the command line, which comes before any other work. */
import { chmodSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../src/tools/cli/command";
import { approvalsText } from "../../../src/tools/approval/approval";
import type { Approval } from "../../../src/tools/approval/approval";
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { filesIn, temporaryFolder } from "../../support/folders";

/** The places in the sources that have refused something. */
const places = new Set<string>();
class RecordedError extends Error {
  constructor(message?: string) {
    super(message);
    const [first, caller] = [...this.stack!.matchAll(/\/src\/tools\/cli\/(\S+:\d+):/g)].map(([, at]) => at!);
    places.add(first!);
    if (first!.startsWith("command.ts")) places.add(caller!);
  }
}
// Whoever makes one, also a helper beside the class.
Object.setPrototypeOf(UsageError, RecordedError);

jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: () => Promise.reject(new Error("Pulumi was started")),
}));

/** The files that rows name, in a folder inside a project, which is the current folder. */
const folder = temporaryFolder("usage");
const before = process.cwd();
beforeAll(() => {
  filesIn(folder)("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  mkdirSync(join(folder, "inside"));
  process.chdir(join(folder, "inside"));
  const file = filesIn(".");
  const approval: Approval = { approval: 3, version: "1", stack: "s", project: "p", baseUrls: [], steps: [] };
  file("s.json", approvalsText([approval]));
  file("two.json", approvalsText([approval, { ...approval, stack: "t" }]));
  chmodSync(file("text.txt", "text"), 0o600);
  file("object.json", '{"rule": []}');
  file("empty.json", "{}");
});
afterAll(() => process.chdir(before));

const open = "deploy --unapproved --reason x";
const needsStack = "applies to the preview of a stack, so it needs --stack or --stacks";

type Refusal = readonly [words: string | readonly string[], message: string, ...terminals: "stdin"[]];
/** A missing file for each option that names one. */
const missingFiles = (
  [
    ["review -", "approved", "config", "clients"],
    ["drift", "config"],
    ["map --account", "config"],
    ["access --account", "config", "unused", "propose"],
    ["emulator", "seed", "account", "faults"],
    ["rehearse", "account"],
    ["deploy true", "approved"],
    [`${open} true`, "key-file"],
  ] as const
).flatMap(([words, ...options]) =>
  options.map((option): Refusal => [
    `${words} --${option} none`,
    `the file none of --${option} does not exist: correct the path\n`,
  ]),
);

const refusals: readonly Refusal[] = [
  ["", "Usage: npx pulumi-tunnel-gateway"],
  ["nonsense", "unknown command 'nonsense'"],
  ...missingFiles,
  ["review - --config .", "the file . of --config cannot be read (EISDIR)"],
  ["review - --config text.txt", "text.txt: "],
  ["emulator --faults text.txt", "the file text.txt of --faults is not JSON"],
  ["emulator --port 0 --seed object.json", "object.json: rule: unknown key; the keys are"],
  ["emulator --port 0 --faults object.json", "object.json: rules: is required"],
  ...["0.0.0.0", "::"].map((host): Refusal => [
    `emulator --port 0 --host ${host}`,
    `--host: other machines can connect to ${host}, and the emulator's default key is public: set a key of your own in ` +
      "TUNNEL_GATEWAY_EMULATOR_API_KEY, with --api-key, or with the option apiKey of startEmulator\n",
  ]),

  ["list", "name a collection; the collections are:\n"],
  ["list nonsense", '"nonsense" is not a collection; the collections are:\n'],
  ["get bound-endpoints x", '"bound-endpoints" is not a collection'],
  ["list https-edge-route-oidc", '"https-edge-route-oidc" is not a collection'],
  ["list event-sources", "event-sources belong to one event subscription: add its id"],
  ["list ip-policies ipp_1", "ip-policies belong to no other object: remove ipp_1"],
  ["list ip-policies --filter name=x", "the IP policy has no name; it has id, "],
  ...["nonsense", "=x"].map((text): Refusal => [`list ip-policies --filter ${text}`, text]),
  ["list ip-policies --columns description,x.y", "the IP policy has no x; it has id, "],
  ...["x", "1.5", "-1", ""].map((limit): Refusal => [
    `list ip-policies --limit=${limit}`,
    "a whole number from 0 to",
  ]),
  ["list ip-policies --cwd .", "--cwd names the folder of a stack's project, so it needs --stack"],
  ["list ip-policies --provider a", "--provider needs --stack <name>, the stack that holds the provider"],
  ["get ip-policies 1", 'the id of the IP policy must be an id that starts with ipp_; got "1"\n'],
  [
    ["get", "https-edge-route-oidc", "edghts_1/a b"],
    '"edghts_1/a b" is not a valid id; it must have the form ',
  ],

  ...["stop ts_1", "restart ts_1", "update --all --restart"].map((words): Refusal => [
    `sessions ${words}`,
    "this command asks for confirmation, which needs a terminal: add --yes to confirm it",
  ]),
  ...["", " ts_1 --all", " ts_1 --os linux", " --all --filter region=eu"].map((words): Refusal => [
    `sessions update${words}`,
    "choose the agents by ids of sessions, by filters, or with --all",
  ]),
  ["sessions update --filter name=x", "the tunnel session has no name; it has id, "],
  ["sessions update ts_1 --wait 9", "It must be a whole number from 10 to"],

  ["review - --json", "review has no --json: did you mean --output json?"],
  ["review - --clients-field ip", "--clients-field needs --clients"],
  ["review - --output png", '--output takes terminal, markdown, html, json, sarif, annotations, not "png"'],
  ["review - --output json=", "--output <format>= needs a file name"],
  [
    "review - --output json --output sarif",
    "only one --output can go to stdout: write the others to files with",
  ],
  ["review - --size-limit 1999", "It must be a whole number from 2000 to"],
  ["review - --accept-unknown x", "--accept-unknown needs --save, the approval in which it counts"],
  ["review - --silence x", '--silence takes rule=reason or rule@resource=reason, not "x"'],
  ["review - --silence access/nothing=x", "--silence: "],
  ["review - --error-from-ipv4 /33", "--error-from-ipv4"],
  ["review - --error-from-ipv6 x", "--error-from-ipv6"],
  ...["x --stack a", "x --stacks b", "--stack a --stacks b"].map((words): Refusal => [
    `review ${words}`,
    "use files, --stack or --stacks, and only one of them",
  ]),
  ...["cwd .", "refresh", "offline"].map((words): Refusal => [
    `review x --${words}`,
    `--${words.split(" ")[0]} ${needsStack}`,
  ]),
  ["review x --parallel 3", "--parallel needs --stacks"],
  ["review", "name a file with the output of `pulumi preview --json ", "stdin"],
  ["sessions stop ts_1", "this command asks for confirmation", "stdin"],
  ["review - -", "stdin holds one preview only"],
  ...["review", "map --preview", "access --preview", "rehearse"].map((words): Refusal => [
    `${words} none`,
    "the preview none cannot be read (ENOENT): write it with `pulumi preview --json --show-sames --show-replacement-steps > <file>`\n",
  ]),

  ["access", "use --stack, --account or --preview"],
  ["map", "map needs --stack, --account or --preview"],
  ["map --account --https-route edghts_1", '--https-route takes <edgeId>/<routeId>, not "edghts_1"'],
  ["map --account --tls-edge a/b", '--tls-edge takes the id of a TLS edge, not "a/b"'],
  ...["access", "map"].flatMap((name): Refusal[] => [
    [`${name} --preview - --account`, "--preview needs neither --account nor --stack"],
    [`${name} --preview - --stack a`, "--preview needs neither --account nor --stack"],
    [`${name} --stack a --provider b`, "--provider chooses an account, so it needs --account"],
  ]),
  ["access 203.0.113.7/24 --account", "has host bits set, did you mean 203.0.113.0/24?"],
  ["access nonsense --account", '"nonsense" does not begin with an IPv4 or IPv6 address'],
  ["access --test --unused x", "use one of --test and --unused"],
  ["access --test --propose x", "use one of --test and --propose"],
  ["access --unused x --propose x", "use one of --unused and --propose"],
  ...["test", "unused x", "propose x"].map((words): Refusal => [
    `access 203.0.113.7 --${words}`,
    `--${words.split(" ")[0]} takes no address`,
  ]),
  ["access --account --clients-field ip", "--clients-field needs a log: --unused or --propose"],
  ["access --propose x --typescript --json", "use one of --typescript and --json"],
  ...["typescript", "max-rules 3", "min-prefix4 8", "min-prefix6 8", "at-least 2"].map((words): Refusal => [
    `access --unused x --${words}`,
    "--typescript, --max-rules, --min-prefix4, --min-prefix6 and --at-least need --propose",
  ]),
  ["access --max-rules 0", "It must be a whole number from 1 to 100000"],
  ["access --min-prefix4 33", "It must be a whole number from 0 to 32"],
  ["access --min-prefix6 x", "It must be a whole number from 0 to 128"],
  ["access --at-least 0", "It must be a whole number from 1 to"],
  [
    "access --account --test --config empty.json",
    "the configuration file empty.json has no accessTests: write them into it, or name another file with --config",
  ],
  [
    "access --account --test",
    "there is no configuration file .tunnel-gateway-review.json: write the accessTests into it, or name another",
  ],

  ["drift --stack a --stacks b", "use --stack or --stacks, not both"],
  ["drift --parallel 2", "--parallel needs --stacks"],
  ["expire", "expire needs --stack"],
  ["orphans", "orphans needs --stack"],
  ["orphans --stack a --exclude ownedby=x", "no class has a field ownedby"],

  ["import", `this folder is inside the project ${folder}: run the command there, or name a folder with`],
  ["import IpPolicy office", "one object needs its class, name and id: import IpPolicy office ipp_2abc"],
  ["import Policy office ipp_1", '"Policy" is not a class; the classes are '],
  ["import --cwd .. --only Policy", '"Policy" is not a class; the classes are '],
  ["import --cwd .. --except ,", "--except names no class"],
  ["import --cwd .. --filter ownedby=x", "no class has a field ownedby"],
  ["import --cwd .. --exclude ownedby=x", "no class has a field ownedby"],
  ["import --provider a=urn:b", "--provider needs --stack <name>, the stack that holds the provider"],
  ["import --cwd .. --stack a --provider b", "--provider takes <variable>=<urn>, such as partner=urn:"],
  ["import --run", "--run needs --stack <name>, the stack to import into"],
  ["import --format python", "Allowed choices are typescript, pulumi"],
  ["import --format pulumi IpPolicy a ipp_1", "pulumi import tunnel-gateway:index:<class> <name> <id>"],
  ["import --format pulumi --run --stack a", "--format pulumi writes a file for pulumi import: run that"],
  ["import --adopt", "--adopt needs --stack <name>, the stack of the program that has lost its state"],
  ...[
    ...["--only IpPolicy", "--except IpPolicy", "--filter id=x", "--exclude id=x", "--provider a=urn:b"],
    ...["--out x", "--format pulumi", "IpPolicy a ipp_1"],
  ].map((words): Refusal => [
    `import --adopt --stack a ${words}`,
    "--adopt takes neither a class nor a choice of objects, a provider, a format or --out: the program says what",
  ]),

  ["deploy --approved s.json", "missing required argument 'command'"],
  ["deploy true", "deploy needs --approved <file>; in an emergency, --unapproved with --reason"],
  ["deploy true --approved s.json --reason x", "--reason needs --unapproved"],
  [`${open} true --approved s.json`, "use --approved or --unapproved, and only one of them"],
  [["deploy", "true", "--unapproved", "--reason", " "], "--unapproved needs --reason: say why you deploy"],
  [`${open} true`, "--unapproved takes the account from TUNNEL_GATEWAY_BASE_URL: set it"],
  ["deploy true --approved two.json", "the file approves several stacks: choose one with --stack: p/s, p/t"],
  ["deploy true --approved s.json --stack u", 'the file approves p/s, and not "u"'],
  [`${open} true --key-stdin --key-file text.txt`, "use --key-file or --key-stdin, and only one of them"],
  [`${open} true --url https://a.example`, "--url needs --listen"],
  [`${open} true --listen 8443`, "--listen needs an address and a port, such as 0.0.0.0:8443, not 8443"],
  [`${open} true --listen 0.0.0.0:8443`, "the URL of the broker must be an https URL"],
];

/** Each is run once. */
const runs = new Map<Refusal, Ended>();
async function run(refusal: Refusal): Promise<Ended> {
  const [words, , ...terminals] = refusal;
  const args = typeof words === "string" ? words.split(" ").filter(Boolean) : words;
  const ended = runs.get(refusal) ?? (await runCommandLine(args, {}, terminals));
  runs.set(refusal, ended);
  return ended;
}

it.each(refusals.map((refusal) => ({ words: refusal[0], refusal })))(
  "is refused with exit code 2: $words",
  async ({ refusal }) => {
    const { code, stdout, stderr } = await run(refusal);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(refusal[1])]);
  },
);

it("has a row for every place that refuses something", async () => {
  for (const refusal of refusals) await run(refusal);
  const folder = join(__dirname, "../../../src/tools/cli");
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".ts")
      ? readFileSync(join(folder, name), "utf8")
          .split("\n")
          .flatMap((line, i) => (/(new UsageError|onOptions)\(/.test(line) ? `${name}:${i + 1}` : []))
      : [],
  );
  expect([...places].sort()).toEqual(all.sort());
});
