/** The configuration of the review: the file `.tunnel-gateway-review.json`. */
import { isRecord } from "../schema/unknown";
import { severities } from "./rule";
import type { Severity } from "./rule";
import { catalog } from "./rules";
import { silenceProblem } from "./silence";
import type { Silence } from "./silence";

export const configFile = ".tunnel-gateway-review.json";

export interface ReviewConfig {
  /** Findings of this severity or a higher one fail the review; "never" fails no review. */
  readonly failOn?: Severity | "never";
  /** The rate limit of the service, in requests per minute. */
  readonly requestsPerMinute?: number;
  readonly silence?: readonly Silence[];
}

const failOns = [...severities, "never"] as const;

/** Reads the configuration. Throws an Error that says what is wrong. */
export function readConfig(text: string): ReviewConfig {
  const config = objectIn(text);
  const { failOn, requestsPerMinute, silence = [], ...others } = config;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new Error(
      `unknown setting ${unknown.join(", ")}; the settings are failOn, requestsPerMinute and silence`,
    );
  if (failOn !== undefined && !failOns.some((each) => each === failOn)) {
    throw new Error(`failOn must be one of ${failOns.join(", ")}`);
  }
  if (
    requestsPerMinute !== undefined &&
    !(Number.isInteger(requestsPerMinute) && Number(requestsPerMinute) > 0)
  ) {
    throw new Error("requestsPerMinute must be a positive integer");
  }
  if (!Array.isArray(silence)) throw new Error("silence must be a list of {rule, resource, reason}");
  return { ...(config as ReviewConfig), silence: silence.map(silenceIn) };
}

/** The problems of silences, one sentence each. */
export function silenceProblems(silences: readonly Silence[]): string[] {
  const ids = catalog.map(({ id }) => id);
  return silences.flatMap((silence) => silenceProblem(silence, ids) ?? []);
}

function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error("the file must contain a JSON object");
  return value;
}

function silenceIn(value: unknown): Silence {
  const texts = isRecord(value) ? Object.entries(value) : [];
  const known = texts.every(
    ([name, text]) => ["rule", "resource", "reason"].includes(name) && typeof text === "string",
  );
  if (!isRecord(value) || !known || typeof value.rule !== "string" || typeof value.reason !== "string") {
    throw new Error("a silence must be {rule, reason} or {rule, resource, reason}, with strings as values");
  }
  const [problem] = silenceProblems([value as unknown as Silence]);
  if (problem !== undefined) throw new Error(problem);
  return value as unknown as Silence;
}
