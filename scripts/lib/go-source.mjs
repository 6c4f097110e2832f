import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import * as leftOut from "../../tools/pulumi-cli/left-out.mjs";
import { applyChanges, copyModule } from "./go-module.mjs";
import { root } from "./paths.mjs";
import { cliVersion } from "./versions.mjs";

const module = "github.com/pulumi/pulumi/pkg/v3";

/**
 * Prepares the source of the CLI without the parts of tools/pulumi-cli/left-out.mjs in the folder `work`: Go builds no
 * changed file of its module cache, so this is a copy of the module, named in a go.mod beside it.
 *
 * `go` runs go with arguments and { cwd } and returns its output. Returns the folder to build in, and where the changes
 * do not fit this version, the reason `misfit` and the folder of the whole CLI.
 */
export async function pulumiSource(work, version, go) {
  const whole = join(root, "tools", version === cliVersion() ? "pulumi-cli" : "pulumi-cli-newest");
  if (leftOut.version !== version) {
    return { folder: whole, misfit: `it fits Pulumi ${leftOut.version}, not ${version}` };
  }
  const { Dir } = JSON.parse(await go(["mod", "download", "-json", module], { cwd: whole }));
  copyModule(Dir, join(work, "pkg"));
  const misfit = applyChanges(join(work, "pkg"), leftOut.changes);
  if (misfit) return { folder: whole, misfit };
  for (const name of ["go.mod", "go.sum", "tools.go"]) copyFileSync(join(whole, name), join(work, name));
  appendFileSync(join(work, "go.mod"), `\nreplace ${module} => ./pkg\n`);
  return { folder: work };
}
