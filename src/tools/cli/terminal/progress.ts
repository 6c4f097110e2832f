/** Progress on stderr; stdout is for results. */

import { withoutCommands, escapeControls, escapeMessage } from "../../../schema/text/escape";

let isOpen = false;
/** The time of the last line, or of the start, by a monotonic clock. */
let lastNote = performance.now();

/** The shortest time between two progress lines without a terminal, in milliseconds. */
const interval = 10_000;

/** Begins a command, which has no line yet. */
export function begin(): void {
  lastNote = performance.now();
}

/** Prints a line that stays. */
export function note(line: string): void {
  clear();
  lastNote = performance.now();
  process.stderr.write(`${withoutCommands(escapeMessage(line))}\n`);
}

/** Shows a progress line that the next one replaces. Without a terminal it prints a line from time to time. */
export function status(line: string): void {
  if (!process.stderr.isTTY) {
    if (performance.now() >= lastNote + interval) note(line);
    return;
  }
  clear();
  process.stderr.write(escapeControls(line).slice(0, Math.max(10, (process.stderr.columns || 80) - 1)));
  isOpen = true;
}

/** Removes the progress line. */
export function clear(): void {
  if (isOpen) process.stderr.write("\r\u001b[2K");
  isOpen = false;
}
