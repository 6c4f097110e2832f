import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/** Checks whether a tag may be published and prints all problems. Resolves with an exit code. */
export function checkRelease(tag) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const problems = releaseProblems(tag, manifest, changelog);
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`${tag} may be published.`);
  return problems.length === 0 ? 0 : 1;
}

/** The problems that prevent publishing a tag, given package.json and the text of CHANGELOG.md. */
export function releaseProblems(tag, { version, repository, bugs }, changelog) {
  const isSection = (line) => line === `## ${version}` || line.startsWith(`## ${version} `);
  return [
    tag !== `v${version}` &&
      `The tag is ${JSON.stringify(tag ?? "")} and package.json says ${version}: tag it v${version}.`,
    !changelog.split("\n").some(isSection) && `CHANGELOG.md has no section "## ${version}".`,
    !repository &&
      "package.json has no repository, which npm compares with the workflow's own for provenance: set it with " +
        "npm pkg set repository.type=git repository.url=git+https://<host>/<owner>/<name>.git",
    !bugs &&
      "package.json has no bugs, the address where users report them: set it with " +
        "npm pkg set bugs.url=https://<host>/<owner>/<name>/issues",
  ].filter(Boolean);
}
