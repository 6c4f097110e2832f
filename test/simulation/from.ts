/**
 * Worlds that begin with the resources of a real stack, as `pulumi stack export` prints it. Its secrets stay where they
 * are: each is replaced by a random value that the argument may have, or all arguments of its resource are.
 */
import { readFileSync } from "node:fs";
import { declarationOf, declarations } from "../../src/resources/registry";
import { classIn } from "../../src/program/shim";
import type { Declaration } from "../../src/schema/declaration";
import { mapSecrets } from "../../src/schema/secrets";
import { secretSignature } from "../../src/schema/secrets";
import { isRecord } from "../../src/schema/unknown";
import { withoutHidden } from "../../src/schema/recorded-state";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import { isValid, placeholders, type Draft } from "../worlds/plan";

interface Exported {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs?: Json;
  readonly delete?: boolean;
  readonly external?: boolean;
}

/** The resources of this package, each with a name of its own. Components are left out, their parts are not. */
export function draftsIn(file: string, seed: number): Draft[] {
  const { deployment } = JSON.parse(readFileSync(file, "utf8")) as {
    deployment: { resources?: readonly Exported[] };
  };
  const own = (deployment.resources ?? []).filter(
    (each) => isOwn(classIn(each.type)) && each.delete !== true && each.external !== true,
  );
  if (own.length === 0) throw new Error(`${file} holds no resource of this package.`);
  const names = new Map(own.map(({ urn }, i) => [urn, `s${i + 1}`]));
  const ids = new Set(own.map(({ id }) => id));
  const drafts = own.map(({ urn, type, inputs = {} }, i): Draft => {
    const declaration = declarationOf(classIn(type)!);
    const others = placeholders(declaration.type, seed, i + 1);
    const args = placed(declaration, withoutSecrets(declaration, withoutHidden(inputs), others), others);
    // A set has the id of its policy.
    const before = own.slice(0, i).filter(({ id, type: other }) => id !== "" && !isSet(other));
    return {
      name: names.get(urn)!,
      type: declaration.type,
      args: withKnownIds(isValid(declaration, args) ? args : others, ids) as Json,
      refs: Object.fromEntries(before.map(({ id, urn: other }) => [id, names.get(other)!])),
    };
  });
  return drafts.map((draft) => ({ ...draft, ...ownerOf(draft, drafts) }));
}

/** A component has no declaration. */
const isOwn = (name: string | undefined): boolean => declarations.some(({ type }) => type === name);

const isSet = (type: string): boolean => declarationOf(classIn(type)!).setOf !== undefined;

/** A set and its policy go together: nothing else manages the rules of the policy. */
function ownerOf({ name, type, args, refs }: Draft, drafts: readonly Draft[]): Pick<Draft, "owner"> {
  if (declarationOf(type).setOf !== undefined) return { owner: refs[String(args.ipPolicyId)] };
  const set = drafts.find(
    (each) =>
      declarationOf(each.type).setOf !== undefined && each.refs[String(each.args.ipPolicyId)] === name,
  );
  return set ? { owner: set.name } : {};
}

/** The module at one of the places of the simulated account. */
function placed({ style }: Declaration, args: Json, { edgeId, routeId }: Json): Json {
  if (style !== "singleton") return args;
  return { ...args, edgeId, ...(routeId === undefined ? {} : { routeId }) };
}

/** The arguments with the secrets of others of the class, as far as they are arguments of their own. */
function withoutSecrets({ fields }: Declaration, args: Json, others: Json): Json {
  const isSecret = (part: unknown): boolean =>
    isRecord(part) && Object.keys(secretSignature).every((name) => name in part);
  const text = JSON.stringify(
    mapSecrets(fields, args, () => undefined),
    (_, part: unknown) => (isSecret(part) ? undefined : part),
  );
  const secrets = Object.entries(fields).filter(
    ([name, { traits }]) => traits.secret && args[name] !== undefined && others[name] !== undefined,
  );
  return {
    ...(JSON.parse(text) as Json),
    ...Object.fromEntries(secrets.map(([name]) => [name, others[name]])),
  };
}

/** What stands outside of the stack is taken for an object of the simulated account. */
const standIns: Readonly<Record<string, string>> = {
  ipp: "ipp_one",
  bot: "bot_one",
  usr: "usr_ada",
  bkdtg: "bkdtg_one",
  bkdhr: "bkdhr_one",
  ed: "ed_one",
  esb: "esb_one",
  sshca: "sshca_one",
};

function withKnownIds(value: unknown, known: ReadonlySet<string>): unknown {
  const put = (text: string): string => {
    const [, prefix = ""] = /^([a-z]+)_[0-9A-Za-z]{20,}$/.exec(text) ?? [];
    return known.has(text) ? text : (standIns[prefix] ?? text);
  };
  if (typeof value === "string") return put(value);
  if (Array.isArray(value)) return value.map((item) => withKnownIds(item, known));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [put(key), withKnownIds(item, known)]),
  );
}
