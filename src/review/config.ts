/** The review's configuration, as a repository keeps it in `.tunnel-gateway-review.json`. */
import { isRecord } from "../schema/unknown";
import { severities } from "./rule";
import type { Severity } from "./rule";
import { catalog } from "./rules";
import { silenceProblem } from "./silence";
import type { Silence } from "./silence";

export const configFile = ".tunnel-gateway-review.json";

export interface ReviewConfig {
  /** The least severity that fails the review; "never" fails none. */
  readonly failOn?: Severity | "never";
  /** How many requests the service takes in a minute. */
  readonly requestsPerMinute?: number;
  readonly silence?: readonly Silence[];
}

const failOns = [...severities, "never"] as const;

/** Reads the configuration; throws a sentence about what is wrong. */
export function readConfig(text: string): ReviewConfig {
  const config = objectIn(text);
  const { failOn, requestsPerMinute, silence = [], ...others } = config;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new Error(`${unknown.join(", ")}: it takes failOn, requestsPerMinute and silence`);
  if (failOn !== undefined && !failOns.some((each) => each === failOn)) {
    throw new Error(`failOn must be one of ${failOns.join(", ")}`);
  }
  if (
    requestsPerMinute !== undefined &&
    !(Number.isInteger(requestsPerMinute) && Number(requestsPerMinute) > 0)
  ) {
    throw new Error("requestsPerMinute must be a whole number above 0");
  }
  if (!Array.isArray(silence)) throw new Error("silence must be a list of {rule, resource, reason}");
  return { ...(config as ReviewConfig), silence: silence.map(silenceIn) };
}

/** What is wrong with silences, as one sentence each. */
export function silenceProblems(silences: readonly Silence[]): string[] {
  const ids = catalog.map(({ id }) => id);
  return silences.flatMap((silence) => silenceProblem(silence, ids) ?? []);
}

function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error("it must hold a JSON object");
  return value;
}

function silenceIn(value: unknown): Silence {
  const texts = isRecord(value) ? Object.entries(value) : [];
  const known = texts.every(
    ([name, text]) => ["rule", "resource", "reason"].includes(name) && typeof text === "string",
  );
  if (!isRecord(value) || !known || typeof value.rule !== "string" || typeof value.reason !== "string") {
    throw new Error("a silence is {rule, reason} or {rule, resource, reason}, all of them text");
  }
  const [problem] = silenceProblems([value as unknown as Silence]);
  if (problem !== undefined) throw new Error(problem);
  return value as unknown as Silence;
}
