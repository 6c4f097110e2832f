import { statSync, watch } from "node:fs";
import { join } from "node:path";
import { gatewayProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";

const ways = [
  { name: "file", env: {} },
  { name: "file, `PULUMI_DIY_BACKEND_ZSTD=true`", env: { PULUMI_DIY_BACKEND_ZSTD: "true" } },
  { name: "file, `PULUMI_SKIP_CHECKPOINTS=true`", env: { PULUMI_SKIP_CHECKPOINTS: "true" } },
];

/** What the file backend writes while `up` creates a policy and `count` rules. */
export async function backendCost(bench, count, note) {
  const rows = [];
  for (const { name, env } of ways) {
    note(`${count} rules with the backend ${name}`);
    const service = await startService(bench.gateway);
    try {
      const stack = await makeStack(bench.cli, bench.gateway, service, env);
      stack.write(gatewayProgram(count));
      const written = watchWrites(join(stack.backend, ".pulumi/stacks/gateway"));
      const { seconds } = await stack.run("up", "--yes", "--skip-preview");
      rows.push({ name, seconds, ...written.end() });
    } finally {
      await service.stop();
    }
  }
  return { steps: count + 1, rows };
}

/** Counts how often the state file is replaced, and its bytes. */
function watchWrites(folder) {
  let [writes, bytes] = [0, 0];
  const watcher = watch(folder, (event, file) => {
    if (event !== "rename" || !/^bench\.json(\.gz|\.zst)?$/.test(file ?? "")) return;
    try {
      bytes += statSync(join(folder, file)).size;
      writes += 1;
    } catch {
      // the old file, which a new one is about to replace
    }
  });
  return {
    end() {
      watcher.close();
      return { writes, bytes };
    },
  };
}
