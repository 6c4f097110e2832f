/** The review in SARIF 2.1.0, the format of code scanning. */
import { createHash } from "node:crypto";
import { version } from "../../../provider/version";
import { withoutCommands, escapeControlsInLines } from "../../../schema/text/escape";
import type { Review } from "../review";
import type { Finding } from "../../output/finding";
import { catalog } from "../rules";
import { failureTexts, findingLine, settingTexts, silenceText } from "./sentences";

/** The location of a finding whose place in the program is not known. */
export const wholeProgram = { file: "Pulumi.yaml", line: 1 } as const;

export function sarif(review: Review): string {
  const fingerprint = fingerprints();
  const results = [
    ...review.findings.map((finding) => result(finding, review, fingerprint(finding))),
    ...review.silenced.map(({ finding, reason, stacks }) => ({
      ...result({ ...finding, stacks }, review, fingerprint(finding)),
      suppressions: [{ kind: "external", justification: reason }],
    })),
  ];
  const rules = catalog.map(({ id, severity, title, help }) => ({
    id,
    name: id.replace(/(^|[/-])([a-z])/g, (_, _mark, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: help.replace(/`/g, "") },
    help: { text: help.replace(/`/g, ""), markdown: help },
    defaultConfiguration: { level: severity },
  }));
  const driver = { name: "tunnel-gateway review", version, rules };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, invocations: [invocation(review)], columnKind: "utf16CodeUnits", results }],
  };
  return `${escapeControlsInLines(withoutCommands(JSON.stringify(log, undefined, 2)))}\n`;
}

/** The settings of the review, as notifications of the tool. */
function invocation(review: Review): object {
  const texts = [...settingTexts(review).map(({ text }) => text), ...review.silences.map(silenceText)];
  return {
    executionSuccessful: review.errors.length === 0,
    toolConfigurationNotifications: texts.map((text) => ({ level: "note", message: { text } })),
    toolExecutionNotifications: failureTexts(review).map((text) => ({ level: "error", message: { text } })),
  };
}

/**
 * The fingerprints of a review's findings, by which code scanning recognizes one in the next run: rule, resource and
 * field, which names the entry of a set. Those that share all three are numbered.
 */
function fingerprints(): (finding: Finding) => string {
  const counts = new Map<string, number>();
  return ({ rule, urn, field = "" }) => {
    const key = JSON.stringify([rule, urn, field]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${createHash("sha256").update(key).digest("hex")}:${count}`;
  };
}

function result(finding: Finding, review: Review, fingerprint: string): object {
  const { rule, severity, urn, name, stacks } = finding;
  const { file, line } = finding.place ?? wholeProgram;
  const logical =
    urn === "" ? {} : { logicalLocations: [{ name, fullyQualifiedName: urn, kind: "resource" }] };
  const physicalLocation = {
    artifactLocation: { uri: encodeURI(file.toWellFormed()), uriBaseId: "%SRCROOT%" },
    region: { startLine: line },
  };
  return {
    ruleId: rule,
    ruleIndex: catalog.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: `${findingLine(finding, review)}.` },
    locations: [{ physicalLocation, ...logical }],
    ...(stacks && { properties: { stacks } }),
    // GitHub reads the second one, and computes it from the line without it.
    partialFingerprints: { "ruleAndResource/v2": fingerprint, primaryLocationLineHash: fingerprint },
  };
}
