/** How commands read and print objects of the account. */
import { mapSecrets } from "../../../schema/secrets";
import { valueAt } from "../../../schema/unknown";
import { counted } from "../../../schema/text/phrase";
import type { Declaration } from "../../../schema/declaration";
import { textFilter } from "../../inventory/filter-text";
import { readEach, readOne, wrongId } from "../../../account/read-objects";
import type { AccountClient } from "../../../account/account-client";
import { UsageError, onOptions } from "../command";
import { connect } from "../../inventory/connect";
import { accountOf } from "../shared-options";
import type { AccountFlags, ListFlags, OutputFlags } from "../shared-options";
import { printJson, printPairs, printTable } from "../terminal/output";
import { clear, note, status } from "../terminal/progress";

type Values = Record<string, unknown>;

export async function read<T extends object = Values>(
  client: AccountClient,
  declaration: Declaration,
  owner: string | undefined,
  flags: Pick<ListFlags, "filter" | "limit">,
): Promise<T[]> {
  const filter = flags.filter && filterOf(declaration, flags.filter);
  const found: T[] = [];
  try {
    for await (const object of readEach<T>(client, declaration, owner, { filter, limit: flags.limit })) {
      found.push(object);
      if (found.length % 100 === 0) status(`Read ${counted(found.length, "object")} so far`);
    }
  } finally {
    clear();
  }
  return found;
}

/** Whether an object matches all `field=value` texts. Throws a UsageError for a field that it does not have. */
export function filterOf(declaration: Declaration, texts: readonly string[]): (object: object) => boolean {
  return onOptions(() => textFilter(texts, (field) => fieldProblem(declaration, field)));
}

function fieldProblem({ fields, noun }: Declaration, name: string): string | undefined {
  const known = ["id", ...Object.keys(fields)];
  return known.includes(name) ? undefined : `the ${noun} has no ${name}; it has ${known.join(", ")}`;
}

/** Reads and prints a list. Throws before it reads if a column or filter is wrong. */
export async function listObjects(
  declaration: Declaration,
  owner: string | undefined,
  flags: AccountFlags & ListFlags,
): Promise<void> {
  const chosen = flags.columns?.split(",");
  for (const column of chosen ?? []) {
    const problem = fieldProblem(declaration, column.split(".")[0]!);
    if (problem !== undefined) throw new UsageError(problem);
  }
  filterOf(declaration, flags.filter ?? []);
  const objects = await read(await connect(accountOf(flags), note), declaration, owner, flags);
  const shown = objects.map((object) => withoutSecrets(declaration, object, flags));
  if (flags.json) return printJson(shown);
  const columns = ["id", ...(chosen ?? declaration.columns)];
  printTable(
    columns,
    shown.map((object) => columns.map((column) => valueAt(object, column))),
  );
}

export async function showObject(
  declaration: Declaration,
  id: string,
  flags: AccountFlags & OutputFlags,
): Promise<void> {
  const wrong = wrongId(declaration, id);
  if (wrong !== undefined) throw new UsageError(wrong);
  const object = await readOne(await connect(accountOf(flags), note), declaration, id);
  const shown = withoutSecrets(declaration, object, flags);
  if (flags.json) printJson(shown);
  else printPairs(Object.entries(shown));
}

function withoutSecrets(declaration: Declaration, object: object, { showSecrets }: OutputFlags): Values {
  return showSecrets ? { ...object } : mapSecrets(declaration.fields, { ...object }, () => "[secret]");
}
