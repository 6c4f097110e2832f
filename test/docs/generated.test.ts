import { spawnSync } from "node:child_process";
import { root } from "./blocks";

it("has every field described, and the generated pages and tables as they would be generated now", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/docs.mjs", "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(`${stdout}${stderr}`).toBe("");
  expect(status).toBe(0);
});
