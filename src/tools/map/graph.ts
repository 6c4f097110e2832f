/** The traffic path through the objects of an inventory. */
import { backends, edges as edgeGroup, endpoints, ipPolicies, sessions } from "../../resources/collection";
import { declarationWithId, declarations } from "../../resources/registry";
import { gatesOf } from "../access/gates";
import { denyOnly, unguardedIn } from "../access/open-gates";
import { policiesOf } from "../access/policies";
import type { PolicyRanges } from "../access/policies";
import { unknownSemantics } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { keyOf } from "../inventory/inventory";
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { namesIn } from "../../provider/http/path";
import type { Json } from "../../schema/json";
import type { Group } from "../../schema/declaration";
import { idArguments } from "../../schema/references";
import { isUnknown, membersOf } from "../../schema/unknown";
import { families } from "../../schema/addresses/block";
import { capitalized, counted, inDigits, later } from "../../schema/text/phrase";
import { agentFacts, columnFacts, listFact, moduleFacts, policyFacts } from "./facts";
import { sortedMap } from "./model";
import type { MapEdge, MapNode, Passage, Role, TrafficMap } from "./model";

/** Facts that are not in the inventory. */
export interface GraphContext {
  /** The keys of the objects that the stack does not manage. Default: none. */
  readonly unmanaged?: ReadonlySet<string>;
  /** The inventory is an account: it shows which tunnels and agents are online. Default: false. */
  readonly isAccount?: boolean;
  /** The answers to what the specification leaves open. Default: nothing is known. */
  readonly semantics?: Semantics;
}

/** The nodes and edges of one inventory, by their keys. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, MapNode>;
  readonly edges: ReadonlyMap<string, MapEdge>;
}

export function mapOf(inventory: Inventory, context: GraphContext = {}): TrafficMap {
  const { nodes, edges } = graphOf(inventory, context);
  return sortedMap(nodes.values(), edges.values());
}

export const clients = "clients";

/** The label of the edge behind a module that is disabled. */
export const guardOff = "guard: off";

/** The label of the edge to an object that restricts nobody, although it has policies. */
const withoutRules = "IP policies without rules";

export function graphOf(inventory: Inventory, context: GraphContext = {}): Graph {
  return new GraphBuilder(inventory, {
    ...{ unmanaged: new Set(), isAccount: false, semantics: unknownSemantics },
    ...context,
  }).build();
}

class GraphBuilder implements Graph {
  readonly nodes = new Map<string, MapNode>();
  readonly edges = new Map<string, MapEdge>();
  /** The public addresses of edges by the key of the edge. */
  private readonly addresses = new Map<string, string[]>();
  /** The objects that restrict nobody. */
  private readonly open: ReadonlySet<InventoryObject>;
  private readonly denyOnly: ReadonlySet<InventoryObject>;
  /** The policies that allow every address of a version of IP. */
  private readonly wide: ReadonlySet<InventoryObject>;
  /** The keys of the policies that guard such objects. */
  private readonly openPolicies = new Set<string>();
  /** The keys of the agents that serve a tunnel, by the tunnel's id. */
  private readonly tunnels = new Map<string, string>();

  constructor(
    private readonly inventory: Inventory,
    private readonly context: Required<GraphContext>,
  ) {
    const { semantics } = context;
    this.open = new Set(unguardedIn(inventory, semantics, Infinity).map(({ on }) => on));
    this.denyOnly = new Set(denyOnly(inventory, semantics, Infinity).map(({ on }) => on));
    const allows = ({ allowed }: PolicyRanges): boolean =>
      families.some((each) => allowed.coversFamily(each));
    this.wide = new Set(
      [...policiesOf(inventory).values()].flatMap((each) => (allows(each) ? (each.policy ?? []) : [])),
    );
  }

  build(): Graph {
    const all = [...this.inventory.all.values()];
    const inGroup = (group: object): InventoryObject[] =>
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
    for (const state of policiesOf(this.inventory).values()) {
      const facts = policyFacts(state, this.context.semantics);
      if (state.policy) this.addResource(state.policy, "policy", [...facts, ...this.foreignRules(state)]);
      else this.addOutside(state.name, "policy", facts, undefined);
    }
  }

  /** The rules of a policy of the stack that the stack does not manage. */
  private foreignRules({ policy, entries }: PolicyRanges): string[] {
    const { unmanaged } = this.context;
    const rules = entries.filter(({ from }) => unmanaged.has(keyOf(from)));
    if (rules.length === 0 || unmanaged.has(keyOf(policy!))) return [];
    return [`${counted(rules.length, "rule")} not in the stack`];
  }

  /** One node for the agents that use the same credential. */
  private addAgents(online: readonly InventoryObject[]): void {
    for (const [id, sessionsOfId] of Map.groupBy(online, ({ values }) => idOf(values.credential) ?? "")) {
      const credential = this.inventory.byId(id);
      this.addNode({
        ...{ key: agentsKey(id), role: "agents", kind: "Agents online", name: credential?.name ?? id },
        facts: agentFacts(sessionsOfId),
        isUnmanaged: credential !== undefined && this.context.unmanaged.has(keyOf(credential)),
      });
    }
  }

  private addEndpoint(resource: InventoryObject): void {
    const { values } = resource;
    const bindings = listFact(values.bindings);
    if (values.type === "edge") {
      const edge = edgeKey(values);
      const address = values.publicUrl ?? values.url;
      if (edge === undefined || typeof address !== "string") return;
      this.addresses.set(edge, [...(this.addresses.get(edge) ?? []), address].sort());
      return;
    }
    const isOpen = this.open.has(resource);
    this.addResource(resource, "entry", [...columnFacts(resource), ...this.trafficPolicyFacts(values)]);
    const [gate] = gatesOf(resource);
    const useless = gate?.isOn ? "traffic policy restricts nobody" : "traffic policy without rules";
    const missing = gate?.isSet ? useless : "no traffic policy";
    const label = [bindings, ...(isOpen ? [missing] : [])].filter((each) => each !== "").join(", ");
    this.connect(clients, keyOf(resource), isOpen ? "open" : "normal", label);
    const session = idOf(values.tunnelSession);
    if (session === undefined) return;
    const agent = this.inventory.byId(session);
    if (!agent) return;
    const key = agentsKey(idOf(agent.values.credential) ?? "");
    this.connect(keyOf(resource), key);
    const tunnel = idOf(values.tunnel);
    if (tunnel !== undefined) this.tunnels.set(tunnel, key);
  }

  private trafficPolicyFacts({ trafficPolicy }: Json): string[] {
    if (isUnknown(trafficPolicy)) return [`traffic policy: ${later}`];
    const { enabled, value } = membersOf(trafficPolicy);
    const text = typeof trafficPolicy === "string" ? trafficPolicy : value;
    if (text === undefined || text === "") return [];
    return [enabled === false ? "traffic policy (disabled)" : "with a traffic policy"];
  }

  private addBackend(resource: InventoryObject): void {
    const { tunnels } = resource.values;
    const online = this.context.isAccount && Array.isArray(tunnels) ? tunnels : undefined;
    const facts = columnFacts(resource);
    if (online?.length === 0) facts.push("no tunnel online");
    else if (online) facts.push(counted(online.length, "tunnel online", "tunnels online"));
    this.addResource(resource, "backend", [...facts, ...this.connectBackends(resource)]);
    for (const tunnel of online ?? []) {
      const agents = this.tunnels.get(idOf(tunnel) ?? "");
      if (agents !== undefined) this.connect(keyOf(resource), agents);
    }
  }

  private addEdge(resource: InventoryObject): void {
    const { values } = resource;
    const facts = [...columnFacts(resource), ...this.trafficPolicyFacts(values)];
    this.addResource(resource, "entry", [...facts, ...this.connectBackends(resource)]);
    const policies = this.connectReferences(resource, "policy");
    const isOff = !policies.some((policy) => !policy.isOff);
    if (!isOff && !this.open.has(resource)) return;
    const off = policies.length > 0 ? "IP restriction off" : "no IP restriction";
    this.connect(clients, keyOf(resource), "open", isOff ? off : withoutRules);
  }

  /** Connects a resource with the backends that it sends its traffic to. @returns a fact if there is none. */
  private connectBackends(resource: InventoryObject): string[] {
    const references = this.connectReferences(resource, "backend");
    return references.length === 0 && refersToGroup(resource, backends) ? ["no backend"] : [];
  }

  /** Connects a resource with the policies in front of it, or with the backends behind it. */
  private connectReferences(resource: InventoryObject, role: "policy" | "backend"): Reference[] {
    const key = keyOf(resource);
    const group = role === "policy" ? ipPolicies : backends;
    const references = this.referencesTo(group, resource);
    const isAllOpen = this.open.has(resource) || this.denyOnly.has(resource);
    // If one policy allows every address, only the way through it is open.
    const isOpenAt = ({ to }: Reference): boolean =>
      isAllOpen || (to !== undefined && this.wide.has(to) && this.letsAllIn(resource));
    references.forEach((reference, index) => {
      const other = this.target(reference, resource, role, index);
      const [from, to] = role === "policy" ? [other, key] : [key, other];
      const isOpen = role === "policy" && !reference.isOff && isOpenAt(reference);
      if (isOpen) this.openPolicies.add(other);
      const passage = isOpen ? "open" : "normal";
      const label = role === "policy" && reference.isOff ? guardOff : orderText(reference);
      this.connect(from, to, reference.isOff ? "off" : passage, label);
    });
    return references;
  }

  private referencesTo(group: Group, resource: InventoryObject): Reference[] {
    return this.inventory.references(resource).filter(({ prefixes }) => isIn(group, prefixes));
  }

  private addModule(resource: InventoryObject): void {
    const key = keyOf(resource);
    const isOff = gatesOf(resource).every(({ isOn }) => isOn === false);
    const place = this.addPlace(resource);
    this.addResource(resource, "guard", moduleFacts(resource));
    this.connect(key, place, isOff ? "off" : "normal", isOff ? guardOff : "");
    const policies = this.connectReferences(resource, "policy");
    if (isOff) return;
    if (policies.some((policy) => !policy.isOff)) {
      if (this.open.has(resource)) this.connect(clients, key, "open", withoutRules);
    } else if (refersToGroup(resource, ipPolicies)) this.connect(clients, key, "open", "no IP policy");
    else this.connect(clients, key);
  }

  /** The edge or route that a module guards. The API has no list of them. */
  private addPlace(resource: InventoryObject): string {
    const { declaration, values } = resource;
    const ids = namesIn(declaration.path).map((name) => values[name]);
    const isKnown = !ids.some((id) => id === undefined || isUnknown(id));
    const name = isKnown ? ids.map(String).join("/") : "";
    const [, , protocol = ""] = declaration.path.split("/");
    const key = isKnown ? `/edges/${protocol}/${name}` : `place of ${keyOf(resource)}`;
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

  /** Connects the clients with the policies in use, and with the objects that only disabled modules guard. */
  private addClients(): void {
    const incoming = Map.groupBy(this.edges.values(), ({ to }) => to);
    const outgoing = Map.groupBy(this.edges.values(), ({ from }) => from);
    for (const { key, role } of this.nodes.values()) {
      if (role === "policy") {
        const uses = outgoing.get(key);
        const isUsed = uses?.some(({ passage }) => passage !== "off");
        const passage = this.openPolicies.has(key) ? "open" : "normal";
        if (uses) this.connect(clients, key, isUsed ? passage : "off");
      } else if (role === "entry") {
        const isOpen = incoming.get(key)?.every(({ passage }) => passage === "off");
        if (isOpen) this.connect(clients, key, "open", "guards off");
      }
    }
    const reached = [...this.edges.values()].filter(({ from }) => from === clients);
    for (const { to, passage } of reached)
      if (passage === "open") this.nodes.set(to, { ...this.nodes.get(to)!, isOpen: true });
    if (reached.length > 0) this.addNode({ key: clients, role: "clients", kind: "Clients", name: "" });
  }

  /** The key of the node that a reference means. */
  private target(reference: Reference, from: InventoryObject, role: Role, index: number): string {
    const { to, id } = reference;
    if (to) return keyOf(to);
    if (id === undefined) {
      const key = `unknown ${keyOf(from)} ${role} ${index}`;
      const kind = role === "policy" ? "IP policy" : "Backend";
      this.addNode({ key, role, kind, name: "", presence: "unknown" });
      return key;
    }
    this.addOutside(id, role, [], from.provider);
    return id;
  }

  private addOutside(id: string, role: Role, facts: readonly string[], provider: string | undefined): void {
    if (this.nodes.has(id)) return;
    const declaration = declarationWithId(id);
    const kind = declaration ? capitalized(declaration.noun) : "Object";
    const presence = this.inventory.isGone(id, provider) ? "missing" : "outside";
    this.addNode({ key: id, role, kind, name: id, facts, presence });
  }

  private addResource(resource: InventoryObject, role: Role, facts: readonly string[]): void {
    const { name, declaration } = resource;
    const [kind, isOpen] = [capitalized(declaration.noun), this.isOpen(resource)];
    this.addNode({ key: keyOf(resource), role, kind, name, facts, isOpen });
  }

  /** Whether it lets in everybody, everybody except denied addresses, or every address of a version of IP. */
  private isOpen(resource: InventoryObject): boolean {
    return this.open.has(resource) || this.denyOnly.has(resource) || this.letsAllIn(resource);
  }

  /** Whether it is a policy that allows every address, or an object where such a policy decides. */
  private letsAllIn(resource: InventoryObject): boolean {
    if (this.wide.has(resource)) return true;
    const policies = this.referencesTo(ipPolicies, resource).filter(({ isOff }) => !isOff);
    const isWide = ({ to }: Reference): boolean => to !== undefined && this.wide.has(to);
    if (this.context.semantics.policies === "all") return policies.length > 0 && policies.every(isWide);
    return policies.some(isWide);
  }

  private addNode(node: Pick<MapNode, "key" | "role" | "kind" | "name"> & Partial<MapNode>): void {
    const isUnmanaged = this.context.unmanaged.has(node.key);
    const usual = { facts: [], presence: "shown", change: "same", isOpen: false, count: 1 } as const;
    const defaults = { ...usual, isUnmanaged };
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

function refersToGroup({ declaration }: InventoryObject, group: Group): boolean {
  return idArguments(declaration.fields).some(({ prefixes }) => isIn(group, prefixes));
}

const groups = new Map(declarations.map(({ idPrefix, group }) => [idPrefix, group]));

function isIn(group: Group, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => groups.get(prefix) === group);
}

function agentsKey(credential: string): string {
  return `agents ${credential}`;
}

/** The key of the edge that an endpoint names. An HTTPS edge serves endpoints of http and https. */
function edgeKey({ proto, edge }: Json): string | undefined {
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
function orderText({ weight, position, isOff }: Reference): string {
  if (weight !== undefined) return `weight ${inDigits(weight)}`;
  if (isOff) return "backend: off";
  if (position === undefined) return "";
  return `${position + 1}${suffixes[ordinals.select(position + 1)]}`;
}
