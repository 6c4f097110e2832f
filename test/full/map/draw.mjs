/**
 * `node draw.mjs <file>...` draws files of Mermaid text with Mermaid itself in headless Chromium, and prints as JSON what
 * it observed for each: the error of the parser, the texts of the picture, and whatever it must not do. With
 * TUNNEL_GATEWAY_SCREENSHOTS=<folder> it also takes pictures.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { launchBrowser, tools } from "../browser.mjs";

const mermaid = join(dirname(tools.resolve("mermaid/package.json")), "dist/mermaid.min.js");

/** Runs in the page. */
async function draw(text) {
  const { mermaid: library, document } = globalThis;
  library.initialize({ startOnLoad: false });
  try {
    await library.parse(text);
    const { svg } = await library.render("map", text);
    document.body.innerHTML = svg;
  } catch (error) {
    return { error: error.message };
  }
  const count = (selector) => document.querySelectorAll(selector).length;
  return {
    nodes: [...document.querySelectorAll(".node .nodeLabel")].map((label) => label.innerText),
    edges: count("path.flowchart-link"),
    foreign: count("svg script, svg img, svg a, svg iframe, svg math, svg i, svg [onclick], svg [onerror]"),
    hasRun: globalThis.owned === true,
  };
}

const browser = await launchBrowser();
try {
  const results = [];
  for (const file of process.argv.slice(2)) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1600, height: 1000 });
    await page.setContent("<!doctype html><title>map</title>");
    await page.addScriptTag({ path: mermaid });
    const seen = { requests: [], dialogs: [] };
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      seen.requests.push(request.url());
      return request.abort();
    });
    page.on("dialog", (dialog) => {
      seen.dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    results.push({ ...(await page.evaluate(draw, readFileSync(file, "utf8"))), ...seen });
    const folder = process.env.TUNNEL_GATEWAY_SCREENSHOTS;
    if (folder) await page.screenshot({ path: join(folder, `${basename(file)}.png`), fullPage: true });
    await page.close();
  }
  console.log(JSON.stringify(results));
} finally {
  await browser.close();
}
