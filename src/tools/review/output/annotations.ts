/** The review as workflow commands of GitHub Actions: one line per finding. */
import type { Review } from "../review";
import { wholeProgram } from "./sarif";
import { escapeControlsInLines } from "../../../schema/text/escape";
import { counted } from "../../../schema/text/phrase";
import { failureTexts, findingLine, settingTexts, silenceText } from "./sentences";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

export function annotations(review: Review): string {
  const { silences } = review;
  const list = silences.map(silenceText).join("; ");
  // CI systems show the first notices of a step only.
  const notices = [
    ...settingTexts(review).map(({ title, text }) => notice(title, text)),
    ...(silences.length === 0 ? [] : [notice(counted(silences.length, "silence"), list)]),
  ];
  return [...failureTexts(review).map(failure), ...notices, ...findingLines(review)].join("");
}

function failure(text: string): string {
  return `::error title=the preview failed::${data(text)}\n`;
}

function notice(title: string, text: string): string {
  return `::notice title=${property(title)}::${data(text)}\n`;
}

function findingLines(review: Review): string[] {
  return review.findings.map((finding) => {
    const { file, line } = finding.place ?? wholeProgram;
    const properties = { file, line: String(line), title: finding.rule };
    const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
    return `::${commands[finding.severity]} ${list.join(",")}::${data(findingLine(finding, review))}\n`;
  });
}

function data(text: string): string {
  return escapeControlsInLines(text).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
