/** A program with every class and every argument, the component, and an explicit provider, over one of the doors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textsIn, wayBack } from "../../engine/native/support";
import type { Door } from "../../engine/native/support";
import { subjects } from "../../rounds/table";
import type { WorldResource } from "../../rounds/world";
import type { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";

/** What `pulumi import` can import: all but keys that rotate, which are several objects. */
export const importable: readonly WorldResource[] = [
  ...subjects.map(({ name, type, args }) => ({ name, type, args })),
  { name: "staff", type: "IpPolicy", args: { description: "staff" } },
  {
    name: "staff-rules",
    type: "IpPolicyRuleSet",
    args: {
      ipPolicyId: "@staff",
      rules: { "203.0.113.0/24": "allow", "10.0.0.0/8": { action: "deny", description: "own" } },
    },
  },
];

const everything: readonly WorldResource[] = [
  ...importable,
  { name: "ci", type: "RotatingApiKey", args: { rotateAfterDays: 30, overlapDays: 3, description: "ci" } },
  { name: "office", type: "IpAccessList", args: { allow: ["198.51.100.0/24"] } },
  { name: "partner", type: "IpPolicy", args: { metadata: "m" }, opts: { provider: "partner" } },
];

/** The secrets that the program gives. */
export const programSecrets: readonly string[] = textsIn(everything).filter(
  (text) => text.startsWith("SECRET") || text.includes("PRIVATE KEY"),
);

const main = `
  const { door, isOnWayBack, ...world } = JSON.parse(require("node:fs").readFileSync(__dirname + "/world.json", "utf8"));
  const pulumi = require("@pulumi/pulumi");
  if (isOnWayBack) { ${wayBack} }
  require("./program.cjs")(world, require("pulumi-tunnel-gateway" + door), pulumi);
`;

/** A stack of the account, which must have what stands beside the program's own: `seed` of the table. */
export function newStack(emulator: EmulatorProcess): Promise<Stack> {
  const files = {
    "index.js": main,
    "program.cjs": readFileSync(join(__dirname, "../../rounds/program.cjs"), "utf8"),
  };
  return new Program({ kind: "cjs", door: "native", files }).stack({ config: emulator.config });
}

/** Makes the program use the door. */
export function use(stack: Stack, door: Door, resources = everything, isOnWayBack = false): void {
  stack.program.write({ "world.json": JSON.stringify({ door, isOnWayBack, resources, lookUps: [] }) });
}

/** Makes the program use dynamic resources again, after the native provider. */
export function returnToDynamic(stack: Stack): void {
  use(stack, "", everything, true);
}
