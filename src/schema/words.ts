/** The words of a collection's fields: their kinds, rules and meanings, and the types that follow from them. */
export type { FieldRule, Format, ReplaceWhen, ValidationContext } from "./field";
export * from "./inferred";
export * from "./kinds";
export * from "./meaning";
export * from "./member-rules";
