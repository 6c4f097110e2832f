/** What a collection's file makes of its fields: a class and functions, in a group. */
export { getAt, getOf, listOf, listWithin } from "../account/readers";
export { resource } from "../program/resource-class";
export { declarationBehind, declarationFor } from "../schema/declaration";
export * from "./groups";
