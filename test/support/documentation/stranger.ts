/** What must be true after a new user followed the README, from an empty folder with only the package. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest } from "../../../src/emulator/types";
import type { Block } from "./blocks";
import type { Session } from "./session";

/** Fails if a statement of the README is false. The page's emulator must still run. */
export async function strangerArrived(session: Session, blocks: readonly Block[]): Promise<void> {
  const printed = (command: string): string => {
    const block = blocks.find(({ language, code }) => language === "sh" && code.includes(command));
    if (block === undefined) throw new Error(`the README shows no ${command}`);
    return session.outputOf(block);
  };
  const { work, address } = session.world;

  // npm itself installed the package from a tarball.
  const lock = JSON.parse(readFileSync(join(work, "package-lock.json"), "utf8")) as {
    packages: Record<string, { resolved?: string }>;
  };
  expect(lock.packages["node_modules/pulumi-tunnel-gateway"]?.resolved).toMatch(/^file:.*\.tgz$/);

  const access = printed("pulumi up --yes\nnpx pulumi-tunnel-gateway access");
  expect(access).toMatch(/\+ 6 created/);
  expect(access).toMatch(/TcpEdge database +allowed +198\.51\.100\.7\/32, 203\.0\.113\.0\/24 /);

  const stopped = printed("192.0.0.0/8");
  expect(stopped).toContain("access/newly-allowed");
  expect(stopped).toContain("access/test-failed");
  const passed = printed("192.0.2.0/24");
  expect(passed).toMatch(/~ 1 updated/);

  const imported = printed("tunnel-gateway import --stack dev --run");
  expect(imported).toContain("1 resource was imported and protected.");
  expect(imported).toContain("The preview of the stack dev shows no change.");
  expect(readFileSync(join(work, "policies.ts"), "utf8")).toContain('description: "made by hand"');
  expect(existsSync(join(work, ".tunnel-gateway/import.json"))).toBe(false);

  const requests = await ask<{ requests: RecordedRequest[] }>(address, "requests");
  const writes = requests.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} /${path.split("/")[1]}`);
  const rules = writes.filter((write) => write === "POST /ip_policy_rules");
  const created = [
    "POST /backends",
    "POST /ip_policies",
    "POST /edges",
    "POST /ip_policy_rules",
    "POST /ip_policy_rules",
  ];
  expect(writes.slice(0, 5).sort()).toEqual(created.sort());
  // The range of the partner, what was made by hand, and in the end everything goes.
  expect(writes.slice(5, 7)).toEqual(["POST /ip_policy_rules", "POST /ip_policies"]);
  expect(writes.slice(7).sort()).toEqual([
    "DELETE /backends",
    "DELETE /edges",
    "DELETE /ip_policies",
    "DELETE /ip_policies",
    ...rules.map(() => "DELETE /ip_policy_rules"),
  ]);
  const left = await ask<Record<string, unknown[]>>(address, "state");
  expect(left.ip_policies).toEqual([]);
}

async function ask<T>(address: string, route: string): Promise<T> {
  const response = await fetch(new URL(`/_emulator/${route}`, address), {
    headers: { "Emulator-Control": "1" },
  });
  return (await response.json()) as T;
}
