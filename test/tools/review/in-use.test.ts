/** Objects that a deployment deletes though another object still contains their id as text. */
import { saidOf, type Written } from "./support";

const of = (...resources: readonly Written[]): string[] =>
  saidOf(resources).filter((text) => text.includes("deleted-in-use"));
const backend = { labels: { service: "web" } };
const deleted: Written = {
  type: "TunnelGroupBackend",
  name: "web",
  id: "bkdtg_1",
  before: backend,
  after: undefined,
};
const edge = (before: object | undefined, after: object | undefined, name = "db"): Written => {
  const all = (given: object | undefined): Written["after"] =>
    given && { hostports: ["1.tcp.example.com:5432"], ...given };
  return { type: "TcpEdge", name, id: `edgtcp_${name}`, before: all(before), after: all(after) };
};
const uses = { backend: { backendId: "bkdtg_1" } };
const text = "error interruption/deleted-in-use TunnelGroupBackend web: deleted, while";

it("a backend that an unchanged edge names is an error", () => {
  expect(of(deleted, edge(uses, uses))).toEqual([`${text} TcpEdge "db" still refers to it by its id`]);
});

it("a backend that a new edge and a failover backend name is one error with both", () => {
  const failover = { backends: ["bkdtg_1"] };
  const other: Written = {
    type: "FailoverBackend",
    name: "all",
    id: "bkdfo_1",
    before: failover,
    after: failover,
  };
  const [found, ...more] = of(deleted, edge(undefined, uses, "new"), other);
  expect(more).toEqual([]);
  expect(found).toContain('while FailoverBackend "all", TcpEdge "new" still refer to it by its id');
});

it("a backend that is replaced while an edge keeps the old id is an error, and no other change of it is one", () => {
  const other = { ...deleted, after: { labels: { service: "other" } } };
  expect(of({ ...other, op: "replace", reasons: ["labels"] }, edge(uses, uses))).toEqual([
    `${text.replace("deleted, while", "replaced, and the old one deleted, while")} TcpEdge "db" still refers to it by its id`,
  ]);
  expect(of(other, edge(uses, uses))).toEqual([]);
});

it("a backend whose users go or take another one is none", () => {
  expect(of(deleted, edge(uses, undefined))).toEqual([]);
  expect(of(deleted, edge(uses, { backend: { backendId: "bkdtg_2" } }))).toEqual([]);
});

it("a description that equals the id is no reference", () => {
  expect(of(deleted, edge({ description: "bkdtg_1" }, { description: "bkdtg_1" }))).toEqual([]);
});

it.each<[string, Written, Written]>([
  [
    "a bot user",
    { type: "BotUser", name: "ci", id: "bot_1", before: { name: "ci" }, after: undefined },
    { type: "ApiKey", name: "key", id: "ak_1", before: { ownerId: "bot_1" }, after: { ownerId: "bot_1" } },
  ],
  [
    "an event destination",
    { type: "EventDestination", name: "own", id: "ed_1", before: {}, after: undefined },
    {
      type: "EventSubscription",
      name: "all",
      id: "esb_1",
      before: { destinationIds: ["ed_1"] },
      after: { destinationIds: ["ed_1"] },
    },
  ],
])("%s is an error too: every declared id counts", (_, gone, user) => {
  expect(of(gone, user)).toHaveLength(1);
});

it("a policy has its own error, and one more where a rule of the program names it", () => {
  const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: undefined };
  const guard = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
  const rule = { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" };
  const lan: Written = { type: "IpPolicyRule", name: "lan", id: "ipr_1", before: rule, after: rule };
  expect(of(policy, edge(guard, guard), lan)).toEqual([
    'error access/policy-deleted-in-use IpPolicy office: deleted, while TcpEdge "db" still refers to it: it counts as a policy with zero rules',
    'error interruption/deleted-in-use IpPolicy office: deleted, while IpPolicyRule "lan" still refers to it by its id',
  ]);
});
