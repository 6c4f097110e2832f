/** What a tracer is, whoever implements it. */

/** What a span says beside its name and its times. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** Adds to a running span what its work has found. */
export type AddAttributes = (attributes: SpanAttributes) => void;

export interface Tracer {
  /** A span that began at a time of `performance` and ends now. Later spans without a parent belong to its trace. */
  start(name: string, since: number): void;
  within<T>(traceparent: string | undefined, work: () => T): T;
  /** @param shortest the time under which it is no span, in milliseconds. */
  traced<T>(
    name: string,
    attributes: SpanAttributes,
    work: (add: AddAttributes) => Promise<T>,
    shortest?: number,
  ): Promise<T>;
  end(): Promise<void>;
}
