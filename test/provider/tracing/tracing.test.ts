import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { setTimeout as sleep } from "node:timers/promises";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { GatewayError } from "../../../src/provider/errors";
import { NativeProvider } from "../../../src/provider/native/provider";
import { methodsOf } from "../../../src/provider/native/server";
import {
  collectionPath,
  startTracing,
  stopTracing,
  traced,
  waited,
  within,
} from "../../../src/provider/tracing/tracing";
import { traceCollector } from "../../support/trace-collector";
import { spansIn } from "../../support/traces";
import type { Span } from "../../support/traces";

// The same spans as text, which a test can read.
jest.mock("@opentelemetry/otlp-transformer", () => {
  const actual = jest.requireActual<typeof import("@opentelemetry/otlp-transformer")>(
    "@opentelemetry/otlp-transformer",
  );
  return { ProtobufTraceSerializer: actual.JsonTraceSerializer };
});

/** Whether sends have no time limit: thousands of spans take a loaded machine longer than the end of a process may wait. */
let mockIsPatient = false;
jest.mock("node:http2", () => {
  const actual = jest.requireActual<typeof import("node:http2")>("node:http2");
  const connect: typeof actual.connect = (authority: string | URL) => {
    const session = actual.connect(authority);
    const request = session.request.bind(session);
    session.request = (headers) => {
      const stream = request(headers);
      return mockIsPatient ? Object.assign(stream, { setTimeout: () => stream }) : stream;
    };
    return session;
  };
  return { ...actual, connect };
});

const collector = traceCollector();
const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentOf = (id: string): string => `00-${trace}-${id}-01`;
const paths = ["/things", "/things/{thingId}/parts", "/edges/tcp"];

/** The spans of the work, in the order of their ends. The first is the provider's start. */
async function spansOf(work: () => Promise<unknown>): Promise<Span[]> {
  collector.messages.splice(0);
  startTracing(paths, 0);
  await work();
  await stopTracing();
  return spansIn(collector.messages.map(String).join("\n"));
}

const notAsked = (): never => {
  throw new Error("asked for a traceparent");
};

describe("spans", () => {
  const environment = process.env;
  beforeEach(() => {
    process.env = { ...environment, PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    delete process.env.TRACEPARENT;
  });
  afterEach(() => (process.env = environment));

  it("are none where Pulumi collects no traces", async () => {
    delete process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT;
    expect(startTracing(paths, 0)).toBe(false);
    expect(await traced("a", {}, (add) => Promise.resolve(add({ b: 1 })))).toBeUndefined();
    expect(await waited("a", () => Promise.resolve(1))).toBe(1);
    expect(within(notAsked, () => 1)).toBe(1);
    expect(collectionPath("/things")).toBeUndefined();
  });

  it("form a tree in one trace, with what the work has found", async () => {
    const [start, inner, outer] = await spansOf(() =>
      traced("outer", { size: 1 }, async () => {
        await sleep(1);
        return traced("inner", { none: undefined }, (add) => Promise.resolve(add({ found: "yes" })));
      }),
    );
    expect(start).toMatchObject({ name: "start the provider", parent: "", service: "pulumi-tunnel-gateway" });
    expect(start!.end).toBeGreaterThan(start!.start);
    expect(outer).toMatchObject({ name: "outer", parent: start!.id, attributes: { size: 1 } });
    expect(inner).toMatchObject({ name: "inner", parent: outer!.id, attributes: { found: "yes" } });
    expect(new Set([start, inner, outer].map((span) => span!.trace)).size).toBe(1);
  });

  it("belong to the engine's span, else to that of the environment", async () => {
    process.env.TRACEPARENT = parentOf("1111111111111111");
    const spans = await spansOf(async () => {
      await within(
        () => parentOf("2222222222222222"),
        () => traced("of the engine", {}, () => Promise.resolve()),
      );
      await within(
        () => "no traceparent",
        () => traced("of the environment", {}, () => Promise.resolve()),
      );
    });
    expect(spans.map((span) => [span.name, span.parent, span.trace])).toStrictEqual([
      ["start the provider", "1111111111111111", trace],
      ["of the engine", "2222222222222222", trace],
      ["of the environment", "1111111111111111", trace],
    ]);
  });

  it("of the native provider have the names of its calls, and belong to the engine's span", async () => {
    const silent = { warn: () => undefined, print: () => undefined };
    const provider = new NativeProvider(silent, () => {
      void traced("connect", {}, () => Promise.resolve());
      throw new GatewayError("no connection");
    });
    const methods = methodsOf(provider, () => "{}") as unknown as Record<
      string,
      (call: unknown, answered: () => void) => void
    >;
    const type = "tunnel-gateway:index:IpPolicy";
    const metadata = new grpc.Metadata();
    metadata.set("traceparent", parentOf("2222222222222222"));
    const called = (name: string, request: { setUrn(urn: string): { setType(type: string): unknown } }) =>
      new Promise<void>((resolve) => {
        request.setUrn(`urn:pulumi:dev::shop::${type}::one`).setType(type);
        methods[name]!({ request, metadata }, resolve);
      });
    const spans = await spansOf(async () => {
      for (const isPreview of [false, true]) {
        await called("create", new messages.CreateRequest().setPreview(isPreview));
        await called("update", new messages.UpdateRequest().setPreview(isPreview));
      }
      await called("read", new messages.ReadRequest());
      await called("read", new messages.ReadRequest().setInputs(new Struct()));
      await new Promise<unknown>((emit) =>
        methods.list!(
          { request: new messages.ListRequest().setToken(type), metadata, emit },
          () => undefined,
        ),
      );
    });
    const ofCalls = spans.filter(({ parent }) => parent === "2222222222222222");
    const urn = `urn:pulumi:dev::shop::${type}::one`;
    expect(ofCalls.map(({ name, attributes }) => [name, attributes["resource.urn"]])).toStrictEqual([
      ...["create", "update", "preview create", "preview update", "import", "read"].map((name) => [
        `${name} IpPolicy`,
        urn,
      ]),
      ["connect", undefined],
    ]);
  });

  it("keep parallel work apart", async () => {
    const names = ["a", "b", "c"];
    const spans = await spansOf(() =>
      Promise.all(
        names.map((name) =>
          traced(name, {}, async () => {
            await sleep(2);
            await traced(`in ${name}`, {}, () => sleep(2));
          }),
        ),
      ),
    );
    const idOf = (name: string) => spans.find((span) => span.name === name)!.id;
    for (const name of names)
      expect(spans.find((span) => span.name === `in ${name}`)!.parent).toBe(idOf(name));
  });

  it("of failed work say so without its message, which may be a service's", async () => {
    const [, span] = await spansOf(async () => {
      await expect(traced("fails", {}, () => Promise.reject(new Error("HIDDEN")))).rejects.toThrow("HIDDEN");
    });
    expect(span).toMatchObject({ name: "fails", isError: true });
    expect(String(collector.messages)).not.toContain("HIDDEN");
  });

  it("leave out waits for what is there already", async () => {
    let milliseconds = 0;
    const clock = jest.spyOn(performance, "now").mockImplementation(() => milliseconds);
    const spans = await spansOf(async () => {
      await waited("no wait", () => Promise.resolve());
      await waited("a wait", () => {
        milliseconds += 1;
        return Promise.resolve();
      });
    });
    clock.mockRestore();
    expect(spans.map(({ name }) => name)).toStrictEqual(["start the provider", "a wait"]);
  });

  it("name collections by their declared paths, and no id", async () => {
    await spansOf(() => {
      expect(collectionPath("/things")).toBe("/things");
      expect(collectionPath("/things/HIDDEN")).toBe("/things");
      expect(collectionPath("/things/HIDDEN/parts")).toBe("/things/{thingId}/parts");
      expect(collectionPath("/things/HIDDEN/parts/HIDDEN")).toBe("/things/{thingId}/parts");
      expect(collectionPath("/edges/tcp/HIDDEN")).toBe("/edges/tcp");
      expect(collectionPath("/HIDDEN/tcp")).toBeUndefined();
      return Promise.resolve();
    });
  });

  // With the start, 512 are what one message holds: it is on its way when the process ends.
  it.each([511, 5_000])("all arrive, %d of them", async (count) => {
    mockIsPatient = true;
    const start = setTimeout;
    const timers = jest
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, after: number) =>
        start(work, after === 2_000 ? 120_000 : after)) as typeof setTimeout);
    const spans = await spansOf(async () => {
      for (let i = 0; i < count; i++) await traced("one", {}, () => Promise.resolve());
    });
    mockIsPatient = false;
    timers.mockRestore();
    expect(spans.length).toBe(count + 1);
  });

  it("hold the end of the process up for less than the five seconds that Pulumi waits", async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT = `localhost:${(silent.address() as AddressInfo).port}`;
    startTracing(paths, 0);
    const timers = jest.spyOn(globalThis, "setTimeout");
    await stopTracing();
    const limits = timers.mock.calls.map(([, after]) => after);
    timers.mockRestore();
    silent.close();
    await once(silent, "close"); // which waits for the end of its connections
    // The test itself depends on no clock: the limit is the timer that ends the wait.
    expect(limits).toContain(2_000);
  });

  it.each([
    ["refuses them", () => collector.refuse(grpc.status.UNAVAILABLE)],
    ["does not exist", () => (process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT = "localhost:9")],
    ["has no address", () => (process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT = "://")],
  ])("fail nothing where the collector %s", async (_, arrange) => {
    arrange();
    expect(await spansOf(() => traced("one", {}, () => Promise.resolve()))).toStrictEqual([]);
    collector.refuse(undefined);
  });
});
