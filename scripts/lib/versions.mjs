import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

const pulumi = "github.com/pulumi/pulumi";

/** The version of the Pulumi CLI to work with, and the oldest one. Only tools/pulumi-cli/go.mod names it. */
export const cliVersion = () => pinned("pulumi-cli", `${pulumi}/pkg/v3`);

/** The newest version of the Pulumi CLI that `npm run test:full` works with. */
export const newestCliVersion = () => pinned("pulumi-cli-newest", `${pulumi}/pkg/v3`);

/** The SDK release whose language host is built. Later ones have it in a module that cannot be downloaded. */
export const languageHostVersion = () => pinned("pulumi-language-hosts", `${pulumi}/sdk/v3`);

/** The version of actionlint to check workflows with. */
export const actionlintVersion = () => pinned("actionlint", "github.com/rhysd/actionlint");

/** The release of the code generators of SDKs. */
export const codegenVersion = () => pinned("pulumi-codegen", `${pulumi}/pkg/v3`);

/** The last release of the code generators of SDKs that has the one for .NET. */
export const dotnetCodegenVersion = () => pinned("pulumi-codegen-dotnet", `${pulumi}/pkg/v3`);

/** The version of the language host for YAML. */
export const yamlHostVersion = () => pinned("pulumi-language-yaml", `${pulumi}-yaml`);

/** The oldest Go that builds a tool of tools/. */
export function goVersion(tool) {
  return match(goMod(tool), /^go (\S+)$/m);
}

/** Whether a version is `least` or later within the same major version. */
export function atLeast(version, least) {
  const [a, b] = [version, least].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  if (a[0] !== b[0]) return false;
  return a[1] !== b[1] ? a[1] > b[1] : a[2] >= b[2];
}

function pinned(tool, module) {
  return match(goMod(tool), new RegExp(`^require ${module} v(\\S+)$`, "m"));
}

function goMod(tool) {
  return readFileSync(join(root, "tools", tool, "go.mod"), "utf8");
}

function match(text, pattern) {
  const found = pattern.exec(text);
  if (!found) throw new Error(`tools/*/go.mod has no line like ${pattern}.`);
  return found[1];
}
