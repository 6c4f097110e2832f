import { either, quote } from "./quote";

/** The prefixes that the specification states, and whose they are. */
const OWNERS: Readonly<Record<string, string>> = {
  ak_: "an API key",
  usr_: "a user",
  bot_: "a bot user",
  sshcr_: "an SSH credential",
  cr_: "a tunnel credential",
  ts_: "a tunnel session",
  ipp_: "an IP policy",
  ipr_: "an IP policy rule",
  sucrt_: "an SSH user certificate",
  shcrt_: "an SSH host certificate",
  sshca_: "an SSH certificate authority",
  bkdtg_: "a tunnel group backend",
  bkdhr_: "an HTTP response backend",
  bkdwd_: "a weighted backend",
  bkdfo_: "a failover backend",
  ca_: "a certificate authority",
  cert_: "a TLS certificate",
  esb_: "an event subscription",
  ed_: "an event destination",
};

/** An id with one of the prefixes, each with its underscore: `prefixed("usr_", "bot_")`. */
export function prefixed(...prefixes: readonly string[]): (value: string) => string | undefined {
  return (value) => {
    const prefix = prefixes.find((candidate) => value.startsWith(candidate));
    if (prefix !== undefined && value.length > prefix.length && checkPath(value) === undefined) {
      return undefined;
    }
    const other = prefix === undefined ? ownerOf(value) : undefined;
    const got = other === undefined ? `got ${quote(value)}` : `${quote(value)} is the id of ${other}`;
    return `must be an id that starts with ${either(prefixes)}; ${got}`;
  };
}

/**
 * An id whose form the specification does not state, and that becomes one segment of a path: not empty,
 * no "/", no control characters or white space, not "." or "..".
 */
export function checkPath(value: string): string | undefined {
  if (value === "") return "must be an id, which is not empty";
  if (value === "." || value === ".." || /[/\s\p{Cc}]/u.test(value)) {
    return `must be an id, without "/", white space and control characters and not "." or ".."; got ${quote(value)}`;
  }
  return undefined;
}

function ownerOf(value: string): string | undefined {
  const prefix = /^[a-z]{2,8}_/.exec(value)?.[0];
  return prefix === undefined || !Object.prototype.hasOwnProperty.call(OWNERS, prefix)
    ? undefined
    : OWNERS[prefix];
}
