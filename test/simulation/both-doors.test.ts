/** The comparison of the two doors. */
import "./machine/entropy";
import { NativeProvider } from "../../src/provider/native/provider";
import { failureOf } from "../support/failure";
import { undisturbed, worldOf } from "../worlds/plan";
import { runBoth } from "./both-doors";
import { Finding } from "./world-run";
import { leave } from "./machine/entropy";

afterAll(leave);
afterEach(() => jest.restoreAllMocks());

it.each([
  [
    "does not find its objects",
    () =>
      jest
        .spyOn(NativeProvider.prototype, "read")
        .mockImplementation((_, id) => Promise.resolve({ id, props: {} })),
  ],
  [
    "deletes nothing",
    () => jest.spyOn(NativeProvider.prototype, "delete").mockImplementation(() => Promise.resolve()),
  ],
  [
    "sees changes that there are not",
    () =>
      jest
        .spyOn(NativeProvider.prototype, "diff")
        .mockImplementation(() => Promise.resolve({ changes: true, replaces: [], paths: [], stables: [] })),
  ],
])("finds a native provider that %s", async (_, plant) => {
  plant();
  expect(await failureOf(runBoth(undisturbed(worldOf(1, 2))))).toBeInstanceOf(Finding);
});

it("finds requests that only one of the doors sends", async () => {
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const deleted = NativeProvider.prototype.delete;
  jest.spyOn(NativeProvider.prototype, "delete").mockImplementation(async function (
    this: NativeProvider,
    ...values
  ) {
    await deleted.apply(this, values);
    await deleted.apply(this, values);
  });
  const { message } = await failureOf(runBoth(undisturbed(worldOf(1, 2))));
  expect(message).toMatch(/^The doors differ\.\nDynamic: /);
});
