/** An engine for a plugin alone: it shows what the plugin says. */
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** An engine that keeps what it is given to show. It takes its time, because it may end right after an answer. */
export async function startEngine() {
  const logged: { severity: number; urn: string; message: string }[] = [];
  const server = new grpc.Server();
  const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, callback) => {
    const [severity, urn, message] = [request.getSeverity(), request.getUrn(), request.getMessage()];
    setTimeout(() => {
      logged.push({ severity, urn, message });
      callback(null, new Empty());
    }, 50);
  };
  server.addService(EngineService, { log });
  const port = await new Promise<number>((resolve, reject) => {
    const insecure = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", insecure, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const close = (): Promise<void> => Promise.resolve(server.forceShutdown());
  return { address: `127.0.0.1:${port}`, logged, close };
}
