import { canonicalHost, isHostname } from "./hostport";
import { quote } from "./quote";

// Who may pass an OAuth module. The specification gives these names and no grammar, so only what can be
// none of them is refused.

/** A team of the code-hosting platform: `<org-slug>/<team-slug>`. */
export function checkTeam(value: string): string | undefined {
  const [organization, team, ...rest] = value.split("/", 3);
  if (rest.length === 0 && isSlug(organization) && isSlug(team)) return undefined;
  return `must be a team as <org-slug>/<team-slug>, got ${quote(value)}`;
}

/** An organization of the code-hosting platform: its slug. */
export function checkOrganization(value: string): string | undefined {
  return isSlug(value)
    ? undefined
    : `must be an organization's slug, without "/" and spaces; got ${quote(value)}`;
}

/** An e-mail address: one `@`, no spaces, a domain behind it. */
export function checkEmail(value: string): string | undefined {
  const at = value.indexOf("@");
  if (at > 0 && isWord(value.slice(0, at)) && isHostname(value.slice(at + 1))) return undefined;
  return `must be an e-mail address such as user@example.com, got ${quote(value)}`;
}

/** Whether two e-mail addresses are one: letter case of the domain does not count. */
export function sameEmail(a: string, b: string): boolean {
  return a === b || canonicalEmail(a) === canonicalEmail(b);
}

/** The one spelling of an e-mail address; what is none comes back as it is. */
export function canonicalEmail(value: string): string {
  if (checkEmail(value) !== undefined) return value;
  const at = value.indexOf("@");
  return `${value.slice(0, at)}@${canonicalHost(value.slice(at + 1))}`;
}

/** An e-mail domain: no `@`, no scheme. */
export function checkEmailDomain(value: string): string | undefined {
  if (isHostname(value)) return undefined;
  return `must be an e-mail domain such as example.com, without "@" and scheme; got ${quote(value)}`;
}

/** Whether two e-mail domains are one: letter case does not count. */
export function sameEmailDomain(a: string, b: string): boolean {
  return a === b || canonicalHost(a) === canonicalHost(b);
}

function isSlug(value: string | undefined): boolean {
  return value !== undefined && isWord(value) && !value.includes("/");
}

function isWord(value: string): boolean {
  return value !== "" && !/[\s\p{Cc}]/u.test(value);
}
