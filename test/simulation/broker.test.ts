/**
 * A deployment of what was approved, in which the broker, the plugin or all of Pulumi dies at each of its writes. What the log
 * says is enough to repair the stack and to continue without another review.
 */
import "./machine/entropy";
import type { Snapshot } from "../../src/emulator";
import type { Approval } from "../../src/tools/approval/approval";
import { stepsOf } from "../../src/tools/approval/approve";
import type { LogLine } from "../../src/tools/approval/write-log";
import type { SentWrite } from "../../src/tools/approval/approved-writes";
import { ApprovedPermits } from "../../src/tools/broker/permits";
import type { Permit, WrittenAccounts } from "../../src/tools/broker/permits";
import { readPreview } from "../../src/tools/inventory/world";
import { rehearse } from "../../src/tools/rehearsal/rehearse";
import { isCreationMark } from "../../src/schema/metadata";
import { jsonIn } from "../../src/schema/json";
import { asText, membersOf } from "../../src/schema/unknown";
import type { WorldResource } from "../rounds/world";
import { pathOf } from "../rounds/requests";
import { Chance } from "../worlds/chance";
import { beginning, enter, leave } from "./machine/entropy";
import { Loop } from "./machine/loop";
import { baseUrl } from "./machine/network";
import type { Answer, Network, Sent } from "./machine/network";
import { printedPlan } from "./plan-text";
import { SimulatedStage } from "./stage";
import type { Stage } from "../worlds/stage";

afterAll(leave);

const of = (type: string, name: string, args: WorldResource["args"]): WorldResource => ({ type, name, args });
const rule = (name: string, policy: string, cidr: string): WorldResource =>
  of("IpPolicyRule", name, { ipPolicyId: `@${policy}`, cidr, action: "allow" });
const edge = (...ipPolicyIds: string[]): WorldResource =>
  of("TcpEdge", "database", {
    hostports: ["1.tcp.example.com:5001"],
    ipRestriction: { enabled: true, ipPolicyIds },
  });

/** A set that gets a deny rule inside of a new allow rule, loses a rule, and turns one. */
const set = (rules: Record<string, string>): WorldResource[] => [
  of("IpPolicy", "lab", { description: "lab" }),
  of("IpPolicyRuleSet", "ranges", { ipPolicyId: "@lab", rules }),
];

const before = [
  ...set({ "192.0.2.0/24": "allow", "10.8.0.0/16": "allow", "10.9.0.0/16": "allow" }),
  of("IpPolicy", "office", { description: "office" }),
  rule("berlin", "office", "203.0.113.0/24"),
  rule("old", "office", "198.51.100.0/24"),
  edge("@office"),
];
const after = [
  ...set({ "192.0.2.0/24": "allow", "10.9.0.0/16": "deny", "10.0.0.0/8": "allow", "10.1.0.0/16": "deny" }),
  of("IpPolicy", "office", { description: "office networks" }),
  rule("berlin", "office", "203.0.113.0/25"),
  of("IpPolicy", "vpn", { description: "vpn" }),
  rule("one", "vpn", "10.1.0.0/16"),
  rule("two", "vpn", "10.2.0.0/16"),
  edge("@office", "@vpn"),
  of("ApiKey", "monitoring", { description: "monitoring" }),
];
const writes = 14;

/** Who dies at a write: the broker before or after it, the plugin alone, or all of Pulumi. */
type Victim = "broker before" | "broker after" | "plugin" | "Pulumi";

/** A broker between the network and the service, with what it remembers in the log alone. */
class Between {
  readonly log: LogLine[] = [];
  readonly refused: string[] = [];
  permits: ApprovedPermits;
  /** How many writes it has let pass; it dies at one of them. */
  private count = 0;
  private isAlive = true;

  constructor(
    private readonly network: Network,
    private readonly account: Stage["account"],
    private readonly approval: Approval,
    private readonly diesAt: { readonly write: number; readonly when: "before" | "after" } | undefined,
  ) {
    this.permits = this.start();
  }

  /** Starts it again: it knows nothing but the log. */
  restart(): void {
    this.isAlive = true;
    this.permits = this.start();
  }

  /** What the broker of a deployment that has succeeded does at its end. */
  end(): Promise<void> {
    return this.permits.settle(this.seen);
  }

  private readonly seen: WrittenAccounts = {
    read: async (_, path) => {
      const { status, text } = await this.network.ask("GET", path);
      return status === 404 ? undefined : jsonIn(text);
    },
    list: (_, { path }) => Promise.resolve(this.account.snapshot()[path.slice(1)] as never),
    send: (write, permit) =>
      this.forward(write, permit, () => this.network.ask(write.method, write.path, write.body as object)),
    found: ({ method, path, position }, id) => this.add({ event: "answered", method, path, position, id }),
  };

  private start(): ApprovedPermits {
    this.network.between = (request, serve) => this.answer(request, serve);
    return new ApprovedPermits(this.approval, baseUrl, [...this.log]);
  }

  private async answer(request: Sent, serve: () => Promise<Answer>): Promise<Answer | undefined> {
    const { method, path } = request;
    if (!this.isAlive) return undefined;
    if (method === "GET") return serve();
    const body = request.body === undefined ? undefined : jsonIn(request.body);
    const permit = await this.permits.permitFor({ baseUrl, method, path, body }, this.seen);
    if ("refused" in permit) {
      this.refused.push(permit.refused);
      return { status: 403, headers: {}, text: "{}" };
    }
    return this.forward({ method, path, body }, permit, serve);
  }

  private async forward(
    { method, path, body }: Pick<SentWrite, "method" | "path" | "body">,
    permit: Permit,
    serve: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { position, names } = permit;
    const { metadata } = membersOf(body);
    this.add({
      event: "sent",
      baseUrl,
      method,
      path,
      ...{ position, names },
      ...(isCreationMark(metadata) && { mark: metadata }),
    });
    this.count += 1;
    const isLast = this.diesAt?.write === this.count;
    if (isLast) this.isAlive = false;
    if (isLast && this.diesAt?.when === "before") return undefined;
    const answer = await serve();
    if (isLast) return undefined;
    const id = method === "POST" ? asText(membersOf(jsonIn(answer.text)).id) : undefined;
    permit.answered(answer.status, id);
    this.add({ event: "answered", method, path, position, status: answer.status, id });
    return answer;
  }

  private add(line: object): void {
    this.log.push({ ...line, time: new Date().toISOString(), seal: "" } as LogLine);
  }
}

const idsIn = (account: Snapshot) =>
  new Set(Object.values(account).flatMap((all) => all.map(({ id }) => String(id))));

/** The objects with names in the places of ids, in any order. */
function namedIn(account: Snapshot): string[] {
  const names = new Map<string, string>();
  for (const { id, description, cidr } of Object.values(account).flat())
    if (!String(id).endsWith("_one")) names.set(String(id), String(cidr ?? description));
  const shown = Object.entries(account).flatMap(([collection, all]) =>
    all.map(({ created_at: _, token: __, ...object }) => {
      const text = JSON.stringify(object);
      return `${collection} ${text.replace(/\w+_\w+/g, (word) => names.get(word) ?? word)}`;
    }),
  );
  return shown.sort();
}

/** Deploys the change with a death at a write, repairs the stack as the pages say, and continues. */
async function continued(victim: Victim, write: number) {
  const seed = write;
  const loop = new Loop(beginning, new Chance(seed));
  enter(seed, () => loop.now());
  const world = { seed, number: 1, stamps: false, rounds: [] };
  let sent = 0;
  const stage = await SimulatedStage.start(world, loop, undefined, undefined, "dynamic");
  const { stack, account, network } = stage;
  expect((await stack.up({ program: before })).how).toBe("well");
  await stage.rest();
  const { operation } = await stack.preview(after);
  const plan = readPreview(printedPlan(operation!, "dynamic", { "tunnel-gateway:baseUrl": baseUrl })).plan();
  const start = account.snapshot();
  const rehearsal = await rehearse(plan, { readAccount: () => start, now: loop.now() });
  const steps = stepsOf(plan, rehearsal);
  const approval: Approval = {
    approval: 3,
    version: "",
    stack: "test",
    project: "program",
    baseUrls: [baseUrl],
    steps,
  };
  const [who, when] = victim.split(" ") as [string, "before" | "after"];
  const broker = new Between(network, account, approval, who === "broker" ? { write, when } : undefined);
  network.strikes = ({ method }) => {
    if (method === "GET" || who === "broker" || ++sent !== write) return undefined;
    return { kind: "kill", when: "after", isAlone: who === "plugin" };
  };
  const ending = await stack.up({ program: after });
  network.strikes = () => undefined;
  const logged = new Set(broker.log.flatMap((line) => (line.event === "sent" ? [line.position] : []))).size;

  broker.restart();
  const {
    orphans,
    imports,
    import: adopt,
  } = await stack.orphans(ending.how === "CLI killed" ? undefined : after);
  await adopt();
  expect((await stack.refresh({ clearsPending: true })).how).toBe("well");
  // The secret of a key is lost with its answer, so the key is deleted by hand. A set takes over its rules.
  for (const { type, id, driftOf } of orphans)
    if (driftOf === undefined && !imports.some((each) => each.id === id) && !idsIn(start).has(id))
      await network.ask("DELETE", pathOf(type, id));
  const last = await stack.up({ program: after });
  if (last.how === "well") await broker.end();
  return {
    ...{ ended: ending.how, logged, last: last.how === "well" ? "well" : last.output },
    ...{ refused: broker.refused, left: broker.permits.left },
    account: namedIn(account.snapshot()),
    rehearsed: namedIn(rehearsal.accounts[0]!.after),
  };
}

describe.each<Victim>(["broker before", "broker after", "plugin", "Pulumi"])(
  "where it dies: %s",
  (victim) => {
    const each = Array.from({ length: writes }, (_, i) => i + 1);

    it.each(each)("at write %d, the log is enough to repair the stack and to continue", async (write) => {
      const { ended, logged, ...rest } = await continued(victim, write);
      expect(ended).not.toBe("well");
      expect(logged).toBeGreaterThanOrEqual(write);
      expect(rest).toEqual({
        last: "well",
        refused: [],
        left: [],
        account: rest.rehearsed,
        rehearsed: rest.rehearsed,
      });
    });
  },
);

it("takes as many writes as there are moments", async () => {
  const { ended, logged, rehearsed, ...rest } = await continued("Pulumi", writes + 1);
  expect([ended, logged]).toEqual(["well", writes]);
  expect(rest).toEqual({ last: "well", refused: [], left: [], account: rehearsed });
});
