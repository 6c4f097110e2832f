import {
  newCreationMark,
  ownerInMark,
  creationOwner,
  stampIn,
  stampInMark,
  stampText,
} from "../../../src/schema/metadata";
import { Plugin } from "../../support/plugin";

const stamp = stampText({ project: "p", stack: "s", name: "n" });
const renamed = stampText({ project: "p", stack: "s", name: "other" });

test("a stamp is the same text for the same resource, and differs from what users write", () => {
  expect(stamp).toBe('{"project":"p","stack":"s","name":"n"}');
  expect(stampIn(stamp)).toEqual({ project: "p", stack: "s", name: "n" });
  for (const metadata of [
    undefined,
    "",
    "{}",
    '{"project":"p"}',
    '{"project":"p","stack":"s","name":"n","x":1}',
    '{"project":',
  ]) {
    expect(stampIn(metadata)).toBeUndefined();
  }
});

test("the owner in a mark is the URN, and holds the stamp", () => {
  const urns = ["a", "b"].map((each) => `urn:pulumi:s::p::x:index:T$tunnel-gateway:index:ApiKey::${each}`);
  const marks = urns.map((urn) => newCreationMark(creationOwner(stamp, urn)));
  expect(marks.map(stampInMark)).toEqual([1, 2].map(() => ({ project: "p", stack: "s", name: "n" })));
  expect(ownerInMark(marks[0])).not.toBe(ownerInMark(marks[1]));
  expect(ownerInMark(newCreationMark(creationOwner(stamp, urns[0])))).toBe(ownerInMark(marks[0]));
  // Without both it is not certain whose key it is.
  for (const owner of [
    creationOwner(stamp, undefined),
    creationOwner("mine", urns[0]),
    creationOwner(undefined, urns[0]),
  ]) {
    expect(owner).toBeUndefined();
    expect(stampInMark(newCreationMark(owner))).toBeUndefined();
  }
  expect(stampInMark(stamp)).toBeUndefined();
  expect(stampInMark(newCreationMark("rotation of ak_1"))).toBeUndefined();
});

/** What check makes of the metadata of an object that had another one before. */
async function checked(
  type: string,
  before: object,
  args: object,
  patchUndocumented = false,
): Promise<unknown> {
  const result = await new Plugin({ patchUndocumented }).hooks(type).check({ ...before }, { ...args });
  return (result.inputs as { metadata?: unknown }).metadata;
}

const monitoring = { target: { monitoring: { apiKey: "not-so-secret" } } };

test("an object that can be changed gets its stamp, and loses it, in place", async () => {
  expect(await checked("IpPolicy", { description: "x" }, { description: "x", metadata: stamp })).toBe(stamp);
  expect(
    await checked("IpPolicy", { description: "x", metadata: stamp }, { description: "x" }),
  ).toBeUndefined();
});

test("an object that would be replaced for its stamp stays as it is", async () => {
  const type = "EventDestination";
  expect(await checked(type, monitoring, { ...monitoring, metadata: stamp })).toBeUndefined();
  expect(await checked(type, { ...monitoring, metadata: stamp }, monitoring)).toBe(stamp);
  expect(await checked(type, { ...monitoring, metadata: stamp }, { ...monitoring, metadata: renamed })).toBe(
    stamp,
  );
  expect(await checked(type, monitoring, { ...monitoring, metadata: stamp }, true)).toBe(stamp);
});

test("a new object gets its stamp, and what a user writes is never kept back", async () => {
  const type = "EventDestination";
  expect(await checked(type, {}, { ...monitoring, metadata: stamp })).toBe(stamp);
  expect(await checked(type, monitoring, { ...monitoring, metadata: "mine" })).toBe("mine");
  expect(await checked(type, { ...monitoring, metadata: "mine" }, monitoring)).toBeUndefined();
});
