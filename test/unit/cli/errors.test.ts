/** What the command line prints of an error may come from a file, a preview or a service. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";

const hostile = "\u001b]0;title\u0007\u009b2J\u202e";

it("prints no control character of a file that it refuses", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-errors-"));
  const [config, preview] = [join(folder, "review.json"), join(folder, "preview.json")];
  writeFileSync(config, JSON.stringify({ [hostile]: 1 }));
  writeFileSync(preview, hostile);
  const byConfig = await runCommandLine(["review", preview, "--config", config], {});
  const byPreview = await runCommandLine(["review", preview], {});
  expect(byConfig.stderr).toContain("unknown setting \\u001b]0;title\\u0007\\u009b2J\\u202e");
  expect(byPreview.stderr).toContain("the input is not the output of `pulumi preview --json`");
  expect([byConfig, byPreview].map(({ stderr }) => /[^\P{Cc}\n]|\p{Cf}/u.test(stderr))).toEqual([
    false,
    false,
  ]);
});
