/** The texts of nodes and edges, which all formats share. They are plain text: each format escapes them in its own way. */
import { escapeControls } from "../text/terminal";
import type { MapEdge, MapNode } from "./model";

/** The most characters of a line. */
const longest = 48;

export interface NodeLabel {
  /** What it is, and what happens to it. */
  readonly title: string;
  /** Undefined for a group and for the clients. */
  readonly name: string | undefined;
  readonly facts: readonly string[];
}

export function nodeLabel(node: MapNode): NodeLabel {
  const { kind, name, facts, presence, change, isUnmanaged, count } = node;
  const title = `${kind}${count > 1 ? ` × ${count.toLocaleString("en-US")}` : ""}`;
  const remarks = [
    ...(presence === "outside" ? ["outside of this program"] : []),
    ...(presence === "missing" ? ["does not exist"] : []),
    ...(isUnmanaged ? ["not in the stack"] : []),
  ];
  const shown = presence === "unknown" && name === "" ? "known after the deployment" : name;
  return {
    title: line(change === "same" ? title : `${title}: ${change}`),
    name: shown === "" ? undefined : line(shown),
    facts: [...facts, ...remarks].map(line),
  };
}

/** The text of an edge; may be empty. It leaves out a change that one of its ends shows. */
export function edgeLabel({ label, change, count }: MapEdge, ends: readonly MapNode[]): string {
  const parts = [label, ...(count > 1 ? [`× ${count.toLocaleString("en-US")}`] : [])];
  const text = parts.filter((part) => part !== "").join(" ");
  const isShown =
    change === "same" ||
    (change === "changed" && label !== "") ||
    ends.some((node) => node.change === change);
  if (isShown) return line(text);
  return line(text === "" ? change : `${text}: ${change}`);
}

/** A line of bounded length without control characters. Surrogate pairs stay whole. */
function line(text: string): string {
  const characters = [...escapeControls(text)];
  return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}
