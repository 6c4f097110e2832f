/**
 * Spans: they show where the time of a deployment goes. If Pulumi collects no traces, nothing is loaded or stored. No attribute
 * holds a value of a resource, request or answer, so none can hold a secret.
 */
import type { AddAttributes, SpanAttributes, Tracer } from "./opentelemetry";

/**
 * The environment variable with the gRPC address of Pulumi's collector, which the CLI sets for its plugins with --otel-traces.
 */
const endpointVariable = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

/** The shortest wait that becomes a span, in milliseconds. */
const shortestWait = 1;

let tracer: Tracer | undefined;
let templates: readonly string[][] = [];

/**
 * Starts tracing if Pulumi collects traces. The first span is the start of the provider.
 * @param paths the paths of all collections: the only parts of an address that a span may show.
 * @param since when the provider began to start, in milliseconds of `performance`.
 * @returns whether Pulumi collects traces.
 */
export function startTracing(paths: readonly string[], since: number): boolean {
  const endpoint = process.env[endpointVariable];
  if (endpoint === undefined || endpoint === "") return false;
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { tracerTo } = require("./opentelemetry") as typeof import("./opentelemetry");
  tracer = tracerTo(endpoint, process.env.TRACEPARENT);
  templates = paths.map(segmentsOf).sort((a, b) => b.length - a.length);
  tracer.start("start the provider", since);
  return true;
}

/** Sends the remaining spans. Later work leaves none. */
export async function stopTracing(): Promise<void> {
  const ending = tracer;
  tracer = undefined;
  await ending?.end();
}

/** Does the work as part of the engine's span, which the traceparent header names. */
export function within<T>(traceparent: () => string | undefined, work: () => T): T {
  return tracer === undefined ? work() : tracer.within(traceparent(), work);
}

/** Does the work as a span. Its attributes are the package's own words and numbers, and the URN. */
export function traced<T>(
  name: string,
  attributes: SpanAttributes,
  work: (add: AddAttributes) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? work(() => undefined) : tracer.traced(name, attributes, work);
}

/** Waits as a span, unless the wait is too short. */
export function waited<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer === undefined ? work() : tracer.traced(name, {}, work, shortestWait);
}

/** The path of the collection of a request, with parameter names in place of ids; undefined if tracing is off. */
export function collectionPath(path: string): string | undefined {
  if (tracer === undefined) return undefined;
  const segments = segmentsOf(path);
  const found = templates.find((each) =>
    each.every((part, i) => part === segments[i] || (part.startsWith("{") && segments[i] !== undefined)),
  );
  return found && `/${found.join("/")}`;
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}
