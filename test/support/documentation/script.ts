/** A page's commands as one bash script, whose output shows which block printed what. */
import type { Block } from "./blocks";

/** What a session does with a block: run its commands, or have its text in a file. */
export type Step =
  | { readonly block: Block; readonly commands: string }
  | { readonly block: Block; readonly file: string; readonly text: string };

/** Stands before the number of a block, and of the failure, in the output. */
const mark = "\u001e";

const functions = `
set -eo pipefail
exec 2>&1
mark() { printf '\\n${mark}%s\\n' "$1"; }
ended() {
  [ "$1" -eq 0 ] || printf '\\n%s: ended with exit code %s\\n' "$2" "$1"
}
trap 'ended $? "$BASH_COMMAND"' EXIT
ends_with() {
  [ "$2" -eq "$1" ] || { printf 'ended with exit code %s, not %s\\n' "$2" "$1"; exit 1; }
}
listening() {
  for _ in $(seq 150); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "nothing listens on port $1"
  exit 1
}
`;

/** `place` gives the file that holds the text of a step. */
export function scriptOf(steps: readonly Step[], place: (step: Step) => string): string {
  const parts = steps.map((step, i) => {
    const run =
      "file" in step
        ? `mkdir -p "$(dirname ${step.file})"\ncp "${place(step)}" "${step.file}"`
        : lines(step.commands).map(command).join("\n");
    return `mark ${i}\n${run}\n`;
  });
  return `${functions}\n${parts.join("\n")}\nmark end\n`;
}

/** What each step printed; a step that was not reached is missing. */
export function outputsOf(output: string): string[] {
  const [, ...parts] = output.split(new RegExp(`\n${mark}(?:\\d+|end)\n`));
  return parts;
}

/** Lines as they are, those that a backslash continues joined. */
function lines(code: string): string[] {
  return code.trimEnd().split(/(?<!\\)\n/);
}

const isEmulator = /\btunnel-gateway emulator\b/;

function command(line: string): string {
  // A page may show what fails: "# ends with exit code 3".
  const expected = /#.*\bexit code (\d+)/.exec(line)?.[1];
  if (expected !== undefined) return `set +e\n${line}\nends_with ${expected} $?\nset -e`;
  if (!isEmulator.test(line) || /\bemulator --help\b/.test(line)) return line;
  // A reader starts the server in another terminal or in the background.
  const port = /--port (\d+)/.exec(line)?.[1];
  const background = line.trimEnd().endsWith("&") ? line : `${line.replace(/\s#.*$/, "")} &`;
  return port === undefined || port === "0" ? background : `${background}\nlistening ${port}`;
}
