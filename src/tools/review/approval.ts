/** Approvals: what was reviewed, as a file that a later preview is compared with. It contains no secret. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { semanticsNames } from "../access/semantics";
import { withoutHidden } from "../../schema/recorded-state";
import { GatewayError } from "../../provider/errors";
import { recordedDependencies, argumentSources } from "../inventory/inventory";
import { hasUnknown, isRecord } from "../../schema/unknown";
import { hasSecret } from "../stack/engine-secrets";
import type { Step, World } from "../inventory/world";
import { version } from "../../provider/version";
import type { AccessItem, PlainAccess, ReportedAccess } from "./access/access-report";
import type { ReviewedChange, Review } from "./review";
import { unexplainedAccess } from "./unexplained";
import { jsonIn } from "../../schema/json";

/** The version of the file's format. */
const format = 2;

const [text, flag, texts] = [z.string(), z.boolean(), z.array(z.string()).readonly()];
const json = z.record(z.string(), z.unknown()).readonly();
const action = z.enum(["create", "update", "replace", "delete", "same"]);

const differenceForm = z.strictObject({
  ...{ path: text, old: z.unknown().optional(), next: z.unknown().optional(), secret: flag, replaces: flag },
  members: z
    .strictObject({ added: z.array(z.unknown()).readonly(), removed: z.array(z.unknown()).readonly() })
    .optional(),
});

const stepForm = z.strictObject({
  ...{ urn: text, type: text, name: text, action, deletesFirst: flag },
  /** The URNs of the resources that it waits for, or that wait for it where it is deleted. */
  waitsFor: texts,
  /** The arguments of the program, secrets masked; undefined where it is deleted. */
  arguments: json.optional(),
  /** The resources that each argument that is not known yet comes from. */
  from: z.record(text, texts).readonly(),
  fields: z.array(differenceForm).readonly(),
  /** The changes made outside of Pulumi. */
  drift: z.array(differenceForm).readonly(),
  /** The arguments with secrets: nobody can compare them. */
  notCompared: texts,
  /** The paths of what decides access and was not known, so that nobody reviewed it. */
  notKnown: texts,
});

const registeredForm = z.strictObject({
  ...{ type: text, custom: flag, external: flag, retainOnDelete: flag, deletedWith: text.optional() },
  ...{ provider: text.optional(), reads: text.optional(), code: text.optional(), inputs: text },
});

const registrationForm = z.strictObject({
  ...{ urn: text, action, before: registeredForm.optional(), after: registeredForm.optional() },
});

const plainAccessForm: z.ZodType<PlainAccess<readonly string[]>> = z.strictObject({
  ...{ restricted: flag, allowed: texts, denied: texts, unknown: texts },
});

const accessForm = z.strictObject({
  ...{ urn: text.optional(), type: text, name: text },
  ...{ before: plainAccessForm.optional(), after: plainAccessForm.optional() },
});

const approvalForm = z.strictObject({
  approval: z.literal(format),
  /** The version of this package. */
  version: text,
  ...{ stack: text, project: text },
  steps: z.array(stepForm).readonly(),
  /**
   * What the engine registers of resources of all packages: of those that change, and of those whose registration changes
   * without a step. All others are as they were.
   */
  registrations: z.array(registrationForm).readonly(),
  /** The explicit providers that change, and the base URL of the stack's configuration. */
  providers: z
    .array(z.strictObject({ urn: text, name: text, action, before: text.optional(), after: text.optional() }))
    .readonly(),
  stackUrl: text.optional(),
  /** The answers of the setting `semantics` that are not `unknown`: who gets in is right under them. */
  semantics: z.record(text, text).readonly().optional(),
  access: z.array(accessForm).readonly(),
});

/** What was approved for one resource of this package. */
export type ApprovedStep = z.infer<typeof stepForm>;
export type Approval = z.infer<typeof approvalForm>;

/** The approval of a review. Throws an Error where the preview is not complete. */
export function approvalOf(preview: World, made: Review): Approval {
  const { changes, access } = made;
  const { unseen, stackName, stackUrl } = preview;
  if (!access) throw new GatewayError("a preview that failed cannot be approved");
  if (unseen > 0)
    throw new GatewayError("a preview without the unchanged resources cannot be approved: use --show-sames");
  if (!stackName) throw new GatewayError("the preview names no stack, so it cannot be approved");
  return {
    ...{ approval: format, version, ...stackName },
    steps: changes.map((change) => stepOf(change, preview)),
    registrations: changedRegistrations(preview),
    providers: changedProviders(preview),
    stackUrl,
    semantics: semanticsOf(made),
    access: access.guarded.map(accessOf),
  };
}

/** The answers of the setting `semantics` of a review that are not the defaults. */
export function semanticsOf({ settings }: Pick<Review, "settings">): Readonly<Record<string, string>> {
  return Object.fromEntries(
    semanticsNames.flatMap((name) => {
      const setting = settings.find((each) => each.name === `semantics.${name}`);
      return setting ? [[name, setting.value]] : [];
    }),
  );
}

export function changedProviders({ providers }: Pick<World, "providers">): World["providers"] {
  return providers.filter(({ action }) => action !== "same");
}

/** The steps of all packages, and what the engine registers anew of a resource without a step. */
export function changedRegistrations({ steps }: Pick<World, "steps">): Step[] {
  return steps.filter(({ action, before, after }) => action !== "same" || !isDeepStrictEqual(before, after));
}

export function stepOf(change: ReviewedChange, preview: World): ApprovedStep {
  const { urn, type, name, action, deletesFirst, differences, drift } = change;
  const { after, before } = preview.resources.get(urn)!;
  const asked = after && withoutHidden(after.args);
  const open = Object.entries(asked ?? {}).filter(([, value]) => hasUnknown(value));
  return {
    ...{ urn, type, name, action, deletesFirst },
    waitsFor: [...new Set(recordedDependencies(after ?? before))].sort(),
    arguments: asked,
    from: Object.fromEntries(open.map(([argument]) => [argument, argumentSources(after, argument)])),
    ...{ fields: differences, drift },
    notCompared: Object.keys(asked ?? {}).filter((argument) => hasSecret(asked![argument])),
    notKnown: after ? unexplainedAccess(preview.after, after).map(({ path }) => path) : [],
  };
}

/** Who gets in at one place, before and after the deployment. */
export function accessOf({ urn, type, name, before, after }: AccessItem): Approval["access"][number] {
  const inText = ({ restricted, allowed, denied, unknown }: ReportedAccess) => ({
    ...{ restricted, allowed: allowed.cidrs, denied: denied.cidrs, unknown },
  });
  return { urn, type, name, before: before && inText(before), after: after && inText(after) };
}

/** The file of approvals: that of one stack is its approval, that of several lists them. */
export function approvalsText(approvals: readonly Approval[]): string {
  const [first] = approvals;
  const file = approvals.length === 1 ? first : { approval: format, stacks: approvals };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

const several = z
  .array(approvalForm)
  .min(1)
  .refine(
    (all) => new Set(all.map(({ stack, project }) => JSON.stringify([project, stack]))).size === all.length,
  );

/**
 * Reads the approvals of a file, one for each stack. Throws an Error if the text is not such a file: a pull
 * request may have written it.
 */
export function readApprovals(text: string): Approval[] {
  const value = jsonIn(text);
  if (value === undefined) throw new GatewayError("the approval is not JSON");
  if (!isRecord(value) || value.approval !== format) {
    if (isRecord(value) && value.approval === 1)
      throw new GatewayError(
        "the approval has format 1, which leaves out resources of other packages: review and approve the change again",
      );
    throw new GatewayError(`the file is not an approval of this format (${format})`);
  }
  const file =
    "stacks" in value ? z.strictObject({ approval: z.literal(format), stacks: several }) : approvalForm;
  const { data } = file.safeParse(value);
  if (!data) throw new GatewayError("the approval is broken: a part of it is missing or wrong");
  return "stacks" in data ? [...data.stacks] : [data];
}
