import { hooksOf } from "../../src/provider/dynamic";

/** The hooks that Pulumi's plugin calls, in a stack with these settings; their names are without the namespace. */
export function configuredHooks(
  type: string,
  settings: Readonly<Record<string, string>>,
): ReturnType<typeof hooksOf> {
  const get = (key: string): string | undefined => settings[key.replace("tunnel-gateway:", "")];
  return hooksOf(type, { get, require: (key) => get(key)! });
}
