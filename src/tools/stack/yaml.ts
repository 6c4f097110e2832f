/** YAML of projects and of traffic policies. */

/** The value of a text in YAML or JSON. Throws where it is neither. */
export function parsedYaml(text: string): unknown {
  // Few commands read YAML.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { parse } = require("yaml") as typeof import("yaml");
  // Node prints a warning of the parser as it is, and it holds the text.
  return parse(text, { logLevel: "error" });
}
