import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

/** The platforms as Pulumi names them. */
const platforms = ["linux", "darwin", "windows"].flatMap((os) =>
  ["amd64", "arm64"].map((cpu) => `${os}-${cpu}`),
);

/**
 * Writes the archives that `pulumi plugin install resource tunnel-gateway` takes, into a folder. They are the same for all
 * platforms, because the provider is code for Node.js: Pulumi asks a server for the one of its platform.
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
  const same = [
    "--sort=name",
    "--mtime=@0",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
  ];
  const code = await run("tar", [...same, "-czf", first, "-C", native, ...contents, "-C", root, "LICENSE"]);
  if (code !== 0) return code;
  for (const file of others) copyFileSync(first, file);
  console.log(files.join("\n"));
  return 0;
}
