/** `rehearse`: the writes, and their number in one line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { temporaryFolder } from "../../support/folders";
import { keptPolicy, writtenPreview } from "../review/support";
import type { Written } from "../review/support";

it.each<[string, Written, string]>([
  ["no write", keptPolicy("office"), "0 writes, 0 requests\n"],
  [
    "the writes by method",
    { ...keptPolicy("office"), after: { description: "changed" } },
    "PATCH /ip_policies/ipp_office: 200\n1 write (1 PATCH), 1 request\n",
  ],
])("shows %s", async (_, resource, expected) => {
  const file = join(temporaryFolder("rehearse"), "preview.json");
  writeFileSync(file, writtenPreview([resource]));
  const { code, stdout } = await runCommandLine(["rehearse", file], {});
  expect(stdout.replace(/^Incomplete: .*\n/m, "")).toBe(expected);
  expect(code).toBe(0);
});
