/** A review with everything that answers who gets in: tables, access tests, clients of a log and a refused approval. */
import type { Approval } from "../../../src/tools/approval/approval";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { approvedReview } from "../../../src/tools/review/approved";
import { ClientLog } from "../../../src/tools/access/client-log";
import { clientChanges } from "../../../src/tools/review/client-changes";
import type { Review } from "../../../src/tools/review/review";
import { review } from "../../../src/tools/review/review";
import type { Preview } from "../../../src/tools/inventory/read-preview";
import { previewOf } from "../../tools/review/access-preview";
import type { Network } from "../../tools/review/access-preview";
import { readPreview } from "../../support/recorded";

const before: Network = {
  policies: ["offices", "partners-of-the-european-logistics-platform", "operators"],
  rules: [
    { name: "berlin", policy: "offices", action: "allow", cidr: "203.0.113.0/24" },
    { name: "guests", policy: "offices", action: "deny", cidr: "203.0.113.128/25" },
    { name: "all-of-ipv6", policy: "operators", action: "allow", cidr: "2001:db8::/33" },
  ],
  sets: {
    "partners-of-the-european-logistics-platform": Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`198.18.${i * 3}.0/24`, "allow"] as const),
    ),
  },
  edges: {
    database: ["offices"],
    "orders-of-the-european-logistics-platform-for-partners": [
      "partners-of-the-european-logistics-platform",
      "offices",
    ],
    console: ["operators"],
  },
};

const approved: Network = {
  ...before,
  rules: [
    { name: "berlin", policy: "offices", action: "allow", cidr: "203.0.112.0/22" },
    { name: "all-of-ipv6", policy: "operators", action: "allow", cidr: "2001:db8:8000::/34" },
  ],
  sets: {
    "partners-of-the-european-logistics-platform": Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`198.18.${i * 4}.0/24`, "allow"] as const),
    ),
  },
};

const later: Network = {
  ...approved,
  rules: [...approved.rules, { name: "vpn", policy: "offices", action: "allow", cidr: "100.64.0.0/10" }],
};

/** A log of clients that lose access, gain it, and keep it. */
function log(): string {
  const lines = Array.from({ length: 400 }, (_, i) => [
    ...Array.from(
      { length: 1 + (i % 7) },
      () => `198.18.${i % 120}.${i % 250} - - "GET /orders HTTP/1.1" 200`,
    ),
    `2001:db8:${(i * 97).toString(16)}:ffff:ffff:ffff:ffff:${i.toString(16)} GET /`,
    `203.0.${112 + (i % 4)}.${i % 250} GET /`,
  ]);
  return lines.flat().join("\n");
}

export async function answers(): Promise<{ readonly made: Review; readonly preview: Preview }> {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const accessTests = [
    { resource: "TcpEdge database", allowed: ["203.0.113.7"], notAllowed: ["100.64.0.0/16"] },
    { resource: "TcpEdge orders-*", onlyFrom: ["198.18.0.0/15", "203.0.112.0/22"] },
    { resource: "TcpEdge console", allowed: ["2001:db8::1"] },
    { resource: "HttpsEdgeRoute shop", allowed: ["203.0.113.7"] },
  ];
  // Of another deployment, which sends nothing.
  const approval: Approval = {
    ...{ approval: 3, version: "0.0.1", stack: "test", project: "network", baseUrls: [], steps: [] },
  };
  const preview = readPreview(previewOf(before, later));
  const rehearsal = await rehearse(preview.plan, { now });
  const made = approvedReview(preview, review(preview, { now, accessTests }), rehearsal, {
    approval,
    log: [],
  });
  const clients = new ClientLog();
  clients.push(Buffer.from(log()));
  clients.end();
  return { made: { ...made, clients: clientChanges(preview, clients) }, preview };
}
