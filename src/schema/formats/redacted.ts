/**
 * Whether what a service answers in place of a secret is a redaction: it begins or ends with three or more
 * `*` or `•`, or is the word "redacted" alone or in brackets. All else may be a real secret.
 */
export function redacted(value: string): boolean {
  if (/^[*•]{3}|[*•]{3}$/.test(value)) return true;
  return value.length <= 12 && /^(redacted|\[redacted\]|<redacted>|\(redacted\)|\{redacted\})$/i.test(value);
}
