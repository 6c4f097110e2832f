/** Single steps of an object's life: what is sent, and what an answer makes of the state. */
import type { Declaration } from "../../../src/schema/declaration";
import type { UpdateSettings } from "../../../src/schema/field";
import type { Json } from "../../../src/schema/json";
import { Life } from "../../support/life";

/** A service that keeps what it is sent. */
const keep = (body: Json): Json => body;

/** The body of the create. */
export async function created(declaration: Declaration, args: Json): Promise<Json> {
  const life = new Life(declaration, keep);
  await life.create(args);
  return life.sent[0]!.body!;
}

/** The state after a create with the arguments was answered so. */
export function stateOf(declaration: Declaration, args: Json, answer: Json): Promise<Json> {
  return new Life(declaration, () => answer).create(args);
}

/** The state after a refresh was answered so. */
export async function refreshed(declaration: Declaration, state: Json, answer: Json): Promise<Json> {
  return (await new Life(declaration, () => answer).read(state)).state;
}

/** The paths that differ between state and arguments, those that replace with a "!" behind. */
export async function changes(
  declaration: Declaration,
  state: Json,
  args: Json,
  settings: Partial<UpdateSettings> = {},
): Promise<string[]> {
  const { cycle, id } = new Life(declaration, keep, settings);
  const { paths } = await cycle.differences(id, state, args);
  return paths.map(({ path, replaces }) => path + (replaces ? "!" : ""));
}

/** The body of the update from the state to the arguments. */
export async function updated(
  declaration: Declaration,
  state: Json,
  args: Json,
  settings: Partial<UpdateSettings> = {},
): Promise<Json> {
  const life = new Life(declaration, keep, settings);
  await life.update(state, args);
  return life.sent[0]?.body ?? {};
}
