/** The options of an import, and how it reports. */
import type { Modules } from "../inventory/account";
import type { Reporter } from "../inventory/connection";
import type { ImportSelection } from "./objects/selection";

export interface ImportOptions extends ImportSelection {
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
  readonly reporter: ImportReporter;
}

/** An explicit provider: its variable in the program and its URN in the stack. */
interface NamedProvider {
  readonly variable: string;
  readonly urn: string;
}

interface ImportReporter extends Reporter {
  /** A line of the result, on stdout. */
  readonly print: (line: string) => void;
  /** Sets the message for an interrupt from now on: the state of the work, and what to do. */
  readonly onInterrupt: (message: string) => void;
}
