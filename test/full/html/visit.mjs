/**
 * `node visit.mjs <file>...` opens HTML files in headless Chromium, each on a wide and a narrow screen, light and dark,
 * and prints as JSON what it observed: for each file one list of visits. With TUNNEL_GATEWAY_SCREENSHOTS=<folder> it also
 * takes pictures.
 */
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchBrowser } from "../browser.mjs";
import { inspectPage } from "./inspect.mjs";

const screens = [
  { name: "wide-light", width: 1100, height: 800, scheme: "light" },
  { name: "wide-dark", width: 1100, height: 800, scheme: "dark" },
  { name: "phone-light", width: 390, height: 844, scheme: "light" },
  { name: "phone-dark", width: 390, height: 844, scheme: "dark" },
];

/** Opens a file and writes down everything that a page without scripts and requests must not do. */
async function visit(browser, file, { name, width, height, scheme }) {
  const page = await browser.newPage();
  const seen = { name, requests: [], dialogs: [], messages: [], navigations: 0 };
  const url = pathToFileURL(file).href;
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.url() === url) return request.continue();
    seen.requests.push(request.url());
    return request.abort();
  });
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  page.on("console", (message) => seen.messages.push(message.text()));
  page.on("pageerror", (error) => seen.messages.push(String(error)));
  page.on("framenavigated", () => (seen.navigations += 1));
  await page.goto(url, { waitUntil: "load" });
  await page.mouse.move(width / 2, height / 2); // for attributes such as onmouseover
  await new Promise((done) => setTimeout(done, 200));
  await takePicture(page, file, name);
  const inspected = await page.evaluate(inspectPage);
  await page.close();
  return { ...seen, ...inspected };
}

async function takePicture(page, file, name) {
  const folder = process.env.TUNNEL_GATEWAY_SCREENSHOTS;
  if (folder)
    await page.screenshot({ path: join(folder, `${basename(file, ".html")}-${name}.png`), fullPage: true });
}

const browser = await launchBrowser();
try {
  const visits = [];
  for (const file of process.argv.slice(2)) {
    const all = [];
    for (const screen of screens) all.push(await visit(browser, file, screen));
    visits.push(all);
  }
  console.log(JSON.stringify(visits));
} finally {
  await browser.close();
}
