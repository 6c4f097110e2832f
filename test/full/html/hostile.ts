/** Texts that would do harm in a page that does not escape them. */
export const hostileTexts = [
  `<script>globalThis.owned = true; alert("script")</script>`,
  `<img src="http://127.0.0.1:9/img" onerror="globalThis.owned = true; alert('img')">`,
  `"><svg onload="globalThis.owned = true"></svg>`,
  `' onmouseover='globalThis.owned = true' style='position:fixed;inset:0`,
  `</code></td></table></main><h1>No findings</h1>`,
  `</style><link rel="stylesheet" href="http://127.0.0.1:9/style">`,
  `<iframe src="http://127.0.0.1:9/frame"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/away">`,
  `<a href="javascript:globalThis.owned = true">click</a>`,
  `<!-- <details><summary>`,
  `]]></svg><style>body{display:none}</style>`,
  `&lt;b&gt; \u202ereversed\u202c \u0000\u001b[2J`,
  `url(http://127.0.0.1:9/url) @import "http://127.0.0.1:9/import"`,
  "x".repeat(3000),
  "long ".repeat(400),
];

/** A preview in which every text of a program and of an account is one of these. */
export function hostilePreview(): string {
  const urn = (name: string): string =>
    `urn:pulumi:test::hostile::pulumi-nodejs:dynamic/tunnel-gateway:TunnelGroupBackend::${name}`;
  const steps = hostileTexts.map((text, i) => {
    const next = hostileTexts[(i + 1) % hostileTexts.length]!;
    const labels = { [text]: next };
    return {
      op: i % 2 === 0 ? "update" : "create",
      urn: urn(text),
      oldState: {
        id: `bkdtg_${i}`,
        inputs: { labels },
        outputs: { labels, description: text, __args: ["labels"] },
        propertyDependencies: {},
      },
      newState: {
        inputs: { labels: { [next]: text }, description: next, metadata: text },
        sourcePosition: `project:///${text}#1,2`,
        propertyDependencies: {},
      },
      replaceReasons: [text],
    };
  });
  const keys = hostileTexts.map((text) => ({
    op: "create",
    urn: urn(text).replace("TunnelGroupBackend", "ApiKey"),
    newState: { inputs: {}, sourcePosition: `project:///${text}#1,2`, propertyDependencies: {} },
  }));
  const diagnostics = hostileTexts.map((message) => ({ severity: "error", message }));
  return JSON.stringify({ steps: [...steps, ...keys], changeSummary: {}, diagnostics });
}
