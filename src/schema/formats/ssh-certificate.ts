import { problem } from "./cidr";
import { either } from "../text/phrase";
import { hasControl } from "./text";

/** The critical options that the specification names, and the one that OpenSSH added for keys on a security token. */
const CRITICAL_OPTIONS: readonly string[] = ["force-command", "source-address", "verify-required"];

/** A principal that names no user and no host. */
export function advisePrincipal(value: string): string | undefined {
  if (value === "") return "is empty, and no user or host has an empty name";
  if (!value.includes(",") && !hasControl(value)) return undefined;
  return "holds a comma or a control character; write each principal as an item of its own";
}

/** A name of an extension that no server knows. */
export function adviseExtension(name: string): string | undefined {
  return name === "" ? "is empty, and no extension has an empty name" : undefined;
}

/** The name of a critical option that servers may not know. */
export function adviseCriticalOption(name: string): string | undefined {
  if (CRITICAL_OPTIONS.includes(name)) return undefined;
  return `is none of ${either(CRITICAL_OPTIONS)}, and a server refuses a certificate with a critical option that it does not know`;
}

/**
 * A value with which servers refuse the certificate: `source-address` is a list of addresses and ranges with commas and
 * no spaces, and a forced command is not empty. The message does not show the command.
 */
export function adviseCriticalValue(name: string, value: string): string | undefined {
  if (name === "force-command") return value === "" ? "is an empty command" : undefined;
  if (name !== "source-address") return undefined;
  const wrong = value.split(",").find((part) => problem(part) !== undefined);
  if (wrong === undefined) return undefined;
  return `holds more than addresses and ranges with commas between them, so servers refuse the certificate; ${problem(wrong)}`;
}
