import { canonicalHost, isHostname } from "./hostport";
import { quote } from "../text/phrase";
import { hasControl } from "./text";

// Who may pass an OAuth module. The specification gives these names and, but for a team, no grammar, so what can be
// none of them is a warning.

/** A team of the code-hosting platform: `<org-slug>/<team-slug>`. */
export function checkTeam(value: string): string | undefined {
  const [organization, team, ...rest] = value.split("/", 3);
  if (rest.length === 0 && isSlug(organization) && isSlug(team)) return undefined;
  return `must be a team as <org-slug>/<team-slug>, got ${quote(value)}`;
}

/** What can be no slug of an organization. */
export function adviseOrganization(value: string): string | undefined {
  return isSlug(value)
    ? undefined
    : `does not look like an organization's slug, without "/" and spaces: ${quote(value)}`;
}

/** What can be no e-mail address: one has an `@`, no spaces, and a domain behind it. */
export function adviseEmail(value: string): string | undefined {
  return isEmail(value)
    ? undefined
    : `does not look like an e-mail address such as user@example.com: ${quote(value)}`;
}

/** The one spelling of an e-mail address: letter case of the domain does not count. Other text is returned as it is. */
export function canonicalEmail(value: string): string {
  if (!isEmail(value)) return value;
  const at = value.indexOf("@");
  return `${value.slice(0, at)}@${canonicalHost(value.slice(at + 1))}`;
}

/** What can be no e-mail domain: one has neither `@` nor a scheme. */
export function adviseEmailDomain(value: string): string | undefined {
  return isHostname(value)
    ? undefined
    : `does not look like an e-mail domain such as example.com, without "@" and scheme: ${quote(value)}`;
}

function isEmail(value: string): boolean {
  const at = value.indexOf("@");
  return at > 0 && isWord(value.slice(0, at)) && isHostname(value.slice(at + 1));
}

function isSlug(value: string | undefined): boolean {
  return value !== undefined && isWord(value) && !value.includes("/");
}

function isWord(value: string): boolean {
  return value !== "" && !/\s/.test(value) && !hasControl(value);
}
