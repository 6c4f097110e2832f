/** How a preview, a stack and an account show a world. */
import { accountObject, inventoryOfAccount } from "../../src/tools/inventory/account-contents";
import type { Inventory } from "../../src/tools/inventory/inventory";
import { contentsOf } from "../../src/tools/inventory/stack";
import { declarationOf } from "../../src/resources/registry";
import { unknown } from "../../src/schema/unknown";
import { recordedState } from "../support/recorded";
import { text } from "./ranges";
import type { Range } from "./ranges";
import { declared, isNew, isResource, placeTypes } from "./worlds";
import type { RuleSpec, Switch, Visibility, World } from "./worlds";

type Values = Record<string, unknown>;

/** A resource, as the engine records it. */
interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly external: boolean;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** How a world is written: names, order, parts and spelling of ranges say nothing about access. */
export interface Spelling {
  readonly suffix: string;
  readonly isReversed: boolean;
  readonly isSplit: boolean;
}

export const plain: Spelling = { suffix: "", isReversed: false, isSplit: false };
export const otherwise: Spelling = { suffix: "-new", isReversed: true, isSplit: true };

const token = "pulumi-nodejs:dynamic/tunnel-gateway:";
const listToken = "tunnel-gateway:index:IpAccessList";
const stackUrn = "urn:pulumi:dev::p::";
/** A secret, as the engine prints it. */
const hidden = "[secret]";
const shown = (value: unknown, is: Visibility): unknown =>
  is === "known" ? value : is === "hidden" ? hidden : unknown;

function cidr({ family, value, prefix }: Range, { isSplit }: Spelling): string {
  const address = text({ family, value });
  if (!isSplit) return `${address}/${prefix}`;
  return prefix === (family === 4 ? 32 : 128) ? address.toUpperCase() : `${address.toUpperCase()}/${prefix}`;
}

function halves(range: Range): Range[] {
  const width = range.family === 4 ? 32 : 128;
  if (range.prefix === width) return [range];
  const size = 1n << BigInt(width - range.prefix - 1);
  const half = { ...range, prefix: range.prefix + 1 };
  return [half, { ...half, value: half.value + size }];
}

export const issuer = "https://id.example.com";
const trafficPolicy = JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] });
export const moduleTypes = [
  "HttpsEdgeRouteOidc",
  "HttpsEdgeRouteOauth",
  "HttpsEdgeRouteWebhookVerification",
] as const;
const settings = [
  { issuer, clientId: "c", clientSecret: hidden },
  { provider: { codeHost: { emailDomains: ["example.com"] } } },
  { provider: "CODE_HOST", secret: hidden },
] as const;

function enabledAs(value: Switch | boolean | "unset"): Values {
  if (value === "unset") return {};
  return {
    enabled: value === "unknown" ? unknown : value === "hidden" ? hidden : value === "on" || value === true,
  };
}

/** The text of a traffic policy; one without rules restricts nothing. */
function trafficAs(value: Switch): string | undefined {
  if (value === "none") return undefined;
  return value === "on" ? trafficPolicy : value === "off" ? "{}" : value === "unknown" ? unknown : hidden;
}

/**
 * The resources of a world.
 * @param earlier of a program that is not deployed: the resources of the stack. What is not among them has no id yet.
 */
export function resourcesOf(
  world: World,
  spelling: Spelling,
  earlier: World = world,
  isRenamed = false,
): Resource[] {
  const { suffix, isReversed, isSplit } = spelling;
  const found: Resource[] = [];
  const add = (
    type: string,
    name: string,
    id: string,
    inputs: Values,
    more: { from?: Values; external?: boolean; inList?: boolean } = {},
  ): string => {
    const { from = {}, external = false, inList = false } = more;
    const urn = `${stackUrn}${inList ? `${listToken}$` : ""}${token}${type}::${name}`;
    const outputs = { ...inputs, __args: Object.keys(inputs) };
    const state = { urn, type: token + type, external, id, inputs, outputs, propertyDependencies: from };
    found.push(recordedState(state) as unknown as Resource);
    return urn;
  };
  const policies = world.policies.map((spec, index) => {
    const isOwn = spec.kind === "own" || spec.kind === "list";
    // What somebody else owns keeps its id.
    const end = isOwn && spec.exists ? suffix : "";
    const id = `ipp_${index}${end}`;
    const isUnknown = isNew(world, index, earlier) || (isRenamed && isOwn && isResource(spec));
    const inList = spec.kind === "list";
    if (inList && spec.exists) {
      const urn = `${stackUrn}${listToken}::p${index}${end}`;
      found.push(
        recordedState({
          urn,
          id: "",
          inputs: {},
          outputs: {},
          propertyDependencies: {},
        }) as unknown as Resource,
      );
    }
    const urn = isResource(spec)
      ? add("IpPolicy", `p${index}${end}`, id, {}, { external: spec.kind === "read", inList })
      : undefined;
    return { id, isUnknown, urn, inList };
  });
  const inOrder = <T>(all: readonly T[]): T[] => (isReversed ? [...all].reverse() : [...all]);
  const split = (rules: readonly RuleSpec[]): RuleSpec[] =>
    inOrder(
      rules.flatMap((rule) =>
        isSplit && rule.rangeIs === "known"
          ? halves(rule.range).map((range) => ({ ...rule, range }))
          : [rule],
      ),
    );
  for (const [index, spec] of world.policies.entries()) {
    const { id, isUnknown, urn, inList } = policies[index]!;
    const { single, entries, hasSet } = declared(spec, index);
    const from = urn === undefined ? {} : { ipPolicyId: [urn] };
    const ipPolicyId = isUnknown ? unknown : id;
    split(single.map(({ rule }) => rule)).forEach((rule, i) => {
      const inputs = {
        ipPolicyId: rule.policyIs === "known" ? ipPolicyId : unknown,
        cidr: shown(cidr(rule.range, spelling), rule.rangeIs),
        action: shown(rule.action, rule.actionIs),
      };
      const more = rule.policyIs === "lost" ? {} : { from };
      add("IpPolicyRule", `r${index}-${i}${suffix}`, `ipr_${index}_${i}${suffix}`, inputs, more);
    });
    if (!hasSet) continue;
    const rules = Object.fromEntries(
      inOrder(entries).map((rule) => {
        const action = shown(rule.action, rule.actionIs);
        const isPlain = rule.end === Infinity || rule.actionIs !== "known";
        return [
          cidr(rule.range, spelling),
          isPlain ? action : { action, until: `${rule.end}-01-01T00:00:00Z` },
        ];
      }),
    );
    const exclusive =
      inList || !["open set", "maybe open set"].includes(spec.form)
        ? {}
        : { exclusive: spec.form === "open set" ? false : unknown };
    const inputs = {
      ipPolicyId,
      rules: !inList && spec.form === "unknown set" ? unknown : rules,
      ...exclusive,
    };
    add("IpPolicyRuleSet", inList ? `p${index}${suffix}` : `s${index}${suffix}`, id, inputs, {
      from,
      inList,
    });
  }
  for (const [index, { exists, uses, enabled, list }] of world.places.entries()) {
    if (!exists) continue;
    const type = placeTypes[index]!;
    const ids = uses.map((each) => (policies[each]!.isUnknown ? unknown : policies[each]!.id));
    const urns = uses.flatMap((each) => policies[each]!.urn ?? []);
    const restriction = {
      ipPolicyIds:
        list === "unknown" || list === "all unknown"
          ? unknown
          : list === "hidden"
            ? hidden
            : list === "one unknown"
              ? [...inOrder(ids), unknown]
              : inOrder(ids),
      ...enabledAs(enabled),
    };
    const name = `place${index}${suffix}`;
    if (type === "TlsEdgeIpRestriction") {
      add(type, name, "edgtls_1", { edgeId: "edgtls_1", ...restriction }, { from: { ipPolicyIds: urns } });
      continue;
    }
    const traffic = trafficAs(world.traffic[index] ?? "none");
    const inputs = {
      hostports: [`${index}.tcp.example.com:5432`],
      ipRestriction: list === "all unknown" ? unknown : restriction,
      ...(traffic !== undefined && { trafficPolicy: { value: traffic } }),
    };
    add(type, name, `edgtcp_${index}${suffix}`, inputs, { from: { ipRestriction: urns } });
  }
  for (const [index, module] of world.modules.entries()) {
    if (module === "none") continue;
    const at = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    add(moduleTypes[index]!, `module${index}${suffix}`, "edghts_1/edghtsrt_1", {
      ...at,
      ...enabledAs(module),
      ...settings[index],
    });
  }
  const traffic = trafficAs(world.traffic[1]!);
  const url = { url: "https://site.example.com" };
  add(
    "CloudEndpoint",
    `site${suffix}`,
    `ep_1${suffix}`,
    traffic === undefined ? url : { ...url, trafficPolicy: traffic },
  );
  return isReversed ? found.reverse() : found;
}

const providerType = "pulumi:providers:pulumi-nodejs";
const baseUrl = "tunnel-gateway:baseUrl";
const urls = { default: "https://example.com", elsewhere: "https://elsewhere.example.com" };

/** Resources beside others of another account, where the same ids are those of other objects, with the providers of both. */
export function beside(own: readonly Resource[], others: readonly Resource[]): Resource[] {
  const renamed = JSON.stringify(others, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(stackUrn) ? `${value}-elsewhere` : value,
  );
  const all = { default: own, elsewhere: JSON.parse(renamed) as Resource[] };
  return (["default", "elsewhere"] as const).flatMap((name) => {
    const inputs = { [baseUrl]: urls[name] };
    const state = { type: providerType, external: false, id: "id", inputs, outputs: inputs };
    const provider = recordedState({ ...state, urn: `${stackUrn}${providerType}::${name}` });
    const of = { provider: `${String(provider.urn)}::id` };
    return [provider as unknown as Resource, ...all[name].map((each) => ({ ...each, ...of }))];
  });
}

/** What `pulumi preview --json --show-sames` prints. */
export function previewText(before: readonly Resource[], after: readonly Resource[]): string {
  const [olds, news] = [before, after].map((all) => new Map(all.map((each) => [each.urn, each])));
  const steps = [...new Set([...olds!.keys(), ...news!.keys()])].map((each) => {
    const [oldState, next] = [olds!.get(each), news!.get(each)];
    const newState = next && { ...next, outputs: next.external ? next.outputs : {} };
    const isSame = JSON.stringify(oldState?.inputs) === JSON.stringify(next?.inputs);
    const op = (next ?? oldState)!.external
      ? next
        ? "read"
        : "discard"
      : !oldState
        ? "create"
        : !next
          ? "delete"
          : isSame
            ? "same"
            : "update";
    return { op, urn: each, oldState, newState };
  });
  return JSON.stringify({ config: { [baseUrl]: urls.default }, steps, changeSummary: {} });
}

/** In an export a secret is encrypted. */
export function stackOf(resources: readonly Resource[]): Inventory {
  const cipher = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x:y",
  };
  const encrypted = JSON.parse(JSON.stringify(resources), (_, value: unknown) =>
    value === hidden ? cipher : value,
  ) as Resource[];
  return contentsOf({ deployment: { resources: encrypted } }, "dev").inventory;
}

/** The account shows what is hidden, and the rules that no program knows. */
export function accountOf(world: World): Inventory {
  const ref = (id: string): object => ({ id, uri: "https://api.example.com" });
  const object = (type: string, id: string, answer: object) =>
    accountObject(declarationOf(type), id, { id, ...answer });
  const policies = world.policies.flatMap((spec, index) => {
    if (!spec.exists) return [];
    const { single, entries } = declared(spec, index);
    const rules = [...entries, ...single.map(({ rule }) => rule)];
    return [
      object("IpPolicy", `ipp_${index}`, {}),
      ...rules.map(({ action, range }, i) =>
        object("IpPolicyRule", `ipr_${index}_${i}`, {
          ...{ action, cidr: cidr(range, plain), ip_policy: ref(`ipp_${index}`) },
        }),
      ),
    ];
  });
  const places = world.places.flatMap(({ exists, uses, enabled }, index) => {
    if (!exists) return [];
    const type = placeTypes[index]!;
    const restriction = { enabled: enabled !== false, ip_policies: uses.map((each) => ref(`ipp_${each}`)) };
    if (type === "TlsEdgeIpRestriction") return [object(type, "edgtls_1", restriction)];
    const traffic = accountTraffic(world.traffic[index] ?? "none");
    return [
      object(type, `edgtcp_${index}`, {
        ...{
          description: `place${index}`,
          hostports: [`${index}.tcp.example.com:5432`],
          ip_restriction: restriction,
        },
        traffic_policy: traffic === undefined ? null : { enabled: true, value: traffic },
      }),
    ];
  });
  const modules = world.modules.flatMap((module, index) => {
    if (module === "none") return [];
    const answers = [
      { issuer, client_id: "c" },
      { provider: { code_host: { email_domains: ["example.com"] } } },
      { provider: "CODE_HOST" },
    ];
    return [
      object(moduleTypes[index]!, "edghts_1/edghtsrt_1", { enabled: module !== "off", ...answers[index] }),
    ];
  });
  const traffic_policy = accountTraffic(world.traffic[1]!) ?? null;
  const site = object("CloudEndpoint", "ep_1", {
    type: "cloud",
    url: "https://site.example.com",
    description: "site",
    traffic_policy,
  });
  return inventoryOfAccount([...policies, ...places, ...modules, site]);
}

function accountTraffic(value: Switch): string | undefined {
  return trafficAs(value === "hidden" || value === "unknown" ? "on" : value);
}
