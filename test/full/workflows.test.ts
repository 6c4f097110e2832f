/** Every GitHub workflow of this repository, its examples and its templates, checked by actionlint. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./package/support";

let actionlint: string;

beforeAll(() => {
  const script = join(root, "scripts/actionlint.mjs");
  actionlint = execFileSync(process.execPath, [script], { encoding: "utf8" }).trim();
});

/** What is wrong with a workflow. The checks of other tools, which a machine may have or not, are left out. */
function problemsOf(text: string): string[] {
  const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", "-"];
  const { status, stdout, stderr } = spawnSync(actionlint, args, {
    input: text,
    encoding: "utf8",
    cwd: root,
  });
  // 1 says that there are problems.
  if (status !== 0 && status !== 1) throw new Error(`actionlint ended with ${String(status)}: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const workflows = files.split("\n").filter((file) => /(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(file));

it("finds the workflows of the repository, the examples and the templates", () => {
  const places = new Set(workflows.map((file) => file.split("/")[0]));
  expect([...places].sort()).toEqual([".github", "examples", "templates"]);
});

it.each(workflows)("%s has no problem", (file) => {
  expect(problemsOf(readFileSync(join(root, file), "utf8"))).toEqual([]);
});

it.each<[string, string, string, RegExp]>([
  ["a key that does not exist", "timeout-minutes: 15", "timeout: 15", /unexpected key "timeout"/],
  [
    "an output that no step sets",
    "steps.approval.outputs.run",
    "steps.aproval.outputs.run",
    /property "aproval"/,
  ],
  [
    "a permission that does not exist",
    "actions: read",
    "artifacts: read",
    /unknown permission scope "artifacts"/,
  ],
  [
    "text of a pull request in a command",
    "run: npm ci",
    "run: echo ${{ github.event.pull_request.title }}",
    /potentially untrusted/,
  ],
])("finds %s", (_, from, to, problem) => {
  const text = readFileSync(join(root, "examples/github-actions/.github/workflows/deploy.yml"), "utf8");
  const broken = text.replace("timeout-minutes: 30", "timeout-minutes: 15").replace(from, to);
  expect(broken).not.toBe(text);
  expect(problemsOf(broken).join("\n")).toMatch(problem);
});
