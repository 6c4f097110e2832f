import type { Json } from "../../schema/json";
import type { GatewayError } from "../errors";

/** An object that is just what its arguments say, so that there is nothing else to record. */
export interface AsAsked {
  readonly id: string;
  readonly answer?: undefined;
  readonly problem?: undefined;
}

/** An object that the service created. */
export interface CreatedObject {
  readonly id: string;
  readonly answer: Json;
  /** What failed after the object was created. */
  readonly problem?: GatewayError;
}
