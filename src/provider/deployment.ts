/**
 * What the plugins of one deployment know of each other. Pulumi starts a plugin for each provider, and asks the one of the old
 * object to delete a path at which the program may declare another object with another provider. All plugins know the
 * address of the engine, so each writes what the program declares to a file of that name.
 */
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Json } from "../schema/json";
import { hour } from "../schema/text/phrase";

/** What the program declares at a path with another provider. */
interface DeclaredElsewhere {
  readonly isRefused: boolean;
  /** Its arguments, where those of its class are no secrets. */
  readonly args?: Json;
}

/** How long the files of other deployments stay. Pulumi kills its plugins, so none removes its own. */
const keptFor = hour;

export class Deployment {
  private readonly file: string;
  /** What this plugin last wrote of each place. */
  private readonly noted = new Map<string, string>();

  /**
   * @param name what all plugins of the deployment know.
   * @param writer the process of this one.
   */
  constructor(
    private readonly folder: string,
    private readonly name: string,
    writer: number,
  ) {
    this.file = `${name}-${writer}.jsonl`;
  }

  /** That of the engine with the address; undefined where there is none. */
  static of(engine: string | undefined): Deployment | undefined {
    if (engine === undefined) return undefined;
    const folder = join(process.env.PULUMI_HOME ?? join(homedir(), ".pulumi"), "tunnel-gateway");
    return new Deployment(folder, engine.replace(/\W/g, "_"), process.pid);
  }

  /** Notes what the program declares at a place. */
  note(place: string, declared: DeclaredElsewhere): void {
    const line = JSON.stringify({ place: digest(place), ...declared });
    const content = digest(line);
    if (this.noted.get(place) === content) return;
    this.noted.set(place, content);
    const isFirst = this.noted.size === 1;
    ifPossible(() => {
      if (isFirst) mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(this.folder, this.file), `${line}\n`, { mode: 0o600 });
    });
    if (isFirst) ifPossible(() => this.removeOld());
  }

  /** What the program declares at a place with other providers. */
  elsewhere(place: string): DeclaredElsewhere[] {
    // A later deployment may have the address of one that ended: its plugins have ended too.
    const others = this.files().filter(
      (name) =>
        this.isOwn(name) &&
        name !== this.file &&
        isRunning(Number.parseInt(name.slice(this.name.length + 1))),
    );
    const wanted = digest(place);
    return others.flatMap((name) => {
      const text = ifPossible(() => readFileSync(join(this.folder, name), "utf8")) ?? "";
      // What comes after the last end of a line is not written yet.
      const lines = text.split("\n").slice(0, -1);
      const last = lines.findLast((line) => line.includes(wanted));
      return last === undefined ? [] : [JSON.parse(last) as DeclaredElsewhere];
    });
  }

  /** Whether the file is of this deployment. */
  private isOwn(name: string): boolean {
    return name.startsWith(`${this.name}-`);
  }

  private files(): string[] {
    return ifPossible(() => readdirSync(this.folder)) ?? [];
  }

  private removeOld(): void {
    for (const name of this.files().filter((each) => !this.isOwn(each))) {
      const path = join(this.folder, name);
      if (Date.now() - statSync(path).mtimeMs > keptFor) rmSync(path, { force: true });
    }
  }
}

/** Whether a process still runs, also one of another user. */
export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The result of work on files; undefined where it fails, as in a home that cannot be written: no other plugin knows then. */
function ifPossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
