/** How the resources of a world reach the provider. */
import { dynamicDoor, nativeDoor, type Door } from "../../src/program/door";
import type { DoorName } from "../support/engine";

export const doors: Readonly<Record<DoorName, Door>> = { dynamic: dynamicDoor, native: nativeDoor };
