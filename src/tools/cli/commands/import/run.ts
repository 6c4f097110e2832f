import { resolve } from "node:path";
import { paragraph } from "../../../output/document";
import { adopt } from "../../../import/adopt/adopt";
import { importAccount } from "../../../import/import-account";
import { importOne } from "../../../import/import-one";
import { writeNativeFile } from "../../../import/native-file";
import { chosenTypes, matching, typeNamed } from "../../../import/objects/selection";
import type { ImportOptions } from "../../../import/import-options";
import { excludedBy } from "../../../inventory/excluded";
import { isProject, projectAbove } from "../../../stack/project-folder";
import { requireFolder } from "../../../stack/pulumi";
import { UsageError, onOptions } from "../../command";
import { accountOf, modulesOf } from "../../shared-options";
import type { ModuleFlags, StackFlags } from "../../shared-options";
import { interruptible } from "../../terminal/interruptible";
import { printBlocks, printLine } from "../../terminal/output";
import { clear, note, status } from "../../terminal/progress";

interface Flags extends StackFlags, ModuleFlags {
  out?: string;
  format: "typescript" | "pulumi";
  only?: string;
  except?: string;
  filter?: string[];
  exclude?: string[];
  provider?: string;
  providerFrom: string;
  protect: boolean;
  force?: boolean;
  run?: boolean;
  adopt?: boolean;
}

export async function run(
  className: string | undefined,
  name: string | undefined,
  id: string | undefined,
  flags: Flags,
): Promise<void> {
  checkFlags(className, id, flags);
  const modules = modulesOf(flags);
  if (flags.cwd !== undefined) requireFolder(flags.cwd);
  const isHere = isProject(".");
  const above = isHere || flags.cwd !== undefined ? undefined : projectAbove(resolve("."));
  if (above !== undefined && className === undefined)
    throw new UsageError(
      `this folder is inside the project ${above}: run the command there, or name a folder with --cwd`,
    );
  const cwd = resolve(flags.cwd ?? (isHere ? "." : (flags.out ?? ".")));
  const selection = {
    only: classNames("--only", flags.only),
    except: classNames("--except", flags.except),
    filter: flags.filter ?? [],
    exclude: flags.exclude ?? [],
  };
  onOptions(() => {
    chosenTypes(selection);
    matching(selection);
    excludedBy(selection);
    if (className !== undefined) typeNamed(className);
  });
  await interruptible((interrupted) => {
    const options: ImportOptions = {
      ...selection,
      out: flags.out === undefined ? cwd : resolve(flags.out),
      cwd,
      stack: flags.stack,
      run: flags.run ?? false,
      force: flags.force ?? false,
      // With --adopt, the program decides what is protected.
      protect: flags.protect && !flags.adopt,
      modules,
      provider: providerOf(flags.provider),
      providerFrom: flags.providerFrom,
      reporter: {
        status,
        note,
        print: (part) => (clear(), printBlocks([typeof part === "string" ? paragraph(part) : part])),
        printCode: (code) => (clear(), printLine(code)),
        onInterrupt: interrupted,
      },
    };
    if (className !== undefined) return importOne(options, className, name!, id!);
    if (flags.adopt) return adopt(options);
    return flags.format === "pulumi" ? writeNativeFile(options) : importAccount(options);
  }).finally(clear);
}

/** Throws a UsageError if the options do not fit together. */
function checkFlags(className: string | undefined, id: string | undefined, flags: Flags): void {
  if (className !== undefined && id === undefined)
    throw new UsageError("one object needs its class, name and id: import IpPolicy office ipp_2abc");
  if (flags.run && flags.stack === undefined)
    throw new UsageError("--run needs --stack <name>, the stack to import into");
  checkAdopt(className, flags);
  if (flags.format === "pulumi" && className !== undefined)
    throw new UsageError(
      "--format pulumi lists an account. For one object run pulumi import tunnel-gateway:index:<class> <name> <id>",
    );
  if (flags.format === "pulumi" && flags.run)
    throw new UsageError(
      "--format pulumi writes a file for pulumi import: run that command instead of --run",
    );
  accountOf({ ...flags, cwd: undefined });
}

/** With --adopt, the program decides what is adopted, and under which provider. */
function checkAdopt(className: string | undefined, flags: Flags): void {
  if (!flags.adopt) return;
  if (flags.stack === undefined)
    throw new UsageError("--adopt needs --stack <name>, the stack of the program that has lost its state");
  const { only, except, filter, exclude, provider, out } = flags;
  const chosen = [only, except, filter, exclude, provider, out, className].some(
    (value) => value !== undefined,
  );
  if (chosen || flags.format === "pulumi")
    throw new UsageError(
      "--adopt takes neither a class nor a choice of objects, a provider, a format or --out: the program says what it adopts",
    );
}

/** The classes in a list. An empty list, such as an unset variable, is refused: it would select all classes. */
export function classNames(option: string, text: string | undefined): string[] {
  const found = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (text !== undefined && found.length === 0) throw new UsageError(`${option} names no class`);
  return found;
}

function providerOf(text: string | undefined): { variable: string; urn: string } | undefined {
  if (text === undefined) return undefined;
  const match = /^([A-Za-z_$][\w$]*)=(urn:.+)$/.exec(text);
  if (!match) {
    throw new UsageError(
      `--provider takes <variable>=<urn>, such as partner=urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::partner, not ${JSON.stringify(text)}`,
    );
  }
  return { variable: match[1]!, urn: match[2]! };
}
