/**
 * Spans: where the time of a deployment goes. Nothing is loaded and nothing is kept where Pulumi collects no traces. No
 * attribute holds a value of a resource, of a request or of an answer, so none can hold a secret.
 */
import type { AddAttributes, SpanAttributes, Tracer } from "./opentelemetry";

/** The gRPC address of Pulumi's collector, which the CLI's option --otel-traces gives to its plugins. */
const endpointVariable = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

/** A shorter wait is none. */
const shortestWait = 1;

let tracer: Tracer | undefined;
let templates: readonly string[][] = [];

/**
 * Begins with spans, if Pulumi collects them. The first is the start of the provider.
 * @param paths the paths of all collections: what a span may say of the address of a request.
 * @param since when the provider began to start, in milliseconds of `performance`.
 * @returns whether Pulumi collects them.
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

/** Sends what is left. Later work leaves no spans. */
export async function stopTracing(): Promise<void> {
  const ending = tracer;
  tracer = undefined;
  await ending?.end();
}

/** Does the work as a part of the engine's span, which the value of a traceparent header names. */
export function within<T>(traceparent: () => string | undefined, work: () => T): T {
  return tracer === undefined ? work() : tracer.within(traceparent(), work);
}

/** Does the work as a span. Its attributes are words and numbers of the package's own, the URN excepted. */
export function traced<T>(
  name: string,
  attributes: SpanAttributes,
  work: (add: AddAttributes) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? work(() => undefined) : tracer.traced(name, attributes, work);
}

/** Waits as a span, unless there is nothing to wait for. */
export function waited<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer === undefined ? work() : tracer.traced(name, {}, work, shortestWait);
}

/** The path of the collection that a request works on, with the names of ids in place of ids; undefined while there are no spans. */
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
