import type { dynamic } from "@pulumi/pulumi";

/**
 * What Pulumi serializes into the state of every resource: an object with one method, which loads the hooks of its type
 * from the installed package when the plugin configures it. The text is small, is the same on every machine and holds no
 * code that a release may have to change.
 *
 * The method must capture nothing and work synchronously: the plugin caches the object before it awaits `configure`.
 * Where the package cannot be loaded, every hook must fail: the plugin treats a missing `delete` as a success.
 */
function makeShim(type: string): dynamic.ResourceProvider {
  const shim = {
    type,
    configure(request: dynamic.ConfigureRequest): Promise<void> {
      const names = ["check", "diff", "create", "read", "update", "delete"];
      let hooks: (name: string) => unknown;
      try {
        const load = require("module").createRequire(process.cwd() + "/_");
        hooks = load("pulumi-tunnel-gateway/provider").hooksOf(this.type, request.config);
      } catch (cause) {
        const why = String((cause as Error).message).split("\n")[0];
        const message = `Run "npm ci" in ${process.cwd()}: pulumi-tunnel-gateway cannot be loaded (${why})`;
        hooks = () => () => Promise.reject({ message, stack: message, toString: () => "tunnel-gateway" });
      }
      for (const name of names) (this as Record<string, unknown>)[name] = hooks(name);
      return Promise.resolve();
    },
  };
  return shim as unknown as dynamic.ResourceProvider;
}

const shims = new Map<string, dynamic.ResourceProvider>();

/** The one shim of a type; Pulumi caches its text by identity. */
export function shimOf(type: string): dynamic.ResourceProvider {
  let shim = shims.get(type);
  if (!shim) shims.set(type, (shim = makeShim(type)));
  return shim;
}
