/**
 * Objects that the program declares and that other steps of the plan change: a deletion, an update or a replacement under
 * another name may reach the same object.
 */
import type { LifeCycle } from "../../provider/life-cycle/life-cycle";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { argumentsIn, withoutMasks } from "../../schema/recorded-state";
import { policyOf } from "../../schema/rule-set";
import { listText, quote } from "../../schema/text/phrase";
import { asText } from "../../schema/unknown";
import { hiddenUrl } from "../stack/mask";
import type { RehearsedRequest } from "./rehearsed-account";

/** A resource after its last step. */
export interface DeclaredObject {
  readonly declaration: Declaration;
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
  readonly provider: string | undefined;
  /** The position of that step. */
  readonly step: number;
}

/** The URNs of the resources that writes of other steps have touched. A write to a rule touches its policy too. */
export function touchedByOthers(
  declared: ReadonlyMap<string, DeclaredObject>,
  requests: readonly RehearsedRequest[],
  rulesBefore: readonly Json[],
): string[] {
  const policies = new Map(rulesBefore.map((rule) => [String(rule.id), asText(policyOf(rule))]));
  const writes = requests.flatMap(({ changes, step }) =>
    changes.flatMap(({ id, object }) => {
      if (object?.ip_policy !== undefined) policies.set(id, asText(policyOf(object)));
      return [id, policies.get(id)].map((of) => ({ of, step }));
    }),
  );
  const writers = Map.groupBy(writes, ({ of }) => of);
  const isTouched = ([, { id, step }]: [string, DeclaredObject]): boolean =>
    id.split("/").some((part) => writers.get(part)?.some((write) => write.step !== step));
  return [...declared].filter(isTouched).map(([urn]) => urn);
}

/** How another step has changed the object of a resource; undefined if none has. */
export async function undoneIn(cycle: LifeCycle, object: DeclaredObject): Promise<string | undefined> {
  const found = await cycle.read(object.id, withoutMasks(object.declaration, object));
  if (found.id === "") return "another step deletes it";
  if (found.inputs === undefined) return undefined;
  const [before, after] = [argumentsIn(object.outputs), argumentsIn(found.inputs)];
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  // Whether a secret differs is not known.
  if (changed.length === 0) return undefined;
  return `another step changes its ${listText(changed.map(quote), "argument")}`;
}

/** The same for a step with a provider whose base URL only the environment knows: its account may be that of the resource. */
export function undoneElsewhere(
  { id }: DeclaredObject,
  baseUrl: string,
  requests: readonly RehearsedRequest[],
): string | undefined {
  const mayBeThere = (other: string): boolean => other !== baseUrl && [other, baseUrl].includes(hiddenUrl);
  const isTouched = requests.some(
    (request) => mayBeThere(request.baseUrl) && request.changes.some((change) => change.id === id),
  );
  return isTouched ? "a step with another provider changes or deletes it" : undefined;
}
