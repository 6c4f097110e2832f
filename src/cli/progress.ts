/** What is told on stderr while something takes long, so that stdout holds the result alone. */

let open = false;
let toldAt: number | undefined;

/** How far apart the lines are where they cannot change, in milliseconds. */
const silence = 10_000;

/** A line that stays. */
export function note(line: string): void {
  clear();
  toldAt = Date.now();
  process.stderr.write(`${line}\n`);
}

/** What is going on now: one line that changes; where there is no terminal, a plain one now and then. */
export function status(line: string): void {
  if (!process.stderr.isTTY) {
    toldAt ??= Date.now();
    if (Date.now() >= toldAt + silence) note(line);
    return;
  }
  clear();
  process.stderr.write(line.slice(0, Math.max(10, (process.stderr.columns || 80) - 1)));
  open = true;
}

/** Takes the changing line away. */
export function clear(): void {
  if (open) process.stderr.write("\r\u001b[2K");
  open = false;
}
