// Replaces what differs from run to run with fixed values: ids, times, durations, ports and folders.
import { createHash } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a function for all output of one run. It replaces equal ids with equal ids. */
export function steadier({ folder, baseUrl }) {
  const ids = new Map();
  const idFor = (whole, prefix) => {
    if (!ids.has(whole)) ids.set(whole, prefix + digest(`${prefix}${ids.size}`));
    return ids.get(whole);
  };
  return (output) =>
    output
      .replaceAll(baseUrl, "http://127.0.0.1:8080")
      .replaceAll(folder, "~")
      .replace(/\b([a-z]+_)[0-9A-Za-z]{27}\b/g, idFor)
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-01T12:00:00Z")
      .replace(/^Previewing the stack dev\n/gm, "") // after ten seconds only
      .replace(/Duration: .*\d+s/g, "Duration: 1s")
      .replace(/ \(\d+(\.\d+)?s\)/g, " (0.1s)");
}

/** 27 characters that look like those of an id. */
function digest(text) {
  return [...createHash("sha256").update(text).digest()]
    .slice(0, 27)
    .map((byte) => alphabet[byte % 62])
    .join("");
}
