/** One object of the account as a resource, by its id. */
import type { Connection } from "../life-cycle/connection";
import { GatewayError } from "../errors";
import { idProblem } from "../http/path";
import { importedState } from "../life-cycle/imported";
import type { StoredObject } from "../life-cycle/life-cycle";
import { requireFound } from "../life-cycle/response-schema";
import type { Declaration } from "../../schema/declaration";
import { stateForEngine, valuesForEngine } from "../../schema/recorded-state";
import { resourceValues } from "./resource-values";
import type { ResourceValues } from "./resource-values";

/**
 * Reads the values of an object that becomes a resource. Throws if the id has the wrong form for the class, if the object does
 * not exist, or if no program can describe it.
 */
export async function existingValues(
  client: Pick<Connection, "settings" | "read">,
  declaration: Declaration,
  id: string,
): Promise<ResourceValues> {
  const { noun } = declaration;
  const problem = idProblem(declaration, id);
  if (problem !== undefined) throw new GatewayError(`the ${noun} cannot be imported: ${problem}`);
  const answer = await client.read(declaration, id);
  const { settings } = client;
  requireFound(declaration, id, answer, settings.baseUrl);
  const values = resourceValues({ declaration, id, answer }, { settings, now: Date.now() });
  if ("reason" in values) throw new GatewayError(`the ${noun} ${id} cannot be imported: ${values.reason}`);
  return values;
}

/**
 * Reads an object that becomes a resource, with the arguments that a program must give so that nothing changes. Throws like
 * {@link existingValues}.
 * @param separate the arguments whose items may be resources of their own.
 */
export async function importedObject(
  client: Parameters<typeof existingValues>[0],
  declaration: Declaration,
  id: string,
  separate: readonly string[],
): Promise<Required<StoredObject>> {
  const { args, outputs } = await existingValues(client, declaration, id);
  const props = stateForEngine(declaration, importedState(declaration, args, outputs, separate));
  return { id, props, inputs: valuesForEngine(declaration, args) };
}
