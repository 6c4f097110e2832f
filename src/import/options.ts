/** What an import is told, and how it tells. */
import type { ConfigSource } from "../provider/settings";
import type { Modules } from "../account/contents";
import type { NamedProvider } from "./prepare";
import type { Selection } from "./selection";

export interface ImportOptions extends Selection {
  /** The folder for the program's files. */
  readonly out: string;
  /** The folder of the Pulumi project. */
  readonly cwd: string;
  readonly stack?: string;
  readonly run: boolean;
  readonly force: boolean;
  readonly protect: boolean;
  readonly modules: Modules;
  readonly provider?: NamedProvider;
  /** The module that exports the provider's variable. */
  readonly providerFrom: string;
  /** Settings of the stack's configuration. */
  readonly source: () => Promise<ConfigSource>;
  readonly voice: Voice;
}

/** How the user is told. */
interface Voice {
  /** What is going on now. */
  status(line: string): void;
  /** A line that stays. */
  note(line: string): void;
  /** A line of the result. */
  say(line: string): void;
  /** From now on an interrupt is told like this: how things stand then, and what to do. */
  interrupted(story: string): void;
}
