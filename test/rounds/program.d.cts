import type { LookUp, WorldResource } from "./world";

declare function declareWorld(
  world: { resources: readonly WorldResource[]; lookUps: readonly LookUp[] },
  gateway: object,
  pulumi: object,
): void;
export = declareWorld;
