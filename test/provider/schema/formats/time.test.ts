import fc from "../../../support/fast-check";
import { time } from "./formats";
import { same } from "./support";

test.each([
  "2030-01-31T12:00:00Z",
  "2030-01-31T12:00:00.123456789+05:30",
  "2028-02-29T00:00:00-00:00",
  "2000-02-29T23:59:59Z",
  "0000-02-29T00:00:00Z",
  "0099-12-31T00:00:00Z",
  "2030-01-31t12:00:00z",
  "2016-12-31T23:59:60Z",
  "2017-01-01T00:59:60+01:00",
])("%s is a time", (value) => {
  expect(time.check(value)).toBeUndefined();
});

test.each([
  ["2030-01-31", "it lacks a time of day and an offset"],
  ["2030-01-31T12:00:00", "it lacks Z or an offset such as +02:00"],
  ["2030-02-29T00:00:00Z", "is not a day of the calendar"],
  ["1900-02-29T00:00:00Z", "is not a day of the calendar"],
  ["2030-04-31T00:00:00Z", "is not a day of the calendar"],
  ["2030-01-00T00:00:00Z", "is not a day of the calendar"],
  ["2030-13-01T00:00:00Z", "has no month from 01 to 12"],
  ["2030-00-01T00:00:00Z", "has no month from 01 to 12"],
  ["2030-01-01T24:00:00Z", "is not a time of day"],
  ["2030-01-01T00:60:00Z", "is not a time of day"],
  ["2030-01-01T00:00:61Z", "is not a time of day"],
  ["2030-01-15T23:59:60Z", "is not a time of day"],
  ["2030-01-01T00:00:00+24:00", "has no offset from -23:59 to +23:59"],
  ["2030-01-01T00:00:00+00:60", "has no offset from -23:59 to +23:59"],
  ["2030-01-01T00:00:00+0100", "is not one"],
  ["2030-01-01T00:00:00.Z", "is not one"],
  ["2030-01-01T00:00Z", "is not one"],
  ["2030-01-01 00:00:00Z", "is not one"],
  ["2030-01-01T00:00:00Z\n", "is not one"],
  ["tomorrow", '"tomorrow" is not one'],
  ["", '"" is not one'],
])("%j is refused: %s", (value, reason) => {
  expect(time.check(value)).toMatch(/^must be a time in RFC 3339 form such as 2030-01-31T12:00:00Z; /);
  expect(time.check(value)).toContain(reason);
});

test.each([
  ["2030-01-31T12:00:00Z", "2030-01-31T14:00:00+02:00"],
  ["2030-01-31T12:00:00Z", "2030-01-31t12:00:00.000z"],
  ["2030-01-31T12:00:00.5Z", "2030-01-31T06:30:00.50-05:30"],
  ["2030-01-01T00:30:00+01:00", "2029-12-31T23:30:00Z"],
])("%s and %s are one instant", (a, b) => {
  expect(same(time, a, b)).toBe(true);
  expect(same(time, b, a)).toBe(true);
});

test("Times that differ by a billionth of a second are two", () => {
  const [early, late] = ["2030-01-31T12:00:00.000000001Z", "2030-01-31T12:00:00.000000002Z"];
  expect(same(time, early, late)).toBe(false);
  expect(same(time, late, early)).toBe(false);
  expect(same(time, "2030-01-31T12:00:00.45Z", "2030-01-31T12:00:00.5Z")).toBe(false);
});

test("What is no time has no instant, and equals only itself", () => {
  expect(same(time, "tomorrow", "2030-01-31T12:00:00Z")).toBe(false);
  expect(time.toInstant("tomorrow")).toBeUndefined();
  expect(same(time, "tomorrow", "tomorrow")).toBe(true);
  expect(same(time, "tomorrow", "Tomorrow")).toBe(false);
});

test("Every date is its own time in every zone", () => {
  const date = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9998-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, fc.integer({ min: -1439, max: 1439 }), (instant, offset) => {
      const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const zone = `${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
      expect(time.check(local + zone)).toBeUndefined();
      expect(time.toInstant(local + zone)).toBe(instant.getTime());
      expect(same(time, local + zone, instant.toISOString())).toBe(true);
    }),
  );
});
