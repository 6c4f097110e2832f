import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { engineSetup } from "./engine-setup";
import { baseEnv } from "./pulumi-command";

/** The methods of Pulumi's plugin for dynamic resources that call hooks, with what each request carries. */
const methods = {
  check: { request: "CheckRequest", values: ["setOlds", "setNews"] },
  diff: { request: "DiffRequest", values: ["setOlds", "setNews"] },
  create: { request: "CreateRequest", values: ["setProperties"] },
  read: { request: "ReadRequest", values: ["setProperties"] },
  update: { request: "UpdateRequest", values: ["setOlds", "setNews"] },
  delete: { request: "DeleteRequest", values: ["setProperties"] },
} as const;

export type HookName = keyof typeof methods;
export const hookNames = Object.keys(methods) as HookName[];

type Request = Record<string, ((value: unknown) => void) | undefined>;

/** Pulumi's plugin in a folder, asked without an engine, so that each hook can be reached by itself. */
export class PluginProcess {
  private constructor(
    private readonly call: (hook: HookName, provider: string) => Promise<string | undefined>,
    readonly stop: () => Promise<string>,
  ) {}

  static async start(folder: string): Promise<PluginProcess> {
    const load = createRequire(join(engineSetup().template, "_"));
    const child = spawn(
      process.execPath,
      [load.resolve("@pulumi/pulumi/cmd/dynamic-provider"), "127.0.0.1:1"],
      { cwd: folder, env: baseEnv(), stdio: ["ignore", "pipe", "pipe"] },
    );
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];

    const grpc = load("@grpc/grpc-js") as { credentials: { createInsecure(): unknown } };
    const { ResourceProviderClient } = load("@pulumi/pulumi/proto/provider_grpc_pb") as {
      ResourceProviderClient: new (address: string, credentials: unknown) => Client;
    };
    const requests = load("@pulumi/pulumi/proto/provider_pb") as Record<string, new () => Request>;
    const { Struct } = load("google-protobuf/google/protobuf/struct_pb") as {
      Struct: { fromJavaScript(values: object): unknown };
    };
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const call = (hook: HookName, provider: string): Promise<string | undefined> => {
      const request = new requests[methods[hook].request]!();
      for (const set of methods[hook].values)
        request[set]!(Struct.fromJavaScript({ __provider: provider, description: "d" }));
      request.setId?.("ipp_1");
      return new Promise((done) => client[hook](request, (error) => done(error?.details)));
    };
    return new PluginProcess(call, async () => {
      client.close();
      const ended = once(child, "close");
      child.kill();
      await ended;
      return printed;
    });
  }

  /** Calls a hook of a provider's text. Resolves with the error's message, or undefined where there is none. */
  failure(hook: HookName, provider: string): Promise<string | undefined> {
    return this.call(hook, provider);
  }
}

type Client = Record<
  HookName,
  (request: Request, done: (error: { details: string } | null) => void) => void
> & {
  close(): void;
};
