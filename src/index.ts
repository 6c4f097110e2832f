/** pulumi-tunnel-gateway: the Tunnel Gateway Management API as Pulumi resources. */
import "./program/supported-node";
export * from "./resources";
export { Provider } from "./program/explicit-provider";
export type { ProviderArgs } from "./program/explicit-provider";
export { IpAccessList } from "./program/components/ip-access-list";
export type { IpAccessListArgs, IpAccessListEntry } from "./program/components/ip-access-list";
export { publishedRanges } from "./program/ranges/published";
export type { PublishedRangesOptions } from "./program/ranges/published";
export { restartTunnelSession, stopTunnelSession, updateTunnelSession } from "./account/agents/commands";
export { UpdateOutcome, updateTunnelSessions } from "./account/agents/update";
export type { AgentUpdate, UpdateOptions } from "./account/agents/update";
export type {
  FilterInput,
  Get,
  GetByPath,
  GetByPathOutput,
  GetOutput,
  List,
  ListOptions,
  ListOutput,
  ListOutputOptions,
  ListWithin,
  ListWithinOutput,
  Listing,
  ResultOf,
} from "./account/readers";
export type { Filter, Match } from "./account/filter";
export type { AccountOptions } from "./account/account-client";
export type { Ref } from "./schema/kinds";
export { notReturned } from "./schema/secrets";
export {
  AbsenceError,
  AnswerError,
  ApiError,
  GatewayError,
  SettingsError,
  TransportError,
  UndecidedError,
} from "./provider/errors";
export type { Settings } from "./provider/settings/settings";
