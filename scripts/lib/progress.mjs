/**
 * One line on stderr that says what is running and for how long: rewritten every second on a terminal, a plain line
 * every 30 seconds elsewhere. Call `note` with the current step and `end` at the end.
 */
export function progress(title) {
  const started = Date.now();
  const terminal = process.stderr.isTTY === true;
  let detail = "";

  const line = () => `${title} … ${elapsed(started)}${detail && `  ${detail}`}`;
  const show = () => {
    if (!terminal) return void process.stderr.write(`${line()}\n`);
    process.stderr.write(`\r\x1b[K${line().slice(0, (process.stderr.columns ?? 80) - 1)}`);
  };
  show();
  const timer = setInterval(show, terminal ? 1000 : 30_000);
  timer.unref();

  return {
    note(text) {
      detail = text.trim();
    },
    end(outcome) {
      clearInterval(timer);
      process.stderr.write(`${terminal ? "\r\x1b[K" : ""}${title}: ${outcome} after ${elapsed(started)}\n`);
    },
  };
}

function elapsed(since) {
  const seconds = Math.floor((Date.now() - since) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
