/** An event type has any name, so the id of a source may hold more than one slash. */
import { EventSource, EventSubscription } from "../../src";
import { InProcessStack } from "../support/in-process/stack";
import { sharedEmulator } from "../support/emulators";

const emulator = sharedEmulator();

it("is created, read and deleted, and shows no difference in between", async () => {
  const stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
  const program = (types: string[]) => () => {
    const { id: subscriptionId } = new EventSubscription("subscription");
    for (const type of types) new EventSource(type, { subscriptionId, type });
  };
  const types = ["IpPolicy/Created/It.v12", "ip-policy.created.v01"];
  await stack.up(program(types));
  expect((await stack.preview(program(types))).changes).toEqual([]);
  await stack.refresh();
  expect((await stack.preview(program(types))).changes).toEqual([]);
  expect(stack.resources[types[0]!]!.outputs.type).toBe(types[0]);
  await stack.up(program([]));
  expect(emulator.snapshot().event_subscriptions).toMatchObject([{ sources: [] }]);
});
