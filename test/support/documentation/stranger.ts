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
  expect(lock.packages["node_modules/pulumi-tunnel-gateway"]?.resolved).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/pulumi-tunnel-gateway\/-\/[\d.]+\.tgz$/,
  );

  expect(printed("pulumi stack output token")).toMatch(/\+ 5 created/);
  const token = printed("pulumi stack output token").trim().split("\n").at(-1);
  expect(token).toMatch(/^[\w-]{20,}$/);

  const review = printed("tunnel-gateway review");
  expect(review).toContain("IpPolicyRule guests: replaced");
  expect(review).toContain('action: "allow" → "deny"');
  expect(review).toMatch(/\+-1 replaced/);

  const imported = printed("tunnel-gateway import --stack dev --run");
  expect(imported).toContain("1 resource was imported and protected.");
  expect(imported).toContain("The preview of the stack dev shows no change.");
  expect(readFileSync(join(work, "policies.ts"), "utf8")).toContain('description: "made by hand"');
  expect(existsSync(join(work, ".tunnel-gateway/import.json"))).toBe(false);

  const requests = await ask<{ requests: RecordedRequest[] }>(address, "requests");
  const writes = requests.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} /${path.split("/")[1]}`);
  const rules = ["POST /ip_policy_rules", "POST /ip_policy_rules"];
  const created = ["PATCH /api_keys", "POST /api_keys", "POST /ip_policies", ...rules];
  expect(writes.slice(0, 5).sort()).toEqual(created);
  // The replaced rule, what was made by hand, and in the end everything goes.
  expect(writes.slice(5, 8)).toEqual([
    "DELETE /ip_policy_rules",
    "POST /ip_policy_rules",
    "POST /ip_policies",
  ]);
  expect(writes.slice(8).sort()).toEqual([
    "DELETE /api_keys",
    "DELETE /ip_policies",
    "DELETE /ip_policies",
    "DELETE /ip_policy_rules",
    "DELETE /ip_policy_rules",
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
