/** Lines for the user beside the result of a hook. A preview shows them under the stack. */
import type { Declaration } from "../schema/declaration";
import { escapeControls } from "../schema/text/escape";

/** Prints each warning once per process, because Pulumi asks for one diff several times. */
export class Diagnostics {
  private readonly warned = new Set<string>();

  constructor(
    /** Prints a line in which control characters are escapes. */
    private write: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
  ) {}

  /** Prints through the engine's log from now on. */
  showBy(log: { readonly print: (line: string) => void }): void {
    this.write = (line) => log.print(line);
  }

  /** Prints a line that is not about one object, every time. */
  print(text: string): void {
    this.write(escapeControls(`tunnel-gateway: ${text}`));
  }

  /** Prints a warning about the object once, as "IP policy rule ipr_1: …": a hook knows no name of the program. */
  warn({ noun }: Declaration, id: string, text: string): void {
    const line = escapeControls(`${noun} ${id}: ${text}`);
    if (this.warned.has(line)) return;
    this.warned.add(line);
    this.write(line);
  }
}

/** The diagnostics of this process. */
export const diagnostics = new Diagnostics();
