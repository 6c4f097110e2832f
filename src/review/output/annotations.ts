/** The review as workflow commands of GitHub Actions: one line per finding. */
import type { Review } from "../review";
import { wholeProgram } from "./sarif";
import { subjectText } from "./words";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

export function annotations({ findings }: Review): string {
  return findings
    .map((finding) => {
      const { file, line } = finding.place ?? wholeProgram;
      const properties = { file, line: String(line), title: finding.rule };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
      const text = `${subjectText(finding)}: ${finding.message}`;
      return `::${commands[finding.severity]} ${list.join(",")}::${data(text)}\n`;
    })
    .join("");
}

function data(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
