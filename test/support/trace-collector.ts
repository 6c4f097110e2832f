/** A collector of traces on loopback, which takes spans by gRPC as Pulumi's does. */
import * as grpc from "@grpc/grpc-js";
import { duringTests } from "./during-tests";

const service = "opentelemetry.proto.collector.trace.v1.TraceService";
const asItIs = (bytes: Buffer): Buffer => bytes;

export interface TraceCollector {
  readonly endpoint: string;
  /** What came, message by message. */
  readonly messages: Buffer[];
  /** Answers with this status from now on, instead of taking the spans; undefined takes them. */
  refuse(status: grpc.status | undefined): void;
}

/** One for all tests of a file. */
export function traceCollector(): TraceCollector {
  return duringTests(start, (running) => running.stop());
}

async function start(): Promise<TraceCollector & { stop(): Promise<void> }> {
  const server = new grpc.Server();
  const messages: Buffer[] = [];
  let refusal: grpc.status | undefined;
  const method = {
    path: `/${service}/Export`,
    requestStream: false,
    responseStream: false,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  };
  const take: grpc.handleUnaryCall<Buffer, Buffer> = ({ request }, done) => {
    if (refusal !== undefined) return done({ code: refusal });
    messages.push(request);
    done(null, Buffer.alloc(0));
  };
  server.addService({ Export: method }, { Export: take });
  const port = await new Promise<number>((resolve, reject) => {
    const insecure = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", insecure, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return {
    endpoint: `localhost:${port}`,
    messages,
    refuse: (status) => void (refusal = status),
    stop: () => Promise.resolve(server.forceShutdown()),
  };
}
