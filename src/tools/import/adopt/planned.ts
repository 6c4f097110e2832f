/** The resources that the next update of a stack would create, with the values that a preview knows. */
import { readFileSync } from "node:fs";
import type { Reference } from "../../inventory/inventory";
import type { PendingCreate, StackLocation } from "../../inventory/stack";
import { previewIn } from "../../inventory/read-preview";
import { previewFailure } from "../../orphans/planned-creates";
import { GatewayError } from "../../../provider/errors";
import { isDefaultProvider, isProviderType, nameIn } from "../../../provider/urn";
import type { Json } from "../../../schema/json";
import { withoutHidden } from "../../../schema/recorded-state";
import { isRecord, membersOf, recordsIn, valueAt } from "../../../schema/unknown";
import { isSigned } from "../../../schema/secrets";
import { argumentsFrom } from "../../../schema/values";
import { hasSecret, plaintextOf, secretInFile } from "../../stack/engine-secrets";
import { secretMask } from "../../stack/mask";
import { PulumiError, printedJson, pulumi } from "../../stack/pulumi";

/** A create of the program. Its arguments hold plaintext secrets, and markers for unknown values. */
export interface PlannedCreate extends PendingCreate {
  readonly references: readonly Reference[];
  /** The arguments with each secret masked. */
  readonly masked: Json;
}

/** A component or an explicit provider that the program creates around its resources. */
export interface PlannedSurrounding {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string | undefined;
  /** The inputs of a provider, with secrets in the form of an import file; undefined for a component. */
  readonly inputs: Json | undefined;
}

export interface PlannedProgram {
  readonly creates: readonly PlannedCreate[];
  readonly surroundings: readonly PlannedSurrounding[];
  /** The arguments of the explicit providers in plaintext, by URN. */
  readonly providers: ReadonlyMap<string, Json>;
}

/**
 * Runs the program in a preview.
 * @param planFile a private file for Pulumi's plan, the only output of a preview that shows secrets.
 */
export async function plannedProgram(
  { stack, cwd }: StackLocation,
  planFile: string,
): Promise<PlannedProgram> {
  const args = ["preview", "--stack", stack, "--json", "--save-plan", planFile, "--show-secrets"];
  const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "" };
  const { stdout } = await pulumi(args, { cwd, env }).catch((error: unknown) => {
    throw error instanceof PulumiError ? previewFailure(error, stack, "Fix the program") : error;
  });
  return programIn(stdout, plainInputs(readFileSync(planFile, "utf8")));
}

/** The inputs of new resources in a plan of Pulumi, in plaintext, by URN. */
function plainInputs(plan: string): Map<string, Json> {
  const { resourcePlans } = membersOf(printedJson(plan, "the plan of the preview"));
  const inputsOf = (each: unknown): unknown => valueAt(each, ["goal", "inputDiff", "adds"]);
  return new Map(
    Object.entries(membersOf(resourcePlans)).map(([urn, each]) => [
      urn,
      membersOf(plaintextOf(inputsOf(each) ?? {})),
    ]),
  );
}

/**
 * The same, from a preview as Pulumi prints it.
 * @param shown the inputs in plaintext, by URN.
 */
export function programIn(masked: string, shown: ReadonlyMap<string, Json>): PlannedProgram {
  const preview = previewIn(masked);
  if (!preview) throw new GatewayError("the planned creates could not be read: pulumi printed no JSON");
  const [mismatch] = preview.after.mismatches;
  if (mismatch) throw new GatewayError(`${mismatch.name} is not what it seems: ${mismatch.problem}`);
  const hidden = inputsIn(masked);
  const valuesOf = (urn: string): Json => membersOf(unmasked(hidden.get(urn), shown.get(urn)));
  const plan = preview.plan.steps;
  const created = plan.filter(({ op }) => op === "create");
  const creates = created.flatMap(({ urn }): PlannedCreate[] => {
    const object = preview.resources.get(urn)?.after;
    if (!object) return [];
    const values = argumentsFrom(membersOf(unmasked(withoutHidden(object.args), valuesOf(urn))));
    const references = preview.after.references(object);
    return [
      {
        ...object,
        ...{ name: nameIn(urn, object.record.type), args: values, values },
        ...{ references, masked: object.args },
      },
    ];
  });
  const surroundings = created.flatMap(({ urn, after }): PlannedSurrounding[] => {
    if (!after || isDefaultProvider(urn) || after.type === stackType) return [];
    const isProvider = isProviderType(after.type);
    if (after.custom && !isProvider) return [];
    const inputs = isProvider ? membersOf(marked(valuesOf(urn), hidden.get(urn))) : undefined;
    return [{ urn, type: after.type, name: nameIn(urn, after.type), parent: after.parent, inputs }];
  });
  const providers = new Map(
    plan
      .filter(({ urn, after }) => after && isProviderType(after.type) && !isDefaultProvider(urn))
      .map(({ urn }) => [urn, valuesOf(urn)]),
  );
  return { creates, surroundings, providers };
}

const stackType = "pulumi:pulumi:Stack";

/** The inputs of the resources of all packages in the output of a preview. */
function inputsIn(text: string): Map<string, Json> {
  const { steps } = membersOf(printedJson(text, "the preview"));
  return new Map(
    recordsIn(steps).map(({ urn, newState }) => [String(urn), membersOf(membersOf(newState).inputs)]),
  );
}

/** The value with each mask replaced by the plaintext value. */
function unmasked(value: unknown, plain: unknown): unknown {
  if (value === secretMask) return plain;
  return combined(value, plain, unmasked);
}

/** The value with secrets in the form of an import file, wherever `masked` has the mask. */
export function marked(value: unknown, masked: unknown): unknown {
  if (!hasSecret(masked) || isSigned(value)) return value;
  return masked === secretMask ? secretInFile(value) : combined(value, masked, marked);
}

function combined(
  value: unknown,
  other: unknown,
  combine: (value: unknown, other: unknown) => unknown,
): unknown {
  if (Array.isArray(value))
    return value.map((item, i) => combine(item, Array.isArray(other) ? other[i] : undefined));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, combine(member, membersOf(other)[name])]),
  );
}
