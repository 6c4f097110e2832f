/** The line of the program that declares a resource: findings name it. */
import type { Json } from "../../schema/json";
import { itemsOf, membersOf } from "../../schema/unknown";

/** A line of the program; the file is relative to the project. */
export interface ProgramLine {
  readonly file: string;
  readonly line: number;
}

/** The innermost frame in the program itself; frames in node_modules belong to libraries. */
export function programLineOf({ sourcePosition, stackTrace }: Json): ProgramLine | undefined {
  for (const frame of [{ sourcePosition }, ...itemsOf(stackTrace)]) {
    const { sourcePosition: position } = membersOf(frame);
    const match = typeof position === "string" ? /^project:\/\/\/([^#]+)#(\d+)/.exec(position) : null;
    if (match && !match[1]!.includes("node_modules/")) return { file: match[1]!, line: Number(match[2]) };
  }
  return undefined;
}
