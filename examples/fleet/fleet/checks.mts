/** What must hold before a stack is deployed or destroyed again: its state knows all objects, and the key is of its account. */
import { UserError } from "./errors.mts";
import type { Output } from "./processes.mts";

/** The commands of a worker. They end with an error where `mayFail` is not set. */
export interface Commands {
  readonly pulumi: (...args: string[]) => Promise<Output>;
  /** Ends with any exit code. */
  readonly gateway: (...args: string[]) => Promise<Output>;
}

/** The stack may not know all objects that exist. The message is the reason; `recovery` has the next steps. */
export class UnknownObjectsError extends UserError {
  /** Whether Pulumi has no record of the creates either. */
  readonly planned: boolean;

  constructor(message: string, planned: boolean) {
    super(message);
    this.planned = planned;
  }
}

interface State {
  readonly resources?: readonly { readonly type: string; readonly id?: string }[];
  readonly pending_operations?: readonly unknown[];
}

/** So many objects are looked for, until one is found. */
const mostLookedFor = 5;

/** Throws where an earlier run was killed and left operations of which the outcome is not known. */
export async function requireNothingPending(stack: string, commands: Commands): Promise<State> {
  const { stdout } = await commands.pulumi("stack", "export");
  const { deployment = {} } = JSON.parse(stdout) as { deployment?: State };
  const count = deployment.pending_operations?.length ?? 0;
  if (count === 0) return deployment;
  throw new UnknownObjectsError(
    `the stack ${stack} has ${count} pending operation${count === 1 ? "" : "s"}: Pulumi was killed, or another run deploys the stack now. ` +
      "Objects may exist that the stack does not know, and another deployment would create them again",
    false,
  );
}

/**
 * Throws where the last update failed and has created objects that Pulumi has no record of: that is so when the plugin dies.
 */
export async function requireNothingUnrecorded(stack: string, { pulumi, gateway }: Commands): Promise<void> {
  const history = await pulumi("stack", "history", "--json", "--page-size", "10");
  const updates = JSON.parse(history.stdout) as { kind: string; result: string }[];
  if (updates.find(({ kind }) => kind === "update")?.result !== "failed") return;
  const found = await gateway("orphans", "--planned", "--json", "--stack", stack);
  if (found.exitCode !== 0)
    throw new UserError(
      `the last update of ${stack} failed, and what it created could not be found out: ${found.stderr.trim()}`,
    );
  const { pending } = JSON.parse(found.stdout) as {
    pending: { type: string; name: string; outcome: string }[];
  };
  const created = pending.filter(({ outcome }) => outcome !== "not created");
  if (created.length === 0) return;
  const names = created.map(({ type, name }) => `${type} ${name}`).join(", ");
  throw new UnknownObjectsError(
    `the last update of ${stack} failed, and objects exist that the stack does not know (${names}): another deployment would create them again`,
    true,
  );
}

/** Accepts that the objects of a stack are gone, here and in the package. */
const acceptDeleted = "TUNNEL_GATEWAY_ACCEPT_DELETED";

/** Throws where none of the stack's objects exists in the account of the key. */
export async function requireOwnAccount(stack: string, state: State, { gateway }: Commands): Promise<void> {
  if (process.env[acceptDeleted] === "true") return;
  const objects = (state.resources ?? []).flatMap(({ type, id }) => {
    const [, name] =
      /^(?:pulumi-nodejs:dynamic\/tunnel-gateway|tunnel-gateway:index):(\w+)$/.exec(type) ?? [];
    return name === undefined || id === undefined || id === "" ? [] : [{ name, id }];
  });
  let last: Output | undefined;
  let tried = 0;
  for (const { name, id } of objects) {
    const found = await gateway("get", name, id, "--json", "--stack", stack);
    if (found.exitCode === 0) return;
    // Not every type can be read by its id.
    if (found.exitCode === 2) continue;
    last = found;
    if (++tried === mostLookedFor) break;
  }
  if (last === undefined) return;
  throw new UserError(
    `the key of ${stack} is not the one of its last deployment, and none of ${tried} objects of the stack was found with it. ` +
      "The key may belong to another account: correct it. If the objects were deleted by hand, run the command once with " +
      `${acceptDeleted}=true. The last answer: ${last.stderr.trim()}`,
  );
}

/** The commands after Pulumi was killed, in their order. */
export function recovery(stack: string, planned = false): string {
  const exec = `node run.mts exec ${stack} --`;
  const orphans = `npx pulumi-tunnel-gateway orphans --stack ${stack}${planned ? " --planned" : ""}`;
  return `Next, run these commands, with the same --keys:
  ${exec} pulumi cancel --stack ${stack} --yes
      if the stack is locked and no other run deploys it
  ${exec} ${orphans} --write .fleet/${stack}.import.json
      and the pulumi import that it prints, if it prints one: "${exec} pulumi import …"
  ${exec} pulumi refresh --stack ${stack} --clear-pending-creates --yes
  node run.mts up --resume`;
}
