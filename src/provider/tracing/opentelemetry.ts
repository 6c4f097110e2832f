/**
 * Spans by OpenTelemetry's SDK. `npm run build` bundles this module into one file, which is loaded only if Pulumi collects
 * traces.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { connect } from "node:http2";
import type { ClientHttp2Session, IncomingHttpHeaders } from "node:http2";
import { ROOT_CONTEXT, SpanStatusCode, defaultTextMapGetter, trace } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import type { ExportResult } from "@opentelemetry/core";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { version } from "../version";

const name = "pulumi-tunnel-gateway";

/** The interval between sends, and the longest time that the end of the process waits for a collector; in milliseconds. */
const interval = 500;
const longestSend = 2_000;

/** The only method of an OTLP trace service. */
const method = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

/**
 * A tracer that sends to a collector. `traceparent` is the parent of spans for which the engine names none.
 * @public It is loaded by require.
 */
export function tracerTo(endpoint: string, traceparent: string | undefined): Tracer {
  const exporter = new Exporter(endpoint);
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: interval,
    exportTimeoutMillis: longestSend,
    maxQueueSize: 50_000,
  });
  const resource = resourceFromAttributes({ "service.name": name, "service.version": version });
  const provider = new TracerProvider({ resource, spanProcessors: [processor] });
  const spans = provider.getTracer(name, version);
  const active = new AsyncLocalStorage<Context>();
  let outermost = contextOf(traceparent);

  return {
    start: (spanName, since) => {
      const span = spans.startSpan(spanName, { startTime: performance.timeOrigin + since }, outermost);
      if (outermost === ROOT_CONTEXT) outermost = trace.setSpan(ROOT_CONTEXT, span);
      span.end();
    },
    within: (parent, work) => {
      const context = contextOf(parent);
      return context === ROOT_CONTEXT ? work() : active.run(context, work);
    },
    traced: async (spanName, attributes, work, shortest = 0) => {
      const context = active.getStore() ?? outermost;
      const began = performance.now();
      const span = spans.startSpan(spanName, { attributes }, context);
      try {
        return await active.run(trace.setSpan(context, span), work, (more) => void span.setAttributes(more));
      } catch (error) {
        // The error's message may quote an answer of the service.
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        if (performance.now() - began >= shortest) span.end();
      }
    },
    end: async () => {
      try {
        await provider.shutdown();
      } catch {
        // A collector that does not answer does not fail the deployment. In that case the processor leaves its exporter open.
        await exporter.shutdown();
      }
    },
  };
}

function contextOf(traceparent = ""): Context {
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

/**
 * Sends spans by gRPC, as Pulumi's collector expects: each call is an HTTP/2 request with one message. OpenTelemetry's own
 * exporter needs a gRPC library seven times the size of this bundle, and reads headers and certificates for other collectors from
 * the environment.
 */
class Exporter implements SpanExporter {
  private session: ClientHttp2Session | undefined;
  private readonly sending = new Set<Promise<void>>();
  private readonly url: string;

  constructor(endpoint: string) {
    this.url = endpoint.includes("://") ? endpoint : `http://${endpoint}`;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const sending = this.send(ProtobufTraceSerializer.serializeRequest(spans)!)
      .catch(() => false) // if the endpoint is not an address
      .then((isTaken) => done({ code: isTaken ? ExportResultCode.SUCCESS : ExportResultCode.FAILED }))
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  /** At its end, the processor waits for what it sends then, but not for earlier sends. */
  async shutdown(): Promise<void> {
    await Promise.all(this.sending);
    this.session?.destroy();
  }

  /** Whether the collector accepted the message. Errors are ignored. */
  private async send(message: Uint8Array): Promise<boolean> {
    const prefix = Buffer.alloc(5); // the compression flag (0) and the length
    prefix.writeUInt32BE(message.length, 1);
    const request = this.connected().request({
      ":method": "POST",
      ":path": method,
      "content-type": "application/grpc",
      te: "trailers",
    });
    let isTaken = false;
    request.setTimeout(longestSend, () => request.destroy());
    request.on("error", () => undefined); // "close" follows
    request.on("trailers", (trailers: IncomingHttpHeaders) => (isTaken = trailers["grpc-status"] === "0"));
    request.resume();
    request.end(Buffer.concat([prefix, message]));
    await new Promise<void>((resolve) => request.once("close", resolve));
    return isTaken;
  }

  private connected(): ClientHttp2Session {
    if (this.session === undefined || this.session.closed || this.session.destroyed) {
      this.session = connect(this.url);
      this.session.on("error", () => undefined); // the requests fail with it
      this.session.unref();
    }
    return this.session;
  }
}

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** Adds attributes to a running span. */
export type AddAttributes = (attributes: SpanAttributes) => void;

export interface Tracer {
  /** A span that began at a time of `performance` and ends now. Later spans without a parent belong to its trace. */
  start(name: string, since: number): void;
  within<T>(traceparent: string | undefined, work: () => T): T;
  /** @param shortest a shorter span is dropped, in milliseconds. */
  traced<T>(
    name: string,
    attributes: SpanAttributes,
    work: (add: AddAttributes) => Promise<T>,
    shortest?: number,
  ): Promise<T>;
  end(): Promise<void>;
}
