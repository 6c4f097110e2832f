import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

/** The platforms as Pulumi names them. */
const platforms = ["linux", "darwin", "windows"].flatMap((os) =>
  ["amd64", "arm64"].map((cpu) => `${os}-${cpu}`),
);

/**
 * Writes the archives that `pulumi plugin install resource tunnel-gateway` takes, into a folder. They are the same for all
 * platforms, because the provider is code for Node.js: Pulumi asks a server for the one of its platform. Beside them it writes
 * what a user verifies them with: the list of the packages of the lock file, and the SHA-256 sums of all files.
 */
export async function archive(folder = "archives") {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  const files = platforms.map((each) =>
    resolve(folder, `pulumi-resource-tunnel-gateway-v${version}-${each}.tar.gz`),
  );
  const [first, ...others] = files;
  const native = join(root, "dist/native");
  const contents = readdirSync(native).filter((name) => name !== "cache");
  const same = "--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX".split(" ");
  const code = await run("tar", [...same, "-czf", first, "-C", native, ...contents, "-C", root, "LICENSE"]);
  if (code !== 0) return code;
  for (const file of others) copyFileSync(first, file);
  const packages = resolve(folder, `pulumi-tunnel-gateway-v${version}.cdx.json`);
  writeFileSync(packages, packageList());
  const sums = resolve(folder, "SHA256SUMS");
  writeFileSync(sums, [...files, packages].map(sumLine).join(""));
  console.log([...files, packages, sums].join("\n"));
  return 0;
}

/** The packages of the lock file, in CycloneDX's form. */
function packageList() {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  return execFileSync("npm", args, { cwd: root, maxBuffer: 64 << 20, shell: process.platform === "win32" });
}

/** A file's line as `sha256sum --check` reads it. */
function sumLine(file) {
  return `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`;
}
