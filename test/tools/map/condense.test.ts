import { condensed } from "../../../src/tools/map/condense";
import type { MapEdge, MapNode } from "../../../src/tools/map/model";
import { renderSvg } from "../../../src/tools/map/svg";
import { edge, inShort, node } from "./support";

const backend = (key: string, values: Partial<MapNode> = {}): MapNode =>
  node({ key, role: "backend", kind: "Tunnel group backend", ...values });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe("a large map", () => {
  it("stays as it is within the limits", () => {
    const map = { nodes: [backend("a"), backend("b")], edges: [edge("a", "b")] };
    expect(condensed(map)).toBe(map);
  });

  it("groups objects with the same neighbors first, and keeps what changes apart", () => {
    const nodes = [
      node({ key: "policy", role: "policy", kind: "IP policy" }),
      ...many(200, (i) => node({ key: `edge ${i}`, role: "entry", kind: "TCP edge" })),
      node({ key: "new", role: "entry", kind: "TCP edge", change: "added" }),
    ];
    const edges = nodes.slice(1).map(({ key, change }) => edge("policy", key, { change }));
    expect(inShort(condensed({ nodes, edges }))).toEqual({
      nodes: [
        "IP policy policy",
        "TCP edge [× 200]: edge 0 | edge 1 | edge 2 | and 197 more",
        "TCP edge new [added]",
      ],
      edges: ["policy → TCP edge [× 200]", "policy → new [added]"],
    });
  });

  it("counts objects without a name among those of a group that it does not name", () => {
    const pool = (i: number) => backend(`pool ${i}`, i < 2 ? {} : { name: "" });
    expect(inShort(condensed({ nodes: many(200, pool), edges: [] })).nodes).toEqual([
      "Tunnel group backend [× 200]: pool 0 | pool 1 | and 198 more",
    ]);
    const agents = many(200, (i) => backend(`agents ${i}`, { name: "", count: 2 }));
    expect(inShort(condensed({ nodes: agents, edges: [] })).nodes).toEqual(["Tunnel group backend [× 400]"]);
  });

  it.each(["to", "from"] as const)("keeps an object apart whose edge %s another one changes", (direction) => {
    const nodes = [
      backend("pool"),
      ...many(200, (i) => node({ key: `e${i}`, role: "entry", kind: "TCP edge" })),
    ];
    const edges = nodes.slice(1).map(({ key }, i) => {
      const change = i === 7 ? "added" : "same";
      return direction === "to" ? edge(key, "pool", { change }) : edge("pool", key, { change });
    });
    expect(inShort(condensed({ nodes, edges })).nodes).toContain("TCP edge e7");
  });

  it("then groups objects that look alike with their neighbors", () => {
    const nodes: MapNode[] = [];
    const edges: MapEdge[] = [];
    for (const i of many(100, (index) => index)) {
      nodes.push(node({ key: `e${i}`, role: "entry", kind: "TCP edge" }), backend(`b${i}`));
      edges.push(edge(`e${i}`, `b${i}`, { label: `weight ${i}` }));
    }
    nodes.push(backend("unused"));
    expect(inShort(condensed({ nodes, edges }))).toEqual({
      nodes: [
        "TCP edge [× 100]: e0 | e1 | e2 | and 97 more",
        "Tunnel group backend [× 100]: b0 | b1 | b2 | and 97 more",
        "Tunnel group backend unused",
      ],
      edges: ["TCP edge → Tunnel group backend [× 100]"],
    });
  });

  it("keeps the limits with 2,000 objects that all differ, and counts every object and edge", () => {
    const nodes = many(2000, (i) => backend(String(i).padStart(4, "0")));
    const edges = many(1999, (i) => edge(nodes[Math.floor((i * i) / 2500)]!.key, nodes[i + 1]!.key));
    const small = condensed({ nodes, edges });
    expect(small.nodes.length).toBeLessThanOrEqual(120);
    expect(small.edges.length).toBeLessThanOrEqual(200);
    expect(small.nodes.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
    expect(small.edges.reduce((sum, { count }) => sum + count, 0)).toBe(1999);
    expect(renderSvg({ nodes, edges })).toContain("<title>Map of the traffic: 2,000 objects</title>");
  });
});
