/** What a hook tells beside its result: one line on stdout, which a preview shows under the stack. */

/** Tells each line once per process, because Pulumi asks for one diff several times. */
export class Notices {
  private readonly told = new Set<string>();

  constructor(private readonly write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {}

  /** Tells something of the work as a whole, as often as it is asked to. */
  say(text: string): void {
    this.write(`tunnel-gateway: ${text}`);
  }

  /** Tells something of the object, named by its type and id. */
  tell(type: string, id: string, text: string): void {
    const line = `${type} ${id}: ${text}`;
    if (this.told.has(line)) return;
    this.told.add(line);
    this.write(line);
  }
}

/** The notices of this process. */
export const notices = new Notices();
