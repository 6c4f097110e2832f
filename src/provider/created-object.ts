import type { Json } from "../schema/json";
import type { GatewayError } from "./errors";

/** An object that the service created. */
export interface CreatedObject {
  readonly id: string;
  readonly answer: Json;
  /** Why the creation did not end well, though the object exists. */
  readonly problem?: GatewayError;
}
