/** What is told on stderr while something takes long, so that stdout holds the result alone. */

let open = false;

/** A line that stays. */
export function note(line: string): void {
  clear();
  process.stderr.write(`${line}\n`);
}

/** What is going on now: one line that changes, on a terminal only. */
export function status(line: string): void {
  if (!process.stderr.isTTY) return;
  clear();
  process.stderr.write(line.slice(0, Math.max(10, (process.stderr.columns || 80) - 1)));
  open = true;
}

/** Takes the changing line away. */
export function clear(): void {
  if (open) process.stderr.write("\r\u001b[2K");
  open = false;
}
