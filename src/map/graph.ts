/** The way of the traffic through the objects of a world. */
import { backends, edges as edgeGroup, endpoints, policies, sessions } from "../resources/groups";
import { declarations } from "../resources/registry";
import { publicWithoutPolicy } from "../review/rules/single";
import { policiesOf } from "../review/access/policies";
import type { PolicyState } from "../review/access/policies";
import { idsInPath } from "../review/world";
import type { Resource, World } from "../review/world";
import { isUnknown, membersOf } from "../schema/unknown";
import { capitalized } from "../text/capitalized";
import { counted } from "../text/plural";
import { agentFacts, columnFacts, listFact, moduleFacts, policyFacts } from "./facts";
import type { MapEdge, MapNode, Passage, Presence, Role } from "./model";
import { referencesOf, refersToGroup } from "./references";
import type { Reference } from "./references";

/** What a world does not say itself. */
export interface GraphContext {
  /** What an object is that the world refers to and does not contain. */
  readonly presenceOf: (id: string) => Presence;
  /** The URNs of the objects that the stack does not manage. Default: none. */
  readonly unmanaged?: ReadonlySet<string>;
  /** The world is the account: it shows which tunnels and agents are online. Default: false. */
  readonly isAccount?: boolean;
}

/** The nodes and edges of one world, by their keys. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, MapNode>;
  readonly edges: ReadonlyMap<string, MapEdge>;
}

const clients = "clients";

export function graphOf(world: World, context: GraphContext): Graph {
  return new GraphBuilder(world, { unmanaged: new Set(), isAccount: false, ...context }).build();
}

class GraphBuilder implements Graph {
  readonly nodes = new Map<string, MapNode>();
  readonly edges = new Map<string, MapEdge>();
  /** The public addresses of edges by the key of the edge. */
  private readonly addresses = new Map<string, string[]>();
  /** The keys of the agents that serve a tunnel, by the tunnel's id. */
  private readonly tunnels = new Map<string, string>();

  constructor(
    private readonly world: World,
    private readonly context: Required<GraphContext>,
  ) {}

  build(): Graph {
    const all = [...this.world.all.values()];
    const inGroup = (group: object): Resource[] =>
      all.filter(({ declaration }) => declaration.group === group);
    this.addPolicies();
    this.addAgents(inGroup(sessions));
    for (const resource of inGroup(endpoints)) this.addEndpoint(resource);
    for (const resource of inGroup(backends)) this.addBackend(resource);
    for (const resource of inGroup(edgeGroup)) {
      if (resource.declaration.style === "singleton") this.addModule(resource);
      else this.addEdge(resource);
    }
    this.addServedEdges();
    this.addClients();
    return this;
  }

  private addPolicies(): void {
    for (const [key, state] of policiesOf(this.world)) {
      if (state.policy)
        this.addResource(state.policy, "policy", [...policyFacts(state), ...this.foreignRules(state)]);
      else this.addOutside(key, "policy", policyFacts(state));
    }
  }

  /** The rules of a policy of the stack that the stack does not manage. */
  private foreignRules({ policy, entries }: PolicyState): string[] {
    const { unmanaged } = this.context;
    const rules = entries.filter(({ from }) => unmanaged.has(from.urn));
    if (rules.length === 0 || unmanaged.has(policy!.urn)) return [];
    return [`${counted(rules.length, "rule")} not in the stack`];
  }

  /** One node for the agents that use the same credential. */
  private addAgents(online: readonly Resource[]): void {
    for (const [id, sessionsOfId] of Map.groupBy(online, ({ values }) => idOf(values.credential) ?? "")) {
      const urn = this.world.urnOf(id);
      const name = (urn === undefined ? undefined : this.world.all.get(urn)?.name) ?? id;
      this.addNode({
        ...{ key: agentsKey(id), role: "agents", kind: "Agents online", name },
        facts: agentFacts(sessionsOfId),
        isUnmanaged: urn !== undefined && this.context.unmanaged.has(urn),
      });
    }
  }

  private addEndpoint(resource: Resource): void {
    const { values, urn } = resource;
    const bindings = listFact(values.bindings);
    if (values.type === "edge") {
      const edge = edgeKey(values);
      const address = values.publicUrl ?? values.url;
      if (edge === undefined || typeof address !== "string") return;
      this.addresses.set(edge, [...(this.addresses.get(edge) ?? []), address].sort());
      return;
    }
    const isOpen = publicWithoutPolicy(resource.type, values) !== undefined;
    this.addResource(resource, "entry", [...columnFacts(resource), ...this.trafficPolicyFacts(values)]);
    const label = isOpen ? `${bindings}, no traffic policy` : bindings;
    this.connect(clients, urn, isOpen ? "open" : "normal", label);
    const session = idOf(values.tunnelSession);
    if (session === undefined) return;
    const agent = this.world.all.get(this.world.urnOf(session) ?? "");
    if (!agent) return;
    const key = agentsKey(idOf(agent.values.credential) ?? "");
    this.connect(urn, key);
    const tunnel = idOf(values.tunnel);
    if (tunnel !== undefined) this.tunnels.set(tunnel, key);
  }

  private trafficPolicyFacts({ trafficPolicy }: Resource["values"]): string[] {
    if (isUnknown(trafficPolicy)) return ["traffic policy: known after the deployment"];
    const { enabled, value } = membersOf(trafficPolicy);
    const text = typeof trafficPolicy === "string" ? trafficPolicy : value;
    if (text === undefined || text === "") return [];
    return [enabled === false ? "traffic policy (disabled)" : "with a traffic policy"];
  }

  private addBackend(resource: Resource): void {
    const { tunnels } = resource.values;
    const online = this.context.isAccount && Array.isArray(tunnels) ? tunnels : undefined;
    const facts = columnFacts(resource);
    if (online?.length === 0) facts.push("no tunnel online");
    else if (online) facts.push(counted(online.length, "tunnel online", "tunnels online"));
    this.addResource(resource, "backend", [...facts, ...this.connectBackends(resource)]);
    for (const tunnel of online ?? []) {
      const agents = this.tunnels.get(idOf(tunnel) ?? "");
      if (agents !== undefined) this.connect(resource.urn, agents);
    }
  }

  private addEdge(resource: Resource): void {
    const { urn, values } = resource;
    const facts = [...columnFacts(resource), ...this.trafficPolicyFacts(values)];
    this.addResource(resource, "entry", [...facts, ...this.connectBackends(resource)]);
    const guards = this.connectReferences(resource, "policy");
    if (guards.some(({ isOff }) => !isOff)) return;
    this.connect(clients, urn, "open", guards.length > 0 ? "IP restriction disabled" : "no IP restriction");
  }

  /** Connects a resource with the backends that it sends its traffic to. @returns a fact if there is none. */
  private connectBackends(resource: Resource): string[] {
    const references = this.connectReferences(resource, "backend");
    return references.length === 0 && refersToGroup(resource, backends) ? ["no backend"] : [];
  }

  /** Connects a resource with the policies in front of it, or with the backends behind it. */
  private connectReferences(resource: Resource, role: "policy" | "backend"): Reference[] {
    const { urn } = resource;
    const group = role === "policy" ? policies : backends;
    const references = referencesOf(this.world, resource, group);
    references.forEach((reference, index) => {
      const other = this.target(reference, resource, role, index);
      const [from, to] = role === "policy" ? [other, urn] : [urn, other];
      this.connect(from, to, reference.isOff ? "off" : "normal", placeText(reference));
    });
    return references;
  }

  private addModule(resource: Resource): void {
    const { urn, values } = resource;
    const isOff = values.enabled === false;
    const place = this.addPlace(resource);
    this.addResource(resource, "guard", moduleFacts(resource));
    this.connect(urn, place, isOff ? "off" : "normal", isOff ? "disabled" : "");
    const guards = this.connectReferences(resource, "policy");
    if (isOff || guards.some((guard) => !guard.isOff)) return;
    if (refersToGroup(resource, policies)) this.connect(clients, urn, "open", "no IP policy");
    else this.connect(clients, urn);
  }

  /** The edge or route that a module guards. The API has no list of them. */
  private addPlace(resource: Resource): string {
    const { urn, declaration } = resource;
    const ids = idsInPath(resource);
    const isKnown = !ids.some((id) => id === undefined || isUnknown(id));
    const name = isKnown ? ids.map(String).join("/") : "";
    const [, , protocol = ""] = declaration.path.split("/");
    const key = isKnown ? `/edges/${protocol}/${name}` : `place of ${urn}`;
    const kind = `${protocol.toUpperCase()} edge${ids.length > 1 ? " route" : ""}`;
    this.addNode({ key, role: "entry", kind, name, presence: isKnown ? "shown" : "unknown" });
    return key;
  }

  /** Adds the addresses of edges, and the edges that only their endpoints name. */
  private addServedEdges(): void {
    // The key of a route begins with that of its edge.
    const byEdge = Map.groupBy(this.nodes.keys(), (key) => key.split("/", 4).join("/"));
    for (const [edge, addresses] of this.addresses) {
      const places = byEdge.get(edge) ?? [];
      const [, , protocol = "", id = ""] = edge.split("/");
      for (const place of places) {
        const node = this.nodes.get(place)!;
        this.nodes.set(place, { ...node, facts: [...node.facts, listFact(addresses)] });
      }
      if (places.length > 0 || protocol === "tcp") continue;
      const facts = [listFact(addresses)];
      if (protocol === "tls") this.connect(clients, edge, "open", "no IP restriction");
      else {
        facts.push("its routes and their guards are in no list");
        this.connect(clients, edge, "normal", "guards unknown");
      }
      this.addNode({ key: edge, role: "entry", kind: `${protocol.toUpperCase()} edge`, name: id, facts });
    }
  }

  /** Connects the clients with the policies in use, and with what only disabled modules guard. */
  private addClients(): void {
    const incoming = Map.groupBy(this.edges.values(), ({ to }) => to);
    const outgoing = Map.groupBy(this.edges.values(), ({ from }) => from);
    for (const { key, role } of [...this.nodes.values()]) {
      if (role === "policy") {
        const uses = outgoing.get(key);
        const isUsed = uses?.some(({ passage }) => passage !== "off");
        if (uses) this.connect(clients, key, isUsed ? "normal" : "off");
      } else if (role === "entry") {
        const isUnguarded = incoming.get(key)?.every(({ passage }) => passage === "off");
        if (isUnguarded) this.connect(clients, key, "open", "guards disabled");
      }
    }
    if ([...this.edges.values()].some(({ from }) => from === clients))
      this.addNode({ key: clients, role: "clients", kind: "Clients", name: "" });
  }

  /** The key of the node that a reference means. */
  private target(reference: Reference, from: Resource, role: Role, index: number): string {
    const { to } = reference;
    if (to === undefined) {
      const key = `unknown ${from.urn} ${role} ${index}`;
      const kind = role === "policy" ? "IP policy" : "Backend";
      this.addNode({ key, role, kind, name: "", presence: "unknown" });
      return key;
    }
    if (!this.world.all.has(to)) this.addOutside(to, role, []);
    return to;
  }

  private addOutside(id: string, role: Role, facts: readonly string[]): void {
    if (this.nodes.has(id)) return;
    const declaration = declarations.find(
      ({ idPrefix }) => idPrefix !== undefined && id.startsWith(idPrefix),
    );
    const kind = declaration ? capitalized(declaration.noun) : "Object";
    this.addNode({ key: id, role, kind, name: id, facts, presence: this.context.presenceOf(id) });
  }

  private addResource(resource: Resource, role: Role, facts: readonly string[]): void {
    const { urn, name, declaration } = resource;
    this.addNode({ key: urn, role, kind: capitalized(declaration.noun), name, facts });
  }

  private addNode(node: Pick<MapNode, "key" | "role" | "kind" | "name"> & Partial<MapNode>): void {
    const isUnmanaged = this.context.unmanaged.has(node.key);
    const defaults = { facts: [], presence: "shown", change: "same", isUnmanaged, count: 1 } as const;
    this.nodes.set(node.key, { ...defaults, ...node });
  }

  /** Adds an edge. Several edges between the same nodes become one with all labels. */
  private connect(from: string, to: string, passage: Passage = "normal", label = ""): void {
    const key = JSON.stringify([from, to]);
    const known = this.edges.get(key);
    const labels = [...new Set([known?.label, label])].filter((each) => each !== undefined && each !== "");
    this.edges.set(key, {
      ...{ from, to, change: "same", count: 1 },
      passage: known !== undefined && known.passage !== "off" ? known.passage : passage,
      label: labels.join(", "),
    });
  }
}

function agentsKey(credential: string): string {
  return `agents ${credential}`;
}

/** The key of the edge that an endpoint names. An HTTPS edge serves endpoints of http and https. */
function edgeKey({ proto, edge }: Resource["values"]): string | undefined {
  const id = idOf(edge);
  return id === undefined ? undefined : `/edges/${proto === "http" ? "https" : String(proto)}/${id}`;
}

function idOf(ref: unknown): string | undefined {
  const { id } = membersOf(ref);
  return typeof id === "string" && id !== "" ? id : undefined;
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const suffixes: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };

/** "weight 90", "1st". */
function placeText({ weight, position, isOff }: Reference): string {
  if (weight !== undefined) return `weight ${weight.toLocaleString("en-US")}`;
  if (isOff) return "disabled";
  if (position === undefined) return "";
  return `${position + 1}${suffixes[ordinals.select(position + 1)]}`;
}
