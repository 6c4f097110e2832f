/** What the examples say of themselves; test/full runs them, and test/engine one of their workflows. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../support/examples/example";
import { paths, stepsOf, workflow } from "../support/examples/workflow";
import { root } from "./blocks";

describe("the table of the examples", () => {
  it("names every example, and only those that there are", () => {
    const folders = readdirSync(join(root, "examples"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const named = [...textOf("README.md").matchAll(/^\| \[([\w-]+)\]\(\1\)/gm)].map(([, name]) => name!);
    expect(named.sort()).toEqual(names.sort());
  });
});

describe("the workflows", () => {
  const all = Object.entries(paths).map(([name, path]) => [name, workflow(path), textOf(path)] as const);

  it.each(all)("of %s use actions of one major version and put nothing foreign into commands", (_, flow) => {
    for (const { uses, run } of stepsOf(flow)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      // What GitHub fills into a command could be a command itself.
      else expect(run).not.toContain("${{");
    }
  });

  it("may do no more than they need", () => {
    const permissions = Object.fromEntries(all.map(([name, flow]) => [name, flow.permissions]));
    expect(permissions).toEqual({
      review: { contents: "read", "pull-requests": "write" },
      deploy: { contents: "read" },
      drift: { contents: "read" },
    });
    const text = all.map(([, , each]) => each).join("\n");
    expect(text).not.toMatch(/pull_request_target|write-all/);
  });

  it("never let two deployments run at once, and cancel none", () => {
    const { deploy, review, drift } = Object.fromEntries(all.map(([name, flow]) => [name, flow.concurrency]));
    expect(deploy).toEqual({ group: "production", "cancel-in-progress": false });
    // What waits in a group gives way to what comes later, so nothing else may be in the one of deployments.
    expect([review!.group, drift!.group]).not.toContain("production");
    expect(Object.keys(workflow(paths.deploy).jobs)).toHaveLength(1);
  });

  it("start when they should", () => {
    expect(workflow(paths.review).on).toBe("pull_request");
    expect(workflow(paths.deploy).on).toEqual({ push: { branches: ["main"] } });
    expect(workflow(paths.drift).on).toMatchObject({ schedule: [{ cron: "17 5 * * *" }] });
  });
});
