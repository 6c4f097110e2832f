/**
 * Approvals: the writes that a review has shown, as a file. A deployment through the broker sends only these writes. The file
 * contains no secret.
 */
import { z } from "zod";
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";
import { isRecord } from "../../schema/unknown";

/** The version of the file's format. */
export const approvalFormat = 3;

const [text, index] = [z.string(), z.int().nonnegative()];

/** The value at a place in a body that the review did not know. */
const holeForm = z.union([
  z.strictObject({
    /** The place, as a JSON pointer. */
    at: text,
    /**
     * A text with the ids of objects that the deployment creates: a number is the position of the write that creates the object.
     */
    text: z.array(z.union([text, index])).readonly(),
  }),
  z.strictObject({
    at: text,
    /** A secret, or an accepted value that only the deployment knows. Any value matches, unless it is absent or an empty secret. */
    any: z.enum(["secret", "unknown"]),
    /** What the value is as a whole. Default: one value. */
    shape: z.enum(["list", "map"]).optional(),
  }),
  /** The end of a validity: not before that of the review, and at most so many hours after the request. */
  z.strictObject({ at: text, end: z.iso.datetime({ offset: true }), hours: z.number() }),
]);

/** The methods of writes. */
export const writeMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;

const writeForm = z.strictObject({
  method: z.enum(writeMethods),
  /**
   * The path below the base URL. `{n}` is the id of the object that the write at position n creates, from 0 in the order of the
   * file.
   */
  path: text,
  /** The rule that `{rule}` in the path stands for: the state of its set has the rule's range, but not its id. */
  rule: z.strictObject({ ipPolicyId: text, cidr: text }).optional(),
  /** The JSON of the request, with null in place of each hole. */
  body: z.unknown().optional(),
  holes: z.array(holeForm).readonly().optional(),
  /** How many writes of its step come first, from the first one. Default: all that are before it. */
  first: index.optional(),
});

const stepForm = z.strictObject({
  /** The URN of the resource. */
  urn: text,
  /** The base URL of the account; undefined if the environment of the deployment names it. */
  baseUrl: text.optional(),
  /** The positions of the steps whose writes must come first. */
  after: z.array(index).readonly(),
  /** Whether it deletes a resource that is no longer wanted, after all steps that do not. */
  isLate: z.boolean(),
  writes: z.array(writeForm).min(1).readonly(),
});

const approvalForm = z
  .strictObject({
    approval: z.literal(approvalFormat),
    /** The version of this package. */
    version: text,
    ...{ stack: text, project: text },
    /** The accounts of the deployment that the preview names. */
    baseUrls: z.array(text).readonly(),
    steps: z.array(stepForm).readonly(),
  })
  .refine(({ steps }) =>
    steps.every(({ after }, i) => after.every((other) => other < steps.length && other !== i)),
  );

export type ApprovedRule = NonNullable<ApprovedWrite["rule"]>;
export type Hole = z.infer<typeof holeForm>;
export type ApprovedWrite = z.infer<typeof writeForm>;
export type ApprovedStep = z.infer<typeof stepForm>;
export type Approval = z.infer<typeof approvalForm>;

/** The file of approvals: for one stack its approval, for several stacks a list. */
export function approvalsText(approvals: readonly Approval[]): string {
  const [first] = approvals;
  const file = approvals.length === 1 ? first : { approval: approvalFormat, stacks: approvals };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

const several = z
  .array(approvalForm)
  .min(1)
  .refine(
    (all) => new Set(all.map(({ stack, project }) => JSON.stringify([project, stack]))).size === all.length,
  );

/**
 * Reads the approvals of a file, one for each stack. Throws an Error if the text is not such a file: a pull request may have
 * written it.
 */
export function readApprovals(text: string): Approval[] {
  const value = jsonIn(text);
  if (value === undefined) throw new GatewayError("the approval is not JSON");
  if (!isRecord(value) || value.approval !== approvalFormat) {
    if (isRecord(value) && (value.approval === 1 || value.approval === 2))
      throw new GatewayError(
        `the approval has format ${value.approval}, which lists steps and not writes: review and approve the change again`,
      );
    throw new GatewayError(`the file is not an approval of this format (${approvalFormat})`);
  }
  const file =
    "stacks" in value
      ? z.strictObject({ approval: z.literal(approvalFormat), stacks: several })
      : approvalForm;
  const { data } = file.safeParse(value);
  if (!data) throw new GatewayError("the approval is broken: a part of it is missing or wrong");
  return "stacks" in data ? [...data.stacks] : [data];
}
