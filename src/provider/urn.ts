/**
 * URNs: `urn:pulumi:<stack>::<project>::<types>::<name>`, with the types of the parents and the own one, separated by `$`.
 * The type of a component and every name may contain `::` and `$`, so only the type that the engine records beside the URN
 * shows where the name begins.
 */

import { oncePerText } from "../schema/once-per";
import { version } from "./version";
import { shortened } from "../schema/text/phrase";

/** The names of a stack and of its project. */
export interface StackName {
  readonly stack: string;
  readonly project: string;
}

/** "shop/prod", of bounded length. */
export function stackLabel({ project, stack }: StackName): string {
  return shortened(`${project}/${stack}`, 200);
}

/** The stack and its project, which contain no `::`. */
export function stackIn(urn: string): StackName | undefined {
  const [, stack, project] = /^urn:pulumi:((?:(?!::).)+)::((?:(?!::).)+)::/s.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : { stack, project };
}

/**
 * The name of a resource of a type: all that follows its type. Where the type occurs several times, the first one counts:
 * the result ends with the name, so a part of a name never passes for the name of another resource.
 */
export function nameIn(urn: string, type: string): string {
  const rest = typesAndName(urn);
  if (type === "") return rest.split("::").slice(1).join("::");
  const [start, child] = [`${type}::`, `$${type}::`];
  if (rest.startsWith(start)) return rest.slice(start.length);
  const at = rest.indexOf(child);
  return at < 0 ? rest : rest.slice(at + child.length);
}

/** The name of a resource of one of the types. Of several that occur in the URN the first one counts. */
export function nameOfOne(urn: string, types: readonly string[]): string {
  const whole = typesAndName(urn);
  const names = types.map((type) => nameIn(urn, type)).filter((name) => name !== whole);
  return names.reduce((one, other) => (other.length > one.length ? other : one), names[0] ?? whole);
}

/** The URN of the provider in a state's reference to it, which ends with the provider's id. */
export function providerIn(reference: unknown): string | undefined {
  if (typeof reference !== "string" || reference === "") return undefined;
  const end = reference.lastIndexOf("::");
  return end < 0 ? reference : reference.slice(0, end);
}

/** The URN of the parent that a state names; undefined for the stack itself, whose type begins right after the project. */
export function parentIn(urn: unknown): string | undefined {
  if (typeof urn !== "string" || urn === "") return undefined;
  return urn.split("::")[2] === "pulumi:pulumi:Stack" ? undefined : urn;
}

/** The type of every provider of dynamic resources in TypeScript. */
export const providerType = "pulumi:providers:pulumi-nodejs";

/** The type of every native provider of this package. */
export const nativeProviderType = "pulumi:providers:tunnel-gateway";

/** Whether a type is that of a provider of dynamic resources or of a native one of this package. */
export function isProviderType(type: unknown): boolean {
  return type === providerType || type === nativeProviderType;
}

/**
 * Whether a URN is one that the engine gives to a default provider. The engine shows no step of a provider whose name
 * begins with `default`, and nothing else than this text tells that a program has not registered it. The name of a native
 * one ends with the version of the program's SDK, which is that of this package.
 */
export const isDefaultProvider = oncePerText((urn): boolean => {
  const own = typesAndName(urn);
  if (own === `${providerType}::default`) return true;
  return ["default", `default_${version.replace(/\W/g, "_")}`].some(
    (name) => own === `${nativeProviderType}::${name}`,
  );
});

/** The URN of a provider that the program has registered; undefined for the default provider. */
export function explicitProvider(urn: string | undefined): string | undefined {
  return urn === undefined || isDefaultProvider(urn) ? undefined : urn;
}

/** Whether a URN is that of another provider whose steps the engine hides, because of its name. */
export function isHiddenProvider(urn: string): boolean {
  return isProviderUrn(urn) && !isDefaultProvider(urn) && providerNameIn(urn).startsWith("default");
}

/** The name of a provider in the program. */
export function providerNameIn(urn: string): string {
  return nameIn(urn, isNativeProvider(urn) ? nativeProviderType : providerType);
}

/** Whether a URN is that of a provider of dynamic resources or a native one of this package. */
export function isProviderUrn(urn: string): boolean {
  return isDynamicProvider(urn) || isNativeProvider(urn);
}

/** Whether a URN is that of a provider of dynamic resources, by the engine's own reading of it. */
export function isDynamicProvider(urn: string): boolean {
  return ownType(urn) === providerType;
}

/** Whether a URN is that of a native provider of this package, by the engine's own reading of it. */
export function isNativeProvider(urn: string): boolean {
  return ownType(urn) === nativeProviderType;
}

/** Thousands of resources name the same few providers. */
const ownType = oncePerText((urn): string | undefined => typesIn(urn).at(-1));

/** Whether the parent of a resource has a type. */
export function isChildOf(urn: string, type: string): boolean {
  return typesIn(urn).at(-2) === type;
}

/** The types of the parents, and the own one, by the engine's own reading. */
function typesIn(urn: string): readonly string[] {
  return urn.split("::")[2]?.split("$") ?? [];
}

/** What follows the stack and the project. */
function typesAndName(urn: string): string {
  return urn.split("::").slice(2).join("::");
}
