import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandIn, makeProject } from "./project.mjs";
import { measured, repeatedly } from "./review.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";

/** The rules of a policy. More of them would become one set. */
const rulesOfPolicy = 19;

/** The most objects on a page. */
const pageSize = 100;

/**
 * What `import --run` of an account costs whose objects become as many resources: the seconds of the whole command, with
 * the import and the preview of the Pulumi CLI, and its requests for lists with objects.
 */
export function importCost(bench, count, runs) {
  return repeatedly(runs, bench.sources, (from) => importOnce(bench, from, count));
}

async function importOnce({ cli, gateway, folder }, from, count) {
  const service = await startService(gateway);
  const dir = makeProject(folder, "imported", from);
  try {
    writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "imported", main: "index.ts" }));
    const account = accountOf(count);
    await service.seed(account);
    const { env } = await makeStack(cli, dir, service);
    const command = commandIn(dir);
    const { seconds, memory, stdout } = await measured(command, ["import", "--run", "--stack", "bench"], {
      cwd: dir,
      env,
    });
    if (!stdout.includes(`${count.toLocaleString("en-US")} resources were imported`))
      throw new Error(`The import failed:\n${stdout}`);
    const lists = Object.entries(account).map(([name, { length }]) => ({ path: `/${name}`, length }));
    const requests = (await service.takeRequests()).filter(({ path }) =>
      lists.some((list) => list.path === path),
    );
    const pages = lists.reduce((sum, { length }) => sum + Math.ceil(length / pageSize), 0);
    return { count, pages, requests: requests.length, seconds, memory };
  } finally {
    await service.stop();
    rmSync(dir, { recursive: true });
  }
}

function accountOf(count) {
  const policies = Math.ceil(count / (rulesOfPolicy + 1));
  const id = (prefix, i) => `${prefix}_${String(i).padStart(8, "0")}`;
  return {
    ip_policies: Array.from({ length: policies }, (_, i) => ({
      id: id("ipp", i),
      description: `policy ${i}`,
    })),
    ip_policy_rules: Array.from({ length: count - policies }, (_, i) => ({
      id: id("ipr", i),
      ip_policy_id: id("ipp", i % policies),
      cidr: `10.${i >> 8}.${i & 255}.0/24`,
      action: "allow",
    })),
  };
}
