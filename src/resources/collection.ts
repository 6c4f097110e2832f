/** What the files of the collections share: the class and functions that they define, and the groups. */
import type { Group } from "../schema/declaration";

export { getAt, getOf, listOf, listWithin } from "../account/readers";
export { resource } from "../program/resource-class";
export { declarationBehind, declarationFor } from "../schema/declaration";

// The groups: the files of an imported program, the sections of the pages, the review's subjects.
export const credentials: Group = { name: "credentials", title: "Bot users, API keys and SSH credentials" };
export const certificates: Group = { name: "certificates", title: "Certificates" };
export const ipPolicies: Group = { name: "policies", title: "IP policies and their rules" };
export const backends: Group = { name: "backends", title: "Routing backends" };
export const edges: Group = { name: "edges", title: "Edges and their modules" };
export const endpoints: Group = { name: "endpoints", title: "Cloud endpoints" };
export const events: Group = { name: "events", title: "Event delivery" };
export const operators: Group = { name: "operators", title: "Kubernetes operators" };
export const sessions: Group = { name: "sessions", title: "Tunnel sessions" };

/** The groups of the objects that decide who gets in. */
export const accessGroups: readonly Group[] = [edges, endpoints, ipPolicies];
