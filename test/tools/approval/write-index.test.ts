import type { ApprovedWrite } from "../../../src/tools/approval/approval";
import { differenceIn, pathAgrees } from "../../../src/tools/approval/template";
import { WriteIndex } from "../../../src/tools/approval/write-index";
import * as fc from "../../support/fast-check";

const value = fc.constantFrom("a", null, ["a"], { c: "a" });
const names = ["x", "y/y", "z"];
const body = fc.option(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }), { nil: undefined });
const holes = [
  { at: "/x", any: "secret" as const },
  { at: "/y~1y", text: [0] },
  { at: "/z/c", any: "unknown" as const },
];
const write: fc.Arbitrary<ApprovedWrite> = fc
  .record({
    method: fc.constantFrom("POST", "PATCH"),
    path: fc.constantFrom("/a", "/a/a_1", "/a/{0}", "/b/{1}"),
    body,
    holes: fc.subarray(holes),
  })
  .map(({ body, holes, ...rest }) => {
    const own = holes.filter(
      ({ at }) => body && names.some((name) => at[1] === name[0] && Object.hasOwn(body, name)),
    );
    return { ...rest, ...(body && { body }), ...(own.length > 0 && { holes: own }) };
  });
const sent = fc.record({
  baseUrl: fc.constantFrom("https://a", "https://a", "https://b"),
  method: fc.constantFrom("POST", "PATCH"),
  path: fc.constantFrom("/a", "/a/a_1", "/b/a_1", "/b"),
  body,
});

it("finds every approved write that a sent one is", () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(write, { maxLength: 20 }), sent, (writes, sent) => {
      const entries = writes.map((write, position) => ({ write, position, baseUrl: "https://a" }));
      const isEqual = ({ write, baseUrl }: (typeof entries)[number]): boolean =>
        baseUrl === sent.baseUrl &&
        write.method === sent.method &&
        pathAgrees(
          write,
          sent.path,
          () => true,
          () => true,
        ) &&
        differenceIn(write, sent.body, () => true) === undefined;
      const index = new WriteIndex(entries);
      const [equal, like] = [entries.filter(isEqual), index.like(sent)];
      expect(like.filter(isEqual)).toEqual(equal);
      expect(new Set(index.near(sent))).toEqual(new Set([...index.near(sent), ...like]));
      found += equal.length;
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(100);
});
