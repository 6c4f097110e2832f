/** Pulumi's engine, which started the plugin. */
import { connect } from "node:net";
import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** How often the engine is looked for, in milliseconds. */
const interval = 2000;

const addressForm = /^(?:(.+):)?(\d+)$/;

/** The engine's address among the arguments of a plugin: the last one. The address of a collector of traces may stand before it. */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.findLast((each) => addressForm.test(each));
}

/**
 * Calls back, again and again, after the engine has ended. Pulumi starts the plugin in a shell, which outlives a killed
 * engine: only the address where the engine listens shows that it has ended. An address that
 * never answered is none.
 */
export function watchEngine(args: readonly string[], onEnd: () => void): void {
  const [, host, port] = addressForm.exec(engineAddress(args) ?? "") ?? [];
  if (port === undefined) return;
  let hasAnswered = false;
  const look = (): void => {
    const socket = connect({ host: host ?? "127.0.0.1", port: Number(port) });
    socket.unref();
    socket.on("connect", () => {
      hasAnswered = true;
      socket.destroy();
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (hasAnswered && code === "ECONNREFUSED") onEnd();
    });
  };
  look();
  setInterval(look, interval).unref();
}

const sent = new Set<Promise<void>>();

/** The messages of a plugin to its user. */
export class EngineLog {
  /** @param client of the engine; without one, lines go to stdout. */
  constructor(private readonly client: Pick<EngineClient, "log"> | undefined) {}

  /** Shows a warning on the resource with the URN. */
  warn(urn: string, text: string): void {
    this.show(new LogRequest().setSeverity(LogSeverity.WARNING).setUrn(urn).setMessage(text));
  }

  /** Shows a line under the stack. */
  print(line: string): void {
    this.show(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(line));
  }

  private show(request: LogRequest): void {
    const { client } = this;
    const print = (): void => void process.stdout.write(`${request.getMessage()}\n`);
    if (client === undefined) return print();
    const shown = new Promise<void>((resolve) => {
      client.log(request, (error) => {
        if (error) print();
        resolve();
      });
    });
    sent.add(shown);
    void shown.then(() => sent.delete(shown));
  }
}

/**
 * Returns the result once the engine has every line. After the last answer the engine may end at once, and then it loses
 * what it has not read, from stdout too.
 */
export async function withLines<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await Promise.all(sent);
  }
}

/** The log of the engine at the address, in a plugin of Pulumi's, which gRPC comes with. */
export function engineLogAt(address: string | undefined): EngineLog {
  if (address === undefined) return new EngineLog(undefined);
  const pulumi = createRequire(__filename).resolve("@pulumi/pulumi/proto/engine_grpc_pb");
  const { credentials } = createRequire(pulumi)("@grpc/grpc-js") as typeof grpc;
  return new EngineLog(new EngineClient(address, credentials.createInsecure()));
}
