/** Which writes of a rehearsal give an object an address that another one serves at that moment. */
import "../../../src/resources/registry";
import { contestedAddresses } from "../../../src/tools/review/rules/run";
import type { RehearsedRequest } from "../../../src/tools/rehearsal/rehearsed-account";

type Before = Record<string, { id: string; [name: string]: unknown }[]>;

const [a, b, c] = [1, 2, 3].map((port) => `${port}.tcp.example.com:${port}`) as [string, string, string];
const edge = (id: string, ...hostports: string[]) => ({ id, hostports });
const endpoint = (id: string, url: string, more: object = {}) => ({ id, url, ...more });
const pooled = { pooling_enabled: true };
const site = "https://site.example.com";

/** A write of each object: an edge where it has hostports, an endpoint where it has a URL; without both, it is deleted. */
function write(
  object: { id: string; hostports?: string[]; url?: string },
  baseUrl = "https://one",
): RehearsedRequest {
  const list = object.id.startsWith("edgtcp_") ? "edges/tcp" : "endpoints";
  const isGone = object.hostports === undefined && object.url === undefined;
  const changes = [{ list, id: object.id, object: isGone ? undefined : object }];
  return { changes, baseUrl, urn: object.id } as unknown as RehearsedRequest;
}
const gone = (id: string): RehearsedRequest => write({ id });

it.each<[string, Before, RehearsedRequest[], string[]]>([
  [
    "an edge of before has",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [write(edge("edgtcp_2", b, a))],
    [`edgtcp_2 ${a} of TcpEdge edgtcp_1`],
  ],
  [
    "one of several edges of before has",
    { "edges/tcp": [edge("edgtcp_1", a), edge("edgtcp_2", b)] },
    [write(edge("edgtcp_3", b))],
    [`edgtcp_3 ${b} of TcpEdge edgtcp_2`],
  ],
  [
    "an earlier write gave another object",
    {},
    [write(endpoint("ep_1", `tcp://${a}`)), write(edge("edgtcp_1", a))],
    [`edgtcp_1 ${a} of CloudEndpoint ep_1`],
  ],
  [
    "a later write takes from the other object",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [write(edge("edgtcp_2", a)), write(edge("edgtcp_1", c))],
    [`edgtcp_2 ${a} of TcpEdge edgtcp_1, freed later`],
  ],
  [
    "the other object loses later with all that it has",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [write(edge("edgtcp_2", a)), gone("edgtcp_1")],
    [`edgtcp_2 ${a} of TcpEdge edgtcp_1, freed later`],
  ],
])("finds an address that %s", (_, before, requests, expected) =>
  expect(found(before, requests)).toEqual(expected),
);

it.each<[string, Before, RehearsedRequest[]]>([
  [
    "is deleted first",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [gone("edgtcp_1"), write(edge("edgtcp_2", a))],
  ],
  [
    "gets another one first",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [write(edge("edgtcp_1", b)), write(edge("edgtcp_2", a))],
  ],
  [
    "has it already, beside another one",
    { "edges/tcp": [edge("edgtcp_1", a), edge("edgtcp_2", a)] },
    [write(edge("edgtcp_2", a, b))],
  ],
  ["shares it", { endpoints: [endpoint("ep_1", site, pooled)] }, [write(endpoint("ep_2", site, pooled))]],
  [
    "is the endpoint that an edge makes",
    { endpoints: [endpoint("ep_1", `tcp://${a}`, { edge: { id: "edgtcp_2" } })] },
    [write(edge("edgtcp_2", a))],
  ],
  [
    "is in another account",
    { "edges/tcp": [edge("edgtcp_1", a)] },
    [write(edge("edgtcp_2", a), "https://two")],
  ],
])("finds no address where the other object %s", (_, before, requests) =>
  expect(found(before, requests)).toEqual([]),
);

it("finds who does not share among those who do", () => {
  const before = { endpoints: [endpoint("ep_1", site, pooled), endpoint("ep_2", site)] };
  const [only, ...others] = found(before, [write(endpoint("ep_3", site, pooled))]);
  expect([only, others]).toEqual([`ep_3 ${site} of CloudEndpoint ep_2`, []]);
});

function found(before: Before, requests: RehearsedRequest[]): string[] {
  const accounts = [{ baseUrl: "https://one", before, after: {} }];
  return contestedAddresses({ accounts, requests }).map(({ urn, address, holder, type, isFreedLater }) => {
    return `${urn} ${address.replace("tcp://", "")} of ${type} ${holder}${isFreedLater ? ", freed later" : ""}`;
  });
}
