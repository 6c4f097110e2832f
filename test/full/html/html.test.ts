/** The HTML pages in a real browser: nothing runs, nothing is requested, and people can read them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html, trusted } from "../../../src/tools/output/html/markup";
import { page } from "../../../src/tools/output/html/page";
import { svgOfChanges, renderPage } from "../../../src/tools/map/map-page";
import { htmlReview } from "../../../src/tools/review/output/forms";
import { mapOfPreview } from "../../../src/tools/map/preview-map";
import { mergedReview } from "../../../src/tools/review/merge";
import type { StackReview } from "../../../src/tools/review/merge";
import { ownNames } from "../../../src/tools/review/own-names";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { review } from "../../../src/tools/review/review";
import { thousandChanges } from "../../tools/review/many";
import { previewText } from "../../tools/review/support";
import { newFolder, root, succeed } from "../package/support";
import { answers } from "./answers";
import { hostilePreview, hostileTexts } from "./hostile";
import { readPreview } from "../../support/recorded";

interface Visit {
  readonly name: string;
  readonly requests: readonly string[];
  readonly dialogs: readonly string[];
  readonly messages: readonly string[];
  readonly navigations: number;
  readonly firstScreen: readonly string[];
  readonly title: string;
  readonly ran: boolean;
  readonly scripts: number;
  readonly handlers: number;
  readonly addresses: readonly string[];
  readonly width: number;
  readonly screen: number;
  readonly language: string;
  readonly headings: string;
  readonly tables: number;
  readonly unscoped: number;
  readonly contrast: { readonly ratio: number; readonly text: string };
  readonly pictures: readonly { readonly title?: string; readonly scale: number; readonly right: number }[];
  /** The width of the narrowest cell of a table. */
  readonly narrowest: number;
  readonly text: string;
}

const now = Date.parse("2026-11-21T12:00:00Z");
const accepted = hostileTexts.map((reason) => ({ rule: "hygiene/no-owner", resource: reason, reason }));

/** A preview that creates API keys without an owner: each is a finding. */
function manyFindings(count: number): string {
  const type = "urn:pulumi:test::many::pulumi-nodejs:dynamic/tunnel-gateway:ApiKey";
  const steps = Array.from({ length: count }, (_, i) => ({
    ...{ op: "create", urn: `${type}::key-${i}` },
    newState: { inputs: {}, propertyDependencies: {} },
  }));
  return JSON.stringify({ steps, changeSummary: { create: count } });
}

/** The reviewed previews, by the name of their page. */
const previews = {
  "pull-request": previewText("pull-request"),
  "new-gateway": previewText("example-quickstart"),
  "edges-changed": previewText("edge-and-backend-replaced"),
  "many-changes": thousandChanges(1000),
  "many-findings": manyFindings(1000),
  hostile: hostilePreview(),
  "nothing-changed": previewText("nothing-changed"),
  answers: "",
  stacks: "",
};
const names = Object.keys(previews) as (keyof typeof previews)[];
const reviews = new Map<string, string>();

async function pageOf(text: string): Promise<string> {
  const preview = readPreview(text);
  const rehearsal = await rehearse(preview.plan, { now });
  const made = review(preview, { now, rehearsal, silences: accepted.slice(0, 8) });
  return htmlReview(made, { map: svgOfChanges(preview), now });
}

/** The page of a review with access tests, clients and an approval. */
async function pageOfAnswers(): Promise<string> {
  const { made, preview } = await answers();
  return htmlReview(made, { map: svgOfChanges(preview), now });
}

/** The page of a review of 30 stacks, of which some differ, and two fail or have hostile names. */
function pageOfStacks(): string {
  const text = previewText("pull-request");
  const reviewIn = (stack: string, own: string): StackReview => {
    const name = JSON.stringify(stack).slice(1, -1);
    const preview = readPreview(own.replaceAll("urn:pulumi:test::", `urn:pulumi:${name}::`));
    return { stack, names: ownNames(preview), review: review(preview, { now }) };
  };
  const all = Array.from({ length: 30 }, (_, i) =>
    reviewIn(`prod-${i}`, i % 7 === 0 ? text.replaceAll("203.0.113.128/25", "203.0.113.192/26") : text),
  );
  const failed = JSON.stringify({
    steps: [],
    diagnostics: [{ severity: "error", message: "no passphrase" }],
  });
  const hostile = hostileTexts.map((name) => reviewIn(name, text));
  return htmlReview(mergedReview([...all, ...hostile, reviewIn("prod-failed", failed)]));
}

/** The pages of the map, by name. */
const maps = {
  "map-of-many": mapPage(thousandChanges(1000)),
  "map-of-edges": mapPage(previewText("pull-request")),
  "map-hostile": mapPage(hostilePreview()),
};

function mapPage(text: string): string {
  return renderPage(mapOfPreview(readPreview(text)), { of: hostileTexts[0]!, commit: hostileTexts[1], now });
}

const harmful = hostileTexts.filter((text) => !text.includes("refresh")).join("\n");

async function pageNamed(name: keyof typeof previews): Promise<string> {
  if (name === "answers") return pageOfAnswers();
  return name === "stacks" ? pageOfStacks() : pageOf(previews[name]);
}

/** What the same browser must notice, or the tests of the reviews prove nothing. */
const controls = {
  unescaped: `<!doctype html><title>x</title>${harmful}`,
  unescapedInPage: page("x", html`<p>${trusted(harmful)}</p>`),
};

const visits = new Map<string, readonly Visit[]>();

beforeAll(async () => {
  const folder = newFolder("html");
  for (const name of names) reviews.set(name, await pageNamed(name));
  const files = [...reviews, ...Object.entries({ ...maps, ...controls })].map(
    ([name, text]): [string, string] => {
      const file = join(folder, `${name}.html`);
      writeFileSync(file, text);
      return [name, file];
    },
  );
  const temporary = join(folder, "browser"); // where the browser is unpacked
  mkdirSync(temporary);
  const script = join(root, "test/full/html/visit.mjs");
  const stdout = await succeed(process.execPath, [script, ...files.map(([, file]) => file)], {
    cwd: folder,
    env: { TMPDIR: temporary },
  });
  const all = JSON.parse(stdout) as Visit[][];
  files.forEach(([name], i) => visits.set(name, all[i]!));
});

const visitsOf = (name: string): readonly Visit[] => visits.get(name)!;

describe("the browser", () => {
  it("notices scripts, dialogs and requests of a page that does not escape", () => {
    for (const { ran, dialogs, requests, scripts, handlers } of visitsOf("unescaped")) {
      expect(ran).toBe(true);
      expect(dialogs).toContain("script");
      expect(requests).toEqual(expect.arrayContaining(["http://127.0.0.1:9/img"]));
      expect(scripts).toBeGreaterThan(1);
      expect(handlers).toBeGreaterThan(0);
    }
  });

  it("runs and requests nothing in a page of ours even if a text is inserted without escaping", () => {
    for (const { ran, dialogs, requests } of visitsOf("unescapedInPage"))
      expect({ ran, dialogs, requests }).toEqual({ ran: false, dialogs: [], requests: [] });
  });
});

describe.each([...names, ...Object.keys(maps)])("the page %s", (name) => {
  it("runs nothing and requests nothing", () => {
    expect(visitsOf(name)).toHaveLength(4);
    for (const visit of visitsOf(name)) {
      expect(visit).toMatchObject({ ran: false, requests: [], dialogs: [], messages: [], navigations: 1 });
      expect(visit).toMatchObject({ scripts: 0, handlers: 0, addresses: [] });
    }
  });

  it("fits the screen of a phone and of a computer", () => {
    for (const { width, screen, narrowest, pictures } of visitsOf(name)) {
      for (const { scale, right } of pictures) {
        expect(scale).toBeCloseTo(1);
        if (screen === 390) expect(right).toBeLessThanOrEqual(screen);
      }
      expect(width).toBe(screen);
      expect(narrowest).toBeGreaterThan(150);
    }
  });

  it("has a contrast of at least 4.5 everywhere, light and dark", () => {
    for (const { contrast } of visitsOf(name)) expect(contrast.ratio).toBeGreaterThanOrEqual(4.5);
  });

  it("has a language, one main heading and a title", () => {
    for (const { language, headings, title } of visitsOf(name)) {
      expect(language).toBe("en");
      expect(headings).toMatch(/^H1( H2( H3)*)*$/);
      expect(title).toMatch(
        name.startsWith("map-") ? /^Map of <script>/ : /^Tunnel Gateway review of .+ (passed|failed): /s,
      );
    }
  });
});

/** Of the reviews in which a preview failed. */
const verdicts: Partial<Record<string, RegExp>> = {
  hostile: /: the preview failed, so the review is incomplete/,
  stacks: /: the preview of 1 of 46 stacks failed, so the review is incomplete/,
};

describe.each(names)("the review as HTML: %s", (name) => {
  it("has sections, and tables with headings", () => {
    for (const { headings, tables, unscoped } of visitsOf(name)) {
      expect(headings).toMatch(/^H1 H2 /);
      expect(unscoped).toBe(0);
      expect(tables).toBeGreaterThanOrEqual(name === "nothing-changed" ? 0 : 1);
    }
  });

  it("shows the verdict and the new access on the first screen", () => {
    for (const { firstScreen } of visitsOf(name)) {
      expect(firstScreen[0]).toMatch(
        verdicts[name] ??
          /^Tunnel Gateway review of .+ (failed: [\d,]+ errors?(, .+)?|passed: (no (new )?findings( \(.+\))?|[\d,]+ (warning|note)s?(, .+)?))$/,
      );
      if (name !== "hostile") expect(firstScreen).toContain("New access");
    }
  });
});

it.each(["pull-request", "new-gateway", "edges-changed", "hostile"])("draws the map of %s", (name) => {
  for (const { pictures } of visitsOf(name)) {
    expect(pictures).toHaveLength(1);
    expect(pictures[0]!.title).toMatch(/^Map of the traffic: \d+ objects?, /);
  }
});

it("shows what all stacks have, and which stacks have something else", () => {
  for (const { text } of visitsOf("stacks")) {
    for (const words of [
      ...["prod-failed: no passphrase", "In prod-0, prod-7 and 3 more (5 of 46 stacks)"],
      "In prod-1, prod-2 and 37 more (39 of 46 stacks)",
    ])
      expect(text).toContain(words);
  }
});

it("shows which access tests fail, which clients are concerned, and what nobody approved", () => {
  for (const { text } of visitsOf("answers")) {
    const words = [
      "access/test-failed",
      "because onlyFrom does not list it",
      "POST /ip_policy_rules: it was not approved",
      "IpPolicyRule vpn",
      "clients with",
      "The log holds all clients of the file",
    ];
    for (const each of words) expect(text.replace(/\s+/g, " ")).toContain(each);
  }
});

it("shows every hostile text as text", () => {
  const [{ text }] = visitsOf("hostile") as [Visit];
  const flat = (words: string): string => words.replace(/\s+/g, " ").trim();
  for (const each of hostileTexts.slice(0, 11)) expect(flat(text)).toContain(flat(each));
  expect(text).toContain("&lt;b&gt; \\u202ereversed\\u202c \\u0000\\u001b[2J");
});

it("counts all of 1,000 changes and of 1,000 findings, and stays below 1 MB", () => {
  const [[changes], [findings]] = [visitsOf("many-changes"), visitsOf("many-findings")] as [Visit[], Visit[]];
  for (const name of ["many-changes", "many-findings"] as const)
    expect(Buffer.byteLength(reviews.get(name)!)).toBeLessThan(1e6);
  for (const words of ["334 to create", "333 to update", "333 to delete", "all 667 ranges"])
    expect(changes!.text).toContain(words);
  // One more note is about the time that the rate limit makes them take.
  for (const words of ["1,001 notes", "976 more notes", "key-0", "key-999", "1000 to create"])
    expect(findings!.text).toContain(words);
});
