/** Headless Chromium: the browser of the PATH, else that of tools/checks. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Resolves the packages of tools/checks. */
export const tools = createRequire(new URL("../../tools/checks/package.json", import.meta.url));

const load = async (name) => (await import(pathToFileURL(tools.resolve(name)).href)).default;

function browserOfPath() {
  const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
}

export async function launchBrowser() {
  const puppeteer = await load("puppeteer-core");
  return puppeteer.launch({
    executablePath: browserOfPath() ?? (await (await load("@sparticuz/chromium")).executablePath()),
    headless: "shell",
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
}
