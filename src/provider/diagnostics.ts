/** What a hook tells beside its result: one line on stdout, which a preview shows under the stack. */

/** Tells each line once per process, because Pulumi asks for one diff several times. */
export class Diagnostics {
  private readonly warned = new Set<string>();

  constructor(private readonly write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {}

  /** Tells something of the work as a whole, as often as it is asked to. */
  print(text: string): void {
    this.write(`tunnel-gateway: ${text}`);
  }

  /** Tells something of the object, named by its type and id. */
  warn(type: string, id: string, text: string): void {
    const line = `${type} ${id}: ${text}`;
    if (this.warned.has(line)) return;
    this.warned.add(line);
    this.write(line);
  }
}

/** The notices of this process. */
export const diagnostics = new Diagnostics();
