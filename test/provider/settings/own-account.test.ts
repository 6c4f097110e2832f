import { OwnAccount } from "../../../src/provider/settings/own-account";

const found = { id: "ipp_1" };
const gone = { id: "" };
const isGone = ({ id }: { id: string }): boolean => id === "";

describe("the reads of a refresh", () => {
  let account: OwnAccount;
  beforeEach(() => {
    jest.useFakeTimers();
    account = new OwnAccount();
  });
  afterEach(() => jest.useRealTimers());

  const read = (result: Promise<{ id: string }>) => account.confirmed(result, isGone);
  /** Begins the read, and returns what became of it so far. */
  const begin = (result: Promise<{ id: string }>): (() => string) => {
    let outcome = "waits";
    read(result).then(
      ({ id }) => (outcome = id === "" ? "gone" : "found"),
      (error: Error) => (outcome = error.message),
    );
    return () => outcome;
  };
  const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1000);

  it("report a deletion at once when any object was found before", async () => {
    await read(Promise.resolve(found));
    expect(await read(Promise.resolve(gone))).toBe(gone);
  });

  it("wait for the first object that is found", async () => {
    const first = begin(Promise.resolve(gone));
    const slow = begin(new Promise((resolve) => setTimeout(() => resolve(found), 60_000)));
    await seconds(50);
    expect(first()).toBe("waits");
    await seconds(10);
    expect([first(), slow()]).toEqual(["gone", "found"]);
  });

  it("fail where none is found, so that the state keeps all objects", async () => {
    const reads = [1, 2, 3].map(() => begin(Promise.resolve(gone)));
    await seconds(1);
    for (const outcome of reads)
      expect(outcome()).toBe(
        "none of the 3 objects of the stack that were looked for exists in the account, so the key may belong to another account: " +
          "correct it. If somebody deleted the objects, run the command once with TUNNEL_GATEWAY_ACCEPT_DELETED=true",
      );
  });

  it("wait for objects that Pulumi reads later, and for none that fails", async () => {
    const first = begin(Promise.resolve(gone));
    await seconds(0.9);
    const failing = begin(
      new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), 10_000)),
    );
    await seconds(10);
    expect([first(), failing()]).toEqual(["waits", "no answer"]);
    await seconds(1);
    expect(first()).toMatch(/^the object of the stack that was looked for does not exist in the account/);
  });
});
