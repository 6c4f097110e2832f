/** Addresses that change their owner, with a service that refuses an address in use, through both doors. */
import * as dynamicClasses from "../../../src";
import * as nativeClasses from "../../../src/native";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { nativeProcess } from "../../support/in-process/provider";
import { InProcessStack, type StackOptions } from "../../support/in-process/stack";
import { Plugin } from "../../support/plugin";

const emulator = emulatorForTests({ exclusiveAddresses: true });
const [database, cache] = ["database.example.com:5432", "cache.example.com:6379"];
const parts = {
  dynamic: { classes: dynamicClasses, options: {} as StackOptions },
  native: { classes: nativeClasses, options: { plugin: nativeProcess } as StackOptions },
};
const waysOut =
  ". If it has a new name in the program, add the resource option aliases. If Pulumi replaces it, set deleteBeforeReplace. " +
  "If the address moves to another resource, take two steps: run pulumi up with a program that has the address nowhere, " +
  "then with this program";
const found = "; pulumi stack --show-ids names its resource, if the stack has it";

describe.each(["dynamic", "native"] as const)("an address in use, through the %s door", (door) => {
  const { CloudEndpoint, TcpEdge } = parts[door].classes;
  const stackWith = (settings: Readonly<Record<string, string>> = {}) => {
    const config = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`tunnel-gateway:${name}`, value]),
    );
    const own = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, ...settings };
    return new InProcessStack(own, { ...parts[door].options, config });
  };
  const edges = (hostports: Readonly<Record<string, readonly string[]>>) => (): void => {
    for (const [name, own] of Object.entries(hostports))
      new TcpEdge(name, { description: name, hostports: [...own] });
  };
  const endpoint = (url: string) => (): void => void new CloudEndpoint("database", { url });
  const idOf = (collection: "edges/tcp" | "endpoints", at = 0): string =>
    String(emulator.snapshot()[collection]![at]!.id);

  it("is named with its holder where an edge has a new name, and two steps move it", async () => {
    const stack = stackWith();
    await stack.up(edges({ old: [database] }));
    const { message } = await failureOf(stack.up(edges({ new: [database.toUpperCase()] })));
    expect(message).toContain(`creating the TCP edge failed: 400 ERR_ADDRESS: the address is not available`);
    expect(message).toContain(
      `tcp://${database} is an address of the TCP edge ${idOf("edges/tcp")} already${found}${waysOut}`,
    );
    await stack.up(() => undefined);
    await stack.up(edges({ new: [database] }));
    expect(emulator.snapshot()["edges/tcp"]).toMatchObject([{ description: "new" }]);
  });

  it("is named with the resource of its holder where that is in the metadata", async () => {
    const stack = stackWith({ stampMetadata: "true" });
    await stack.up(edges({ old: [database] }));
    const { message } = await failureOf(stack.up(edges({ new: [database] })));
    expect(message).toMatch(
      /is an address of the TCP edge \S+ already, which is the resource "old" of the stack program\/\S+\. If/,
    );
  });

  it("is named where two edges swap theirs, and two steps swap them", async () => {
    const stack = stackWith();
    await stack.up(edges({ one: [database], two: [cache] }));
    const swapped = edges({ one: [cache], two: [database] });
    const { message } = await failureOf(stack.up(swapped));
    // Either of the two may be changed first.
    const [, address, id] = /tcp:\/\/(\S+) is an address of the TCP edge (\S+) already/.exec(message)!;
    expect(emulator.snapshot()["edges/tcp"]).toContainEqual(
      expect.objectContaining({ id, hostports: [address] }),
    );
    expect(message).toContain(`already${found}${waysOut}`);
    await stack.up(edges({ one: [], two: [] }));
    await stack.up(swapped);
    expect(emulator.snapshot()["edges/tcp"]).toMatchObject([
      { hostports: [cache] },
      { hostports: [database] },
    ]);
  });

  it("is named where it goes from a cloud endpoint to an edge, and back", async () => {
    const stack = stackWith();
    await stack.up(endpoint(`tcp://${database}`));
    const { message } = await failureOf(stack.up(edges({ database: [database] })));
    expect(message).toContain(
      `tcp://${database} is an address of the cloud endpoint ${idOf("endpoints")} already${found}${waysOut}`,
    );
    await stack.up(() => undefined);
    await stack.up(edges({ edge: [database] }));
    const back = await failureOf(stack.up(endpoint(`tcp://${database}`)));
    expect(back.message).toContain(
      `tcp://${database} is an address of the TCP edge ${idOf("edges/tcp")} already${found}${waysOut}`,
    );
  });

  it("of an endpoint that an agent serves is named by its type", async () => {
    await emulator.seed({ endpoints: [{ id: "ep_1", type: "ephemeral", url: `tcp://${database}` }] });
    const { message } = await failureOf(stackWith().up(edges({ database: [database] })));
    expect(message).toContain("is an address of the endpoint of the type ephemeral ep_1 already");
  });

  it("of two endpoints that pool it is no problem; of one that pools it alone it is", async () => {
    const url = "https://hello.example.com";
    const pooled = (isSecondPooled: boolean) => (): void => {
      new CloudEndpoint("one", { url, poolingEnabled: true });
      new CloudEndpoint("two", { url, poolingEnabled: isSecondPooled });
    };
    const stack = stackWith();
    await stack.up(pooled(true));
    const { message } = await failureOf(stack.up(pooled(false)));
    expect(message).toContain(
      `${url} is an address of the cloud endpoint ${String(stack.resources.one!.id)}`,
    );
  });
});

describe("a refusal with an address", () => {
  const plugin = () => Plugin.for(emulator);
  const searches = (): string[] =>
    emulator.requests.flatMap(({ method, path }) => (method === "GET" ? [path] : []));

  it("is left as it is where no other object has the address", async () => {
    emulator.setFaults({ rules: [{ kind: "status", status: 400, method: "POST", times: 1 }] });
    const { message } = await failureOf(plugin().create("TcpEdge", { hostports: [database] }));
    expect(message).not.toContain("is an address of");
    expect(searches()).toEqual(["/edges/tcp", "/endpoints"]);
  });

  it("is left as it is where the account cannot be searched", async () => {
    await plugin().create("TcpEdge", { hostports: [database] });
    emulator.setFaults({ rules: [{ kind: "status", status: 403, method: "GET", times: 9 }] });
    const { message } = await failureOf(plugin().create("TcpEdge", { hostports: [database] }));
    expect(message).toMatch(/^creating the TCP edge failed: 400 ERR_ADDRESS: [^.]*$/);
  });

  it.each([401, 403])("asks nothing after a %i, which is about the key", async (status) => {
    emulator.setFaults({ rules: [{ kind: "status", status, method: "POST", times: 1 }] });
    await failureOf(plugin().create("TcpEdge", { hostports: [database] }));
    expect(searches()).toEqual([]);
  });

  it("asks nothing where an update sends no address", async () => {
    const { id, state } = await plugin().create("TcpEdge", { hostports: [database] });
    emulator.setFaults({ rules: [{ kind: "status", status: 400, method: "PATCH", times: 1 }] });
    await failureOf(plugin().update("TcpEdge", id, state, { hostports: [database], description: "new" }));
    expect(searches()).toEqual([]);
  });
});

describe("a replacement that its arguments do not ask for", () => {
  const deletesFirst = async (type: string, olds: object, news: object = olds): Promise<unknown> => {
    const state = { ...olds, __args: Object.keys(olds) };
    return (
      await Plugin.for(emulator)
        .hooks(type)
        .diff("id_1", state, news as never)
    ).deleteBeforeReplace;
  };
  const url = "https://hello.example.com";

  it.each<[string, boolean, string, object, object?]>([
    ["an edge", true, "TcpEdge", { hostports: [database] }],
    ["an edge without addresses", false, "TcpEdge", { hostports: [] }],
    ["an edge whose addresses change", false, "TcpEdge", { hostports: [database] }, { hostports: [cache] }],
    ["an endpoint", true, "CloudEndpoint", { url }],
    ["an endpoint that shares its address", false, "CloudEndpoint", { url, poolingEnabled: true }],
    ["an endpoint with another scheme", false, "CloudEndpoint", { url }, { url: "http://hello.example.com" }],
  ])("of %s deletes first: %s", async (_, expected, type, ...[olds, news]) => {
    expect(await deletesFirst(type, olds, news)).toBe(expected);
  });
});
