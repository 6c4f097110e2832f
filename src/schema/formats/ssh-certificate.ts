import { problem } from "./cidr";
import { either, quote } from "./quote";
import { hasControl } from "./text";

/** The critical options that the SSH certificate protocol defines. */
const CRITICAL_OPTIONS = ["force-command", "source-address"] as const;

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

/** The name of a critical option: `force-command` or `source-address`. */
export function checkCriticalOption(name: string): string | undefined {
  if ((CRITICAL_OPTIONS as readonly string[]).includes(name)) return undefined;
  return `must be a critical option, which is ${either(CRITICAL_OPTIONS)}; got ${quote(name)}`;
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
