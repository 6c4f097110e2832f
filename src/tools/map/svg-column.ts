/**
 * The layout of the picture for a phone: one box below the other in the order of the traffic, and the ways between them in
 * lanes on the left. It is always as wide as the page on a phone, so no text shrinks.
 */
import { labelled } from "./labels";
import type { LabelledEdge, LabelledNode, Line } from "./labels";
import type { TrafficMap } from "./model";
import { heightOf, labelWidth, lineHeight, lineWidth, padding, px } from "./svg-layout";
import type { Box, Layout, Way } from "./svg-layout";

/** The page of a phone of 390 pixels, without its margins. */
const width = 358;
const laneWidth = 7;
/** Further ways share the last lane. */
const mostLanes = 12;
const gap = 12;

export function inOneColumn(map: TrafficMap): Layout {
  const { nodes, edges } = labelled(map);
  const order = inOrder(nodes, edges);
  const places = new Map(order.map((node, index) => [node, index]));
  const { lanes, count } = lanesOf(edges, places);
  const left = count * laneWidth + 14;
  const boxWidth = width - left - 2;
  const boxes = new Map<LabelledNode, LabelledNode & Box>();
  const labels = new Map<LabelledEdge, number>();
  let y = gap;
  for (const node of order) {
    for (const edge of edges.filter(({ to, text }) => to === node && text !== "")) {
      labels.set(edge, y + lineHeight / 2);
      y += lineHeight + 2;
    }
    const lines = node.lines.flatMap((line) => wrapped(line, boxWidth - 2 * padding));
    const height = heightOf(lines);
    boxes.set(node, { ...node, lines, x: left + boxWidth / 2, y: y + height / 2, width: boxWidth, height });
    y += height + gap;
  }
  const ways = edges.map((each): Way => {
    const [from, to] = [boxes.get(each.from)!, boxes.get(each.to)!];
    const lane = left - 12 - laneWidth * lanes.get(laneKey(each))!;
    const end = { x: left, y: to.y - to.height / 2 + padding };
    const path = `M${px(left)},${px(from.y + from.height / 2 - padding)}H${px(lane)}V${px(end.y)}H${px(left)}`;
    const label = { x: left + labelWidth(each.text) / 2, y: labels.get(each) ?? end.y };
    return { edge: each.edge, text: each.text, path, end, label };
  });
  return { boxes: [...boxes.values()], ways, width, height: Math.ceil(y) };
}

/** The nodes, each followed by those that traffic reaches through it. */
function inOrder(nodes: readonly LabelledNode[], edges: readonly LabelledEdge[]): LabelledNode[] {
  const found = new Set<LabelledNode>();
  const add = (node: LabelledNode): void => {
    if (found.has(node)) return;
    found.add(node);
    for (const { to } of edges.filter(({ from }) => from === node)) add(to);
  };
  nodes.forEach(add);
  return [...found];
}

/** Ways that leave one box and look alike share a lane, like the branches of a tree. */
function laneKey({ from, edge: { passage, change } }: LabelledEdge): string {
  return `${from.id} ${passage} ${change}`;
}

/** A lane for the ways of each key, from the boxes to the left. Ways in one lane overlap only if there is no free lane. */
function lanesOf(
  edges: readonly LabelledEdge[],
  places: ReadonlyMap<LabelledNode, number>,
): { lanes: ReadonlyMap<string, number>; count: number } {
  const spans = [...Map.groupBy(edges, laneKey)].map(([key, own]) => {
    const ends = own.flatMap(({ from, to }) => [places.get(from)!, places.get(to)!]);
    const [first, last] = [Math.min, Math.max].map((end) => ends.reduce((a, b) => end(a, b)));
    return { key, first: first!, last: last! };
  });
  const taken: (typeof spans)[] = [];
  const lanes = new Map<string, number>();
  for (const span of spans.sort((a, b) => a.last - a.first - (b.last - b.first))) {
    const isFree = (lane: typeof spans): boolean =>
      lane.every(({ first, last }) => last < span.first || first > span.last);
    const free = taken.findIndex(isFree);
    const lane = free >= 0 ? free : Math.min(taken.length, mostLanes - 1);
    (taken[lane] ??= []).push(span);
    lanes.set(span.key, lane);
  }
  return { lanes, count: taken.length };
}

/** The line, broken to fit into a box: between words, or within a word that is too long. */
function wrapped(line: Line, most: number): Line[] {
  const texts = [""];
  for (const word of line.text.split(/(?<= )/)) {
    const fits = (text: string): boolean => lineWidth({ ...line, text: text.trimEnd() }) <= most;
    if (fits(texts.at(-1)! + word)) texts[texts.length - 1] += word;
    else {
      if (texts.at(-1) !== "") texts.push("");
      for (const character of word) {
        if (!fits(texts.at(-1)! + character)) texts.push("");
        texts[texts.length - 1] += character;
      }
    }
  }
  return texts.map((text) => ({ ...line, text: text.trimEnd() }));
}
