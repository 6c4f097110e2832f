/** Ties the classes and functions of the public surface to their declarations, so that the registry derives from them. */
import type { Declaration } from "./declaration";

const key = Symbol("declaration");

/** Marks a class or function as one of the declaration; a class's subclasses are marked too. */
export function followsDeclaration<T extends object>(value: T, declaration: Declaration): T {
  return Object.defineProperty(value, key, { value: declaration });
}

/** The declaration that a class or function was made for; undefined for anything else. */
export function declarationBehind(value: unknown): Declaration | undefined {
  return typeof value === "function" ? (value as { [key]?: Declaration })[key] : undefined;
}
