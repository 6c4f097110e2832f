/** The options of an import, and the interface to report its progress. */
import type { DocumentBlock } from "../output/document";
import type { Modules } from "../inventory/account-contents";
import type { Reporter } from "../inventory/connect";
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

/** The URN of the provider by its name in an import file; empty for the default provider. */
export function nameTableOf(provider: NamedProvider | undefined): Record<string, string> {
  return provider ? { [provider.variable]: provider.urn } : {};
}

interface ImportReporter extends Reporter {
  /** Prints a part of the result on stdout: a paragraph as text, or another block. */
  readonly print: (part: string | DocumentBlock) => void;
  /** Prints code for a program on stdout. */
  readonly printCode: (code: string) => void;
  /** Sets the message for a later interrupt: the state of the work, and the next step for the user. */
  readonly onInterrupt: (message: string) => void;
}
