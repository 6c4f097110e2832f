import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import type { RehearsalOptions } from "../../../src/tools/rehearsal/rehearse";
import { review, type Review, type ReviewOptions } from "../../../src/tools/review/review";
import type { Scenario } from "../../fixtures/previews/scenarios";
import { recorded } from "../../support/recorded";

const folder = join(__dirname, "../../fixtures/previews");

/** A preview of the real engine, recorded by the engine test. */
export function previewText(name: string): string {
  return readFileSync(join(folder, `${name}.json`), "utf8");
}

/** The review of the text of a preview whose plan nobody has run. */
export function reviewText(text: string, options: ReviewOptions = {}): Review {
  return review(readPreview(text), options);
}

/** The review of the text of a preview, with the run of its plan. */
export async function rehearsedReview(
  text: string,
  options: ReviewOptions = {},
  lists?: RehearsalOptions["lists"],
): Promise<Review> {
  const preview = readPreview(text);
  const rehearsal = await rehearse(preview.plan, { now: options.now, lists });
  return review(preview, { ...options, rehearsal });
}

export function reviewOf(text: string, scenario: Pick<Scenario, "now"> = {}): Promise<Review> {
  return rehearsedReview(text, { now: Date.parse(scenario.now ?? "2026-11-21T12:00:00Z") });
}

/** The findings in the form of the scenarios. */
export async function findingsOf(text: string, scenario: Pick<Scenario, "now"> = {}): Promise<string[]> {
  return findingsIn(await reviewOf(text, scenario));
}

export function findingsIn({ findings }: Review): string[] {
  return findings.map(({ severity, rule, type, name }) => `${severity} ${rule} ${type} ${name}`.trim());
}

/** A resource of a preview that a test writes by hand. */
export interface Written {
  readonly type: string;
  readonly name: string;
  /** Its name before, if `aliases` rename it. */
  readonly was?: string;
  readonly op?: string;
  readonly id?: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** The outputs before the deployment; default: the arguments. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The resources that each argument comes from. */
  readonly from?: Readonly<Record<string, readonly string[]>>;
  readonly reasons?: readonly string[];
  /** Whether the program only read it before. What the step `read` reads, it only reads from now on. */
  readonly external?: boolean;
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:test::written::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;
}

/** What `pulumi preview --json --show-sames` prints for these resources. */
export function writtenPreview(resources: readonly Written[], more: object = {}): string {
  const steps = resources.map(
    ({ type, name, was = name, op, before, after, from = {}, reasons, ...rest }) => {
      const flow = { propertyDependencies: from, dependencies: [...new Set(Object.values(from).flat())] };
      const id = rest.id ?? `id_${name}`;
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const oldState = before && {
        ...{
          id,
          urn: urnOf(type, was),
          external: rest.external,
          inputs: before,
          outputs: { __args: Object.keys(before), ...before, ...rest.outputs },
        },
        ...flow,
      };
      const isRead = op === "read";
      const isImport = op?.startsWith("import") === true;
      const newState = isRead
        ? { id, inputs: {}, external: true }
        : after && { ...(isImport ? { importID: id } : { id, outputs: {} }), inputs: after, ...flow };
      const usual =
        before === undefined ? "create" : after === undefined ? "delete" : isSame ? "same" : "update";
      const diffReasons = Object.keys({ ...before, ...after }).filter(
        (each) => before && after && JSON.stringify(before[each]) !== JSON.stringify(after[each]),
      );
      return {
        ...{ op: op ?? usual, urn: urnOf(type, name), oldState, newState },
        ...{ diffReasons, replaceReasons: reasons },
      };
    },
  );
  return JSON.stringify(recorded({ steps, changeSummary: {}, ...more }));
}

const now = Date.parse("2026-11-21T12:00:00Z");

/** The findings about these resources, as `severity rule Type name: message`. */
export function saidOf(resources: readonly Written[]): string[] {
  return saidIn(reviewText(writtenPreview(resources), { now }));
}

/** The same with the run of the plan, in the order of the resources. */
export async function saidOfRun(
  resources: readonly Written[],
  more: object = {},
  options: ReviewOptions = {},
): Promise<string[]> {
  return saidIn(await rehearsedReview(writtenPreview(resources, more), { now, ...options }));
}

function saidIn({ findings }: Review): string[] {
  return findings.map((each) => `${each.severity} ${each.rule} ${each.type} ${each.name}: ${each.message}`);
}

/** Those of the rules that the expression names. */
export function saidBy(rules: string, ...resources: readonly (Written | readonly Written[])[]): string[] {
  return saidOf(resources.flat()).filter((text) => new RegExp(rules).test(text));
}

/** An IP policy that the deployment leaves as it is. */
export const keptPolicy = (name: string): Written => ({
  ...{ type: "IpPolicy", name, id: `ipp_${name}`, before: {}, after: {} },
});

/** The steps of a resource that is deleted before its replacement is created. */
export function deletedFirst(each: Written): Written[] {
  const { name, was = name } = each;
  return [
    { ...each, name: was, op: "delete-replaced", after: undefined },
    { ...each, op: "replace" },
    { ...each, op: "create-replacement" },
  ];
}

export const tcpEdge = (name: string, before: Written["before"], after: Written["after"]): Written => ({
  ...{ type: "TcpEdge", name, id: `edgtcp_${name}`, before, after },
});
