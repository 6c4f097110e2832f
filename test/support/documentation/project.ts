/** The README's project, in which some pages begin. */
import { blocksOf, textOf } from "./blocks";
import type { Step } from "./script";

/** Whether a page says that its commands begin in the project of the README. */
export function beginsInProject(page: string): boolean {
  return /^<!-- session: README's project -->$/m.test(textOf(page));
}

/** The steps that the page's reader has done before. */
export function stepsBefore(page: string, commands: string): Step[] {
  const blocks = blocksOf("README.md");
  const install = blocks.find(({ language, code }) => language === "sh" && code.includes("npm install"))!;
  const installed = install.code.replace("<tarball>", "pulumi-tunnel-gateway");
  if (beginsInProject(page)) {
    const files = ["Pulumi.yaml", "tsconfig.json", "index.ts"].map((name): Step => {
      const block = blocks.find(({ file }) => file === name)!;
      return { block, file: name, text: block.code };
    });
    const deployed = `${installed}pulumi stack init dev\npulumi up --yes\n`;
    return [...files, { block: install, commands: deployed }];
  }
  // A page without an installation is for readers who have the package.
  const only = /^npm install .*$/m.exec(installed)![0];
  return /\bnpm (install|ci)\b/.test(commands) ? [] : [{ block: install, commands: only }];
}
