/** No page, message, workflow or example installs a stranger's package or shows a secret to other processes. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks";

/** What users read or copy. Tests of the repository may have commands that are wrong on purpose. */
const places = ["*.md", "docs", "examples", "src", "scripts", ".github"];

const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...places],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .trim()
  .split("\n");

/** Where the name of the command is not also the name of its package, these install whatever has that name. */
const strangers = /\b(?:npx|npm exec|npm x|pnpx|pnpm dlx|yarn dlx|bunx)(?: +-\S+)* +tunnel-gateway\b/;

const secretInArguments: readonly RegExp[] = [
  // The key of the emulator is public.
  /--api-key[ =](?!<|emulator-key-not-a-secret)[^\s`"']/,
  /Authorization: *Bearer +\$[A-Z_]/,
  /\b[A-Z_]*(?:API_KEY|PASSWORD|_TOKEN)=(?!emulator-key-not-a-secret\b|\$\{(?:options|emulator)\.apiKey)[^\s`"')]/,
];

/** Whether `pulumi config set --secret` has a value behind the key. */
function setsSecretByArgument(line: string): boolean {
  const rest = /\bconfig set (.*)/.exec(line)?.[1];
  if (rest === undefined) return false;
  const words = rest.split(/ *(?:[|#`,]| <(?= )| <<<)/)[0]!.split(/ +/);
  const places = words.filter(
    (word, i) => word !== "" && !word.startsWith("-") && words[i - 1] !== "--stack",
  );
  return words.includes("--secret") && places.length > 1;
}

function violations(text: string): string[] {
  return text
    .split("\n")
    .filter(
      (line) =>
        strangers.test(line) ||
        setsSecretByArgument(line) ||
        secretInArguments.some((each) => each.test(line)),
    );
}

it.each([
  "npx tunnel-gateway review",
  "npx --yes tunnel-gateway review",
  "npm exec -- tunnel-gateway doctor",
  "pnpm dlx tunnel-gateway doctor",
  "pulumi config set --secret tunnel-gateway:apiKey <api key>",
  'pulumi config set --stack dev --secret tunnel-gateway:apiKey "$KEY"',
  "pulumi config set --secret --stack dev tunnel-gateway:apiKey abc",
  "pulumi config set tunnel-gateway:apiKey abc --secret",
  "tunnel-gateway emulator --api-key abc",
  'curl --header "Authorization: Bearer $TUNNEL_GATEWAY_API_KEY"',
  "export TUNNEL_GATEWAY_API_KEY=<api key>",
  "TUNNEL_GATEWAY_API_KEY=abc pulumi up",
])("finds %j", (line) => {
  expect(violations(line)).toEqual([line]);
});

it.each([
  "npx pulumi-tunnel-gateway review",
  "npx --no-install pulumi-tunnel-gateway review",
  "pulumi config set --secret tunnel-gateway:apiKey   # asks for the API key",
  "pulumi config set --stack dev --secret key < file",
  "Set it again with `pulumi config set --secret tunnel-gateway:apiKey`.",
  "echo emulator-key-not-a-secret | pulumi config set --secret tunnel-gateway:apiKey",
  "export TUNNEL_GATEWAY_API_KEY=emulator-key-not-a-secret",
])("accepts %j", (line) => {
  expect(violations(line)).toEqual([]);
});

it("finds nothing of the kind in pages, messages, workflows and examples", () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    violations(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it("names a command of the package like the package, so that npx finds nothing else", () => {
  const { name, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    bin: Record<string, string>;
  };
  expect(bin[name]).toBe(bin["tunnel-gateway"]);
});
