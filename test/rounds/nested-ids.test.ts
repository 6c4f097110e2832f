/** Ids that the first preview does not know yet, of objects that the argument does not take. */
import * as pulumi from "@pulumi/pulumi";
import {
  BotUser,
  CloudEndpoint,
  FailoverBackend,
  HttpResponseBackend,
  IpPolicy,
  IpPolicyRule,
  TcpEdge,
  TunnelGroupBackend,
  WeightedBackend,
} from "../../src";
import { rejectingWrongArguments } from "../../src/program/program-errors";
import { InProcessStack } from "../support/in-process/stack";
import { emulatorForTests } from "../support/emulators";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

const web = () => new TunnelGroupBackend("web", { labels: { service: "web" } });
const sorry = () => new HttpResponseBackend("sorry", { statusCode: 503 });
const failover = () => new FailoverBackend("inner", { backends: [web().id] });
const weighted = () => new WeightedBackend("shares", { backends: web().id.apply((id) => ({ [id]: 1 })) });

const programs: [string, () => unknown, RegExp][] = [
  [
    "a weighted backend within a failover backend",
    () => new FailoverBackend("outer", { backends: [sorry().id, weighted().id] }),
    /FailoverBackend "outer"\n\s+backends\[1\]: must be an id that starts with bkdtg_ or bkdhr_; it is the id of the weighted backend "shares"/,
  ],
  [
    "a failover backend within another one",
    () => new FailoverBackend("outer", { backends: [failover().id] }),
    /backends\[0\]: must be an id .*; it is the id of the failover backend "inner"/,
  ],
  [
    "a backend in the place of a policy",
    () => new TcpEdge("edge", { ipRestriction: { ipPolicyIds: [web().id] } }),
    /ipRestriction\.ipPolicyIds\[0\]: must be an id .*; it is the id of the tunnel group backend "web"/,
  ],
  [
    "a bot user in the place of a policy",
    () =>
      new IpPolicyRule("rule", {
        cidr: "10.0.0.0/8",
        action: "allow",
        ipPolicyId: new BotUser("robot", { name: "robot" }).id,
      }),
    /ipPolicyId: must be an id that starts with ipp_; it is the id of the bot user "robot"/,
  ],
];

it.each(programs)("are found in the first preview: %s", async (_what, program, message) => {
  await expect(rejectingWrongArguments(() => stack.preview(program))).rejects.toThrow(message);
});

it("are right where the argument takes them", async () => {
  const { changes } = await stack.preview(() => {
    const policy = new IpPolicy("office");
    new TcpEdge("edge", {
      backend: { backendId: weighted().id },
      ipRestriction: { ipPolicyIds: [policy.id] },
    });
    new FailoverBackend("outer", {
      backends: [sorry().id, new TunnelGroupBackend("two", { labels: { a: "b" } }).id],
    });
    new CloudEndpoint("site", { url: "https://site.example.com" });
  });
  expect(changes.map(({ op }) => op)).not.toContain("update");
});

/** A key of a map is a text, which a program has once the id is known; until then nothing says which ids it holds. */
it("are found in the keys of a map once they are known: before anything of the outer backend is sent", async () => {
  const program = () => {
    const inner = failover();
    new WeightedBackend("outer", { backends: pulumi.output(inner.id).apply((id) => ({ [id]: 1 })) });
  };
  await stack.preview(program);
  await expect(stack.up(program)).rejects.toThrow(
    /bkdfo_\w+"\]: its key must be an id that starts with bkdtg_/,
  );
  expect(emulator.snapshot()["backends/weighted"] ?? []).toEqual([]);
  await expect(stack.preview(program)).rejects.toThrow(
    /bkdfo_\w+"\]: its key must be an id that starts with bkdtg_/,
  );
});
