/** Makes a connection refuse the writes that would lock out the ranges of the setting keepAccess. */
import { oncePer } from "../once-per";
import type { Connection } from "../provider/connection";

/** The connection; where the setting names ranges, with the guard. */
export function keepingAccess(connection: Connection): Connection {
  const { keepAccess = {} } = connection.settings;
  return Object.keys(keepAccess).length === 0 ? connection : withGuard(connection);
}

// The guard orders the writes of a connection, so each has one.
const withGuard = oncePer((connection: Connection): Connection => {
  // Few stacks use it, and it loads as much as the rest of the plugin.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { AccessGuard } = require("./access-guard") as typeof import("./access-guard");
  const guard = new AccessGuard(connection);
  return { ...connection, sendGuarded: (...write) => guard.send(...write) };
});
