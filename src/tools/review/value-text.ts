/** Values in the texts of a review: plain, of bounded length, and without a secret. */
import { createHash } from "node:crypto";
import { isUnknown } from "../../schema/unknown";
import { secretMask } from "../stack/mask";
import { hasSecret } from "../stack/engine-secrets";
import { later, shortened } from "../../schema/text/phrase";

/** The most characters of a value or a name that are shown. */
const longest = 80;

/** A value as plain text of bounded length. */
export function valueText(value: unknown): string {
  return typeof value === "string" && !isUnknown(value) && value !== secretMask && !isPem(value)
    ? cut(JSON.stringify(value))
    : bareText(value);
}

/** The same without the quotes of a text. */
export function bareText(value: unknown): string {
  if (isUnknown(value)) return later;
  if (typeof value === "string") return isPem(value) ? pemText(value) : cut(value);
  if (value === undefined || value === null) return "none";
  if (hasSecret(value)) return "contains [secret], not shown";
  return cut(JSON.stringify(value, (_, member: unknown) => (isUnknown(member) ? later : member)));
}

function isPem(value: string): boolean {
  return value.startsWith("-----BEGIN ");
}

/** A fingerprint of a PEM: enough to recognize it. */
function pemText(value: string): string {
  const label = /^-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(value)?.[1] ?? "PEM";
  const text = value.replace(/\s+/g, "");
  return `${label} (sha256 ${createHash("sha256").update(text).digest("hex").slice(0, 12)})`;
}

/** A text of bounded length. */
export function cut(text: string): string {
  return shortened(text, longest);
}
