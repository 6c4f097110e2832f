/** Where a world runs: the real CLI and the emulator on loopback, or the small engine and virtual time. */
import type { AccessMoment, FaultRule, Snapshot } from "../../src/emulator";
import type { WorldResource } from "../rounds/world";
import type { State } from "./agreement";
import type { Round } from "./plan";

/** A step of a preview that is not `same`. */
export interface Change {
  readonly op: string;
  readonly name: string;
  readonly urn: string;
}

/** How a command ended. */
export interface Ending {
  readonly how: "well" | "failed" | "plugin killed" | "CLI killed";
  /** What it printed: the lines of plugins, and what was wrong. */
  readonly output: string;
  /** All that it shows of resources, with secrets masked, where that is not in the output. */
  readonly display: string;
  /** Of a preview. */
  readonly changes: readonly Change[];
}

export interface UpOptions {
  readonly program: readonly WorldResource[];
  readonly refreshes?: boolean;
  readonly logs?: boolean;
  /** Names of the resources that change; default: all. */
  readonly targets?: readonly string[] | undefined;
}

/** What `tunnel-gateway orphans` found. */
export interface Found {
  readonly orphans: readonly { readonly type: string; readonly id: string; readonly driftOf?: string }[];
  /** What an import of its file brings in. */
  readonly imports: readonly {
    readonly name: string;
    readonly id: string;
    /** Whether the file does not have a secret of the object. */
    readonly lacksSecret?: boolean;
  }[];
  readonly import: () => Promise<void>;
}

/** A stack. Its commands are those of Pulumi and of the package; each has ended, with all that it left behind. */
export interface WorldStack {
  readonly state: State;
  preview(program: readonly WorldResource[], options?: { readonly refreshes?: boolean }): Promise<Ending>;
  up(options: UpOptions): Promise<Ending>;
  refresh(options?: { readonly clearsPending?: boolean; readonly logs?: boolean }): Promise<Ending>;
  destroy(options?: { readonly logs?: boolean }): Promise<Ending>;
  /** Lets every resource be deleted, as `pulumi state unprotect --all` does. */
  unprotect(): Promise<void>;
  /** With a program it also compares what that is about to create. */
  orphans(program?: readonly WorldResource[]): Promise<Found>;
  /** What must hold no secret in plaintext, by where it is. */
  texts(): Iterable<readonly [where: string, text: string]>;
}

/** A request of a command, as it was sent. */
export interface Sent {
  readonly process?: string;
  readonly method: string;
  /** With the query, where it is known. */
  readonly path: string;
  readonly body: unknown;
  /** 0 where no answer was sent. */
  readonly status: number;
  readonly answer?: string;
  readonly fault?: string | undefined;
}

export interface WorldAccount {
  readonly apiKey: string;
  snapshot(): Snapshot;
  /** Sends a request of nobody in the world. */
  ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** Requests by hand happen so long ago, in milliseconds. */
  setBack(milliseconds: number): void;
  setFaults(rules: readonly FaultRule[]): void;
  /** Who got in at each edge since the last call of `takeSent`. */
  accessHistory(): readonly AccessMoment[];
  /** The requests of commands since the last call. */
  takeSent(): readonly Sent[];
}

/** How a round was disturbed. */
export interface Disturbance {
  readonly isDisturbed: boolean;
  /** Whether all that disturbed it is one fault that the package promises to overcome. */
  readonly isHarmless: boolean;
}

export interface Stage {
  /** How many objects a page of a list has. */
  readonly pageSize: number;
  readonly stack: WorldStack;
  /** Another stack of the account; undefined where worlds do without. */
  readonly other: WorldStack | undefined;
  readonly account: WorldAccount;
  /** Milliseconds since the world began. */
  readonly now: () => number;
  /** Lets the account grow older than the round, by so many hours where time is not real. */
  rest(hours?: number): Promise<void>;
  /** Calls back after each write that the service has done, with its method and path. Undefined ends that. */
  watch?(onWrite: ((request: string) => void) | undefined): void;
  /** The faults and the kill of the round begin. They end with the function that it returns. */
  disturb(round: Round, isLast: boolean): () => Disturbance;
}
