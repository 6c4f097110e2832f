import { copyFileSync, linkSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The variables of a call that name the ports of the worker's hosts, by the program that each stands in for. */
export const hostVariables = {
  "pulumi-resource-pulumi-nodejs": "TUNNEL_GATEWAY_TEST_PLUGIN_HOST",
  "pulumi-language-nodejs": "TUNNEL_GATEWAY_TEST_LANGUAGE_HOST",
} as const;

/**
 * A folder with the CLI, beside which the engine finds scripts instead of Pulumi's language host for Node and of its plugin
 * for dynamic resources: each hands over to a host of the worker where the call names one that is free, and else to
 * Pulumi's. Returns the CLI.
 */
export function makeCliFolder(folder: string, cli: string): string {
  const [from, to] = [dirname(realpathSync(cli)), join(folder, "cli")];
  mkdirSync(to);
  for (const name of readdirSync(from).filter(
    (each) => each.startsWith("pulumi") && !(each in hostVariables),
  ))
    link(join(from, name), join(to, name));
  for (const [name, variable] of Object.entries(hostVariables))
    writeFileSync(join(to, name), script(variable, join(from, name)), { mode: 0o755 });
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

/**
 * A call with traces passes more than the address of the engine: it has Pulumi's own processes. The engine ends the script
 * by a signal, which closes its connection.
 */
const script = (variable: string, original: string): string => `#!/bin/bash
port=$${variable}
if [ -n "$port" ] && [ $# = 1 ] && { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null &&
  printf '%s\\0' "$1" "$PWD" >&3 && env -0 >&3 && printf '\\0' >&3 && read -r line <&3; then
  echo "$line"
  exec cat <&3
fi
exec ${JSON.stringify(original)} "$@"
`;
