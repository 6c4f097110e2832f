/** The declarations of all collections, derived from what ./index exports. */
import type { Declaration } from "../schema/declaration";
import { declarationBehind } from "../schema/declaration";
import { DeclaredResource } from "../program/resource-class";
import * as resources from "./index";

/** Everything that can be read, in the order of ./index. */
export const readable: readonly Declaration[] = declarationsOf(Object.values(resources));

/** What a program can manage, in the order of ./index. */
export const declarations: readonly Declaration[] = declarationsOf(Object.values(resources).filter(isClass));

/** The declaration of a type. Throws where this version does not know the type, as a state may name one. */
export function declarationOf(type: string): Declaration {
  const found = readable.find((declaration) => declaration.type === type);
  if (!found) throw new Error(`this version of pulumi-tunnel-gateway knows no resource type ${type}`);
  return found;
}

/** The declaration whose objects have such ids; undefined for ids of the service's other objects. */
export function declarationWithId(id: string): Declaration | undefined {
  return declarations.find(({ idPrefix }) => idPrefix !== undefined && id.startsWith(idPrefix));
}

/** The types in a group. */
export function typesIn(group: string): string[] {
  return declarations.filter((declaration) => declaration.group.name === group).map(({ type }) => type);
}

/** The types whose objects belong to a user or bot user that the program may name. */
export const ownedTypes: readonly string[] = declarations
  .filter(({ fields }) => fields.ownerId?.presence === "optional")
  .map(({ type }) => type);

/** The arguments whose items may be resources of their own, such as the sources of a subscription. */
export function separateArguments({ path }: Declaration): string[] {
  const members = declarations.filter(({ style }) => style === "member");
  return members.filter((each) => each.path.startsWith(`${path}/{`)).map(({ listKey }) => listKey!);
}

function declarationsOf(exported: readonly unknown[]): Declaration[] {
  return [...new Set(exported.flatMap((value) => declarationBehind(value) ?? []))];
}

function isClass(value: unknown): boolean {
  return typeof value === "function" && value.prototype instanceof DeclaredResource;
}
