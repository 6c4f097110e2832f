/** Folders of tests among the temporary files of this machine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder, which is removed after the last test of the file. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tunnel-gateway-${name}-`));
  made.push(folder);
  return folder;
}

/** Writes files into a folder, and returns their paths. */
export function filesIn(folder: string): (name: string, text: string) => string {
  return (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
}
