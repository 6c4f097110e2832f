/** Spans in OTLP's JSON, such as the lines of the file that `--otel-traces file://…` names. */

export interface Span {
  readonly service: string;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  /** Empty where it has none. */
  readonly parent: string;
  /** In milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

interface Line {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes?: readonly Attribute[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

export function spansIn(text: string): Span[] {
  const lines = text.split("\n").filter(Boolean);
  return lines.flatMap((line) =>
    (JSON.parse(line) as Line).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = String(valuesOf(resource.attributes)["service.name"]);
      return scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          service,
          name: span.name,
          trace: span.traceId,
          id: span.spanId,
          parent: span.parentSpanId ?? "",
          start: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
          end: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
          attributes: valuesOf(span.attributes ?? []),
          isError: span.status?.code === 2,
        })),
      );
    }),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

/** For how long any of the spans lasts, in milliseconds. */
export function covered(spans: readonly Pick<Span, "start" | "end">[]): number {
  let [sum, until] = [0, -Infinity];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}
