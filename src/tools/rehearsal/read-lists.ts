/** The lists of the real account that a rehearsal reads. */
import type { AccountClient } from "../../account/account-client";
import type { Snapshot } from "../../emulator/types";
import { declarationOf, declarationWithId } from "../../resources/registry";
import { occupyingDeclarations } from "../../schema/declaration";
import { idSlots } from "../../schema/references";
import { readAccount } from "../inventory/account-contents";
import { isImport } from "../stack/preview-text";
import type { StepPlan } from "../stack/preview";
import { PlannedProviders } from "./accounts";
import { hasMeaning, listsWithModules } from "./recorded-account";

/**
 * Reads lists of the default provider's account, each once: those that may have objects that are in the way of new ones, those
 * of objects that the plan refers to and the stack does not have, and those of objects that the plan changes or deletes, with
 * the modules among these. Throws a GatewayError if a request fails.
 */
export async function readLists(plan: StepPlan, connect: () => Promise<AccountClient>): Promise<Snapshot> {
  const { paths, modules } = neededFor(plan);
  const singletons = new Set(modules.map(({ path }) => path));
  if (paths.size + singletons.size === 0) return {};
  const idsOf = (owner: string): string[] =>
    modules.flatMap(({ path, id }) => (path.startsWith(owner) ? [id] : []));
  const { objects } = await readAccount({
    client: await connect(),
    isChosen: ({ path }) => paths.has(path) || singletons.has(path),
    modules: { httpsRoutes: idsOf("/edges/https/"), tlsEdges: idsOf("/edges/tls/") },
  });
  const answers = Map.groupBy(objects, ({ declaration }) => declaration.path);
  const lists = [...paths].map((path) => [
    path.slice(1),
    (answers.get(path) ?? []).map(({ answer }) => answer),
  ]);
  return listsWithModules(
    Object.fromEntries(lists) as Snapshot,
    objects.filter(({ declaration }) => singletons.has(declaration.path)),
  );
}

/** The paths of lists, and modules. */
function neededFor(plan: StepPlan) {
  const providers = new PlannedProviders(plan);
  const recorded = new Set(plan.steps.flatMap(({ before }) => before?.id ?? []));
  const found = new Set<string>();
  const modules: { path: string; id: string }[] = [];
  for (const { op, before, after, changed } of plan.steps) {
    const state = after ?? before;
    if (op === "same" || state?.identity.kind !== "own") continue;
    if (!providers.hasDefaultAccount(state.provider)) continue;
    const { declaration } = state.identity;
    const { unique, occupies, address, setOf, path } = declaration;
    const isMade = before === undefined || op.startsWith("create");
    // The state may say something else of the object than the account.
    if (
      writesToObject.has(op) &&
      before?.id !== undefined &&
      Object.values(declaration.fields).some(hasMeaning)
    ) {
      if (declaration.style === "collection") found.add(path);
      if (declaration.style === "singleton") modules.push({ path, id: before.id });
    }
    if (setOf) found.add(setOf.path);
    if (isImport(op) && declaration.style === "collection") found.add(path);
    if (unique && declaration.style === "collection" && isMade) found.add(path);
    if (occupies && (isMade || changed.includes(address!)))
      for (const each of occupyingDeclarations()) found.add(each.path);
    const known = new Set(idSlots(declaration.fields, before?.inputs ?? {}).map(({ id }) => id));
    for (const { id, prefixes } of idSlots(declaration.fields, after?.inputs ?? {})) {
      if (id === undefined) continue;
      // A policy that a gate starts to use may have rules that the stack does not record.
      if (!known.has(id) && declaration.gates && prefixes.includes(declarationOf("IpPolicy").idPrefix!))
        found.add(declarationOf("IpPolicyRule").path);
      const other = recorded.has(id) ? undefined : declarationWithId(id);
      if (other?.style === "collection") found.add(other.path);
    }
  }
  return { paths: found, modules };
}

const writesToObject: ReadonlySet<string> = new Set(["update", "delete", "delete-replaced"]);
