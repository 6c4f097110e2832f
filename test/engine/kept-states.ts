import { cpSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { Program, type DoorName, type Stack, type StackState } from "../support/engine";
import { preludeOf } from "./support";

/**
 * One folder for each released version: `state.json`, what `pulumi stack export` gave, and `account.json`, the
 * emulator's data file of that moment. `0.1.0-early` was written before absent outputs became null in the state. Nothing in
 * them was ever valid anywhere.
 */
export const folder = resolve(__dirname, "../fixtures/states");

export const passphrase = "the passphrase of kept states";

export const keptVersions: readonly string[] = readdirSync(folder);

/** The program of the kept states, over one of the doors; `before` comes before its first resource. */
export const keptProgram = (description = "offices", door: "" | "/native" = "", before = ""): string => `
  ${preludeOf(door)}
  ${before}
  const office = new IpPolicy("office", { description: "${description}" });
  new IpPolicy("bare");
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow", metadata: "m" });
  new IpPolicyRule("lan6", { ipPolicyId: office.id, cidr: "2001:DB8::/32", action: "deny", description: "" });
  const key = new ApiKey("pipeline", { description: "used by the pipeline" });
  new ApiKey("owned", { ownerId: "usr_EmulatorAdministrator000000" });
  exports.token = key.token;
`;

/** @param door "native" for a project that knows the native provider. */
export const newProgram = (door: DoorName = "dynamic"): Program =>
  new Program({ name: "kept", kind: "cjs", door, files: keptProgram() });

/** The stack of a kept state, with the account that it manages. */
export async function keptStack(
  version: string,
  door?: DoorName,
): Promise<{ own: Program; stack: Stack; emulator: EmulatorProcess }> {
  const dataFile = join(mkdtempSync(join(engineSetup().folder, "account-")), "account.json");
  cpSync(join(folder, version, "account.json"), dataFile);
  const state = JSON.parse(readFileSync(join(folder, version, "state.json"), "utf8")) as StackState;
  const emulator = await EmulatorProcess.start({ dataFile });
  const own = newProgram(door);
  const stack = await own.stack({ passphrase, config: emulator.config });
  await stack.importState(state);
  return { own, stack, emulator };
}

/** Expects that the account has none of the objects of the kept states. */
export async function expectEmpty(emulator: EmulatorProcess): Promise<void> {
  const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
  expect([ip_policies, ip_policy_rules, api_keys]).toEqual([[], [], []]);
}
