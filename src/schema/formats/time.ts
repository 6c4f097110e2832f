import type { Format } from "../field";
import { quote } from "../text/phrase";

interface Instant {
  /** Seconds since 1970 in UTC. */
  readonly seconds: number;
  /** The digits of the fraction without trailing zeros. */
  readonly fraction: string;
}

const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/**
 * An RFC 3339 time ("Conventions": all timestamps): a real day of the calendar, a time of day and an
 * offset. RFC 3339 allows lower-case `t` and `z`, and a 60th second at the end of a month in UTC.
 */
export function check(value: string): string | undefined {
  const instant = read(value);
  if (typeof instant !== "string") return undefined;
  return `must be a time in RFC 3339 form such as 2030-01-31T12:00:00Z; ${instant}`;
}

/** The time, in milliseconds since 1970, as text in UTC. */
export function textOf(instant: number): string {
  return new Date(instant).toISOString().replace(".000Z", "Z");
}

/** The time without parts of a second, in milliseconds since 1970, as text in UTC. */
export function secondsText(instant: number): string {
  return textOf(Math.floor(instant / 1000) * 1000);
}

/** A time in the past. */
export function example(): string {
  return "2026-01-01T00:00:00Z";
}

/** A time that lies far ahead, for the end of something that is valid today. */
export function exampleEnd(): string {
  return "2099-01-01T00:00:00Z";
}

/** Advice on an end that has passed: `effect` says what follows from that. */
export function adviseEnd(effect: string): (value: string) => string | undefined {
  return (value) => {
    const end = toInstant(value);
    return end === undefined || end > Date.now() ? undefined : `has passed, so ${effect}`;
  };
}

/**
 * The end of something.
 * @param effect what one in the past has as an effect: a warning.
 */
export function endOf(effect?: string): Format {
  return {
    check,
    canonical,
    example: exampleEnd,
    ...(effect === undefined ? {} : { advise: adviseEnd(effect) }),
  };
}

/** The one spelling of an instant, in UTC and without trailing zeros; other text is returned as it is. */
export function canonical(value: string): string {
  const instant = read(value);
  if (typeof instant === "string") return value;
  const { seconds, fraction } = instant;
  return new Date(seconds * 1000).toISOString().replace(".000Z", fraction === "" ? "Z" : `.${fraction}Z`);
}

/** Milliseconds since 1970, finer digits cut off; undefined when the value is not a time. */
export function toInstant(value: unknown): number | undefined {
  const instant = typeof value === "string" ? read(value) : "";
  if (typeof instant === "string") return undefined;
  return instant.seconds * 1000 + Number(instant.fraction.slice(0, 3).padEnd(3, "0"));
}

function read(value: string): Instant | string {
  const match = SHAPE.exec(value);
  if (!match) return `${quote(value)} is not one${hint(value)}`;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12) return `${quote(value)} has no month from 01 to 12`;
  // Day 0 of the next month is this month's last; Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const days = new Date(utc(year, month + 1, 0)).getUTCDate();
  if (day < 1 || day > days) return `${quote(value)} is not a day of the calendar`;
  if (hour > 23 || minute > 59 || second > 60) return `${quote(value)} is not a time of day`;
  const [offsetHours, offsetMinutes] = [Number(match[10] ?? 0), Number(match[11] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return `${quote(value)} has no offset from -23:59 to +23:59`;
  const offset = (match[9] === "-" ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60);
  const seconds = utc(year, month, day) / 1000 + hour * 3600 + minute * 60 + second - offset;
  if (second === 60 && !isMonthStart(seconds)) return `${quote(value)} is not a time of day`;
  return { seconds, fraction: withoutTrailingZeros(match[7] ?? "") };
}

function hint(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return ", it lacks a time of day and an offset";
  if (/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(value)) {
    return ", it lacks Z or an offset such as +02:00";
  }
  return "";
}

function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isMonthStart(seconds: number): boolean {
  return seconds % 86400 === 0 && new Date(seconds * 1000).getUTCDate() === 1;
}

function withoutTrailingZeros(digits: string): string {
  // A loop, because /0+$/ takes quadratic time on long runs of zeros.
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
