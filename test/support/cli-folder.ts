import { copyFileSync, linkSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const plugin = "pulumi-resource-pulumi-nodejs";

/** The variable of a call that names the port of the worker's plugin host. */
export const pluginHostVariable = "TUNNEL_GATEWAY_TEST_PLUGIN_HOST";

/**
 * A folder with the CLI, beside which the engine finds a script instead of Pulumi's plugin for dynamic resources: it hands
 * over to the worker's plugin host where the call names one that is free, and else to Pulumi's plugin. Returns the CLI.
 */
export function makeCliFolder(folder: string, cli: string): string {
  const [from, to] = [dirname(realpathSync(cli)), join(folder, "cli")];
  mkdirSync(to);
  for (const name of readdirSync(from).filter((each) => each.startsWith("pulumi") && each !== plugin))
    link(join(from, name), join(to, name));
  writeFileSync(join(to, plugin), script(join(from, plugin)), { mode: 0o755 });
  return join(to, basename(realpathSync(cli)));
}

/** The engine takes the folder of the real file, so a symbolic link does not do. */
function link(from: string, to: string): void {
  try {
    linkSync(realpathSync(from), to);
  } catch {
    copyFileSync(from, to); // in another file system
  }
}

/** The engine ends the script by a signal, which closes its connection. */
const script = (original: string): string => `#!/bin/bash
port=$${pluginHostVariable}
if [ -n "$port" ] && exec 3<>"/dev/tcp/127.0.0.1/$port" &&
  printf '%s\\0' "$1" >&3 && env -0 >&3 && printf '\\0' >&3 && read -r line <&3; then
  echo "$line"
  exec cat <&3
fi
exec ${JSON.stringify(original)} "$@"
`;
