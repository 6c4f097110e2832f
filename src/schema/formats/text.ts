/**
 * A limit in bytes of UTF-8, as the specification states for most descriptions and metadata ("Limits").
 * The message never shows the value.
 */
export function byteLimit(limit: number): (value: string) => string | undefined {
  return (value) => {
    const length = Buffer.byteLength(value, "utf8");
    return length <= limit ? undefined : `is ${length} bytes in UTF-8; the limit is ${limit}`;
  };
}

/**
 * A limit in characters (Unicode code points; a lone surrogate counts as one), as the specification states for event
 * subscriptions ("Limits"). The message never shows the value.
 */
export function charLimit(limit: number): (value: string) => string | undefined {
  return (value) => {
    const { length } = [...value];
    return length <= limit ? undefined : `is ${length} characters; the limit is ${limit}`;
  };
}

/** A value that may not be empty. */
export function notEmpty(value: string): string | undefined {
  return value === "" ? "must not be empty" : undefined;
}

/** Whether a text holds a control character: one of C0 (a tab or a line end is one), DEL or C1. */
export function hasControl(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- \p{Cc} takes tables of Unicode, which each program would load at its start
  return /[\u0000-\u001f\u007f-\u009f]/.test(value);
}

/**
 * Whether what a service answers in place of a secret is a redaction: it begins or ends with three or more
 * `*` or `•`, or is the word "redacted" alone or in brackets. All else may be a real secret.
 */
export function redacted(value: string): boolean {
  if (/^[*•]{3}|[*•]{3}$/.test(value)) return true;
  return value.length <= 12 && /^(redacted|\[redacted\]|<redacted>|\(redacted\)|\{redacted\})$/i.test(value);
}
