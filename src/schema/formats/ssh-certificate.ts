import { problem } from "./cidr";
import { either, quote } from "./quote";
import { hasControl } from "./text";

/** The critical options that the SSH certificate protocol defines. */
const CRITICAL_OPTIONS = ["force-command", "source-address"] as const;

/** A principal of an SSH certificate: a user name or a host, not empty and without a comma. */
export function checkPrincipal(value: string): string | undefined {
  if (value === "") return "must be a principal, which is not empty";
  if (!value.includes(",") && !hasControl(value)) return undefined;
  return `must be one principal, without commas and control characters; got ${quote(value)}`;
}

/** The name of a critical option: `force-command` or `source-address`. */
export function checkCriticalOption(name: string): string | undefined {
  if ((CRITICAL_OPTIONS as readonly string[]).includes(name)) return undefined;
  return `must be a critical option, which is ${either(CRITICAL_OPTIONS)}; got ${quote(name)}`;
}

/**
 * The value of a critical option. `source-address` is a list of addresses and ranges with commas and no
 * spaces; a forced command is anything but nothing, and is not shown in the message.
 */
export function checkCriticalValue(name: string, value: string): string | undefined {
  if (name === "force-command") return value === "" ? "must be a command, which is not empty" : undefined;
  if (name !== "source-address") return undefined;
  const wrong = value.split(",").find((part) => problem(part) !== undefined);
  if (wrong === undefined) return undefined;
  return `must be addresses and ranges with commas between them and no spaces; ${problem(wrong)}`;
}
