/** config.template.yaml: the secrets that the program takes from the stack's configuration. */
import { compareTexts } from "../../../schema/text/compare-texts";
import { hashes, withHeader } from "./generated-file";
import { firstText, nodesOf, parseSource, typescript } from "./typescript";

/**
 * The configuration keys in the files of a program, and whether the program requires them. A key in a comment is for a secret
 * that the service never returns.
 */
export function configKeys(files: readonly string[]): Map<string, boolean> {
  const required = files.flatMap(requiredKeys);
  const mentioned = files.flatMap((text) => [...text.matchAll(/config\.requireSecret\("([^"]+)"\)/g)]);
  return new Map([
    ...mentioned.map(([, key]) => [key!, false] as const),
    ...required.map((key) => [key, true] as const),
  ]);
}

/** The keys of `config.requireSecret(…)`. */
function requiredKeys(text: string): string[] {
  const { isCallExpression, isPropertyAccessExpression } = typescript();
  return [...nodesOf(parseSource(text))].flatMap((node) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
    return node.expression.getText() === "config.requireSecret" ? (firstText(node) ?? []) : [];
  });
}

const explanation = [
  "# The secrets that the program takes from the stack's configuration. No file holds their values in plaintext.",
  "# Set each with: pulumi config set --secret <key>",
  "# Keys in comments are for secrets that the service never returns.",
];

/** The text of the file. Even without keys it is a valid stack configuration. */
export function templateText(keys: ReadonlyMap<string, boolean>): string {
  const entries = [...keys].sort(([a], [b]) => compareTexts(a, b));
  const lines = entries.flatMap(([key, isRequired]) => {
    const entry = [`${key}:`, '  secure: "<pulumi config set --secret>"'];
    return entry.map((line) => `  ${isRequired ? "" : "# "}${line}`);
  });
  const body = [
    ...(keys.size === 0 ? ["# The program takes no secret from the stack's configuration."] : explanation),
    entries.some(([, isRequired]) => isRequired) ? "config:" : "config: {}",
    ...lines,
  ];
  return withHeader(`${body.join("\n")}\n`, hashes);
}
