// Downloads the official release of the Pulumi CLI and checks its SHA-256 sum. The sums come from another host than the
// archive. As a command, it does the part that needs the network, in a process whose environment has no secret.
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { installerEnv } from "./installer-env.mjs";
import { exe } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";

const limitMs = 5 * 60_000;
const wrongSum = 3;
const platforms = { linux: "linux", darwin: "darwin", win32: "windows" };

/**
 * The addresses of a release: of its archive for this machine and of the sums of all its archives.
 * @public A test evaluates it in a process of its own.
 */
export function releaseOf(version, { platform, arch } = process) {
  const ending = platform === "win32" ? "zip" : "tar.gz";
  return {
    archive: `https://get.pulumi.com/releases/sdk/pulumi-v${version}-${platforms[platform]}-${arch}.${ending}`,
    sums: `https://github.com/pulumi/pulumi/releases/download/v${version}/pulumi-${version}-checksums.txt`,
  };
}

/**
 * Puts a release into the folder `work`. Returns the folder that holds it as bin/, or undefined where it cannot be
 * downloaded. Throws if the archive is not the published one: then nothing of it has run.
 */
export async function downloadRelease(work, version, { archive, sums } = releaseOf(version)) {
  const line = progress(`Downloading the Pulumi CLI ${version}`);
  const file = join(work, basename(archive));
  const self = fileURLToPath(import.meta.url);
  const { code, stderr } = await capture(process.execPath, [self, archive, sums, file], {
    env: { ...installerEnv(), NODE_USE_ENV_PROXY: "1" }, // Node ignores HTTPS_PROXY otherwise
    timeoutMs: limitMs,
  });
  const made = code === 0 ? await unpack(file, work) : undefined;
  line.end(made ? "done, and its SHA-256 sum is the published one" : "not possible here");
  if (code === wrongSum) throw new Error(stderr.trim());
  return made;
}

async function unpack(file, work) {
  const [folder, made] = [join(work, "archive"), join(work, "made")];
  for (const each of [folder, made]) mkdirSync(each);
  const { code } = await capture("tar", ["-xf", file, "-C", folder], {
    env: installerEnv(),
    timeoutMs: limitMs,
  });
  const bin = ["pulumi/bin", "pulumi"].map((each) => join(folder, each));
  const found = bin.find((each) => existsSync(join(each, `pulumi${exe}`)));
  if (code !== 0 || found === undefined) return undefined;
  renameSync(found, join(made, "bin"));
  return made;
}

async function downloadVerified(archive, sums, file) {
  const wanted = sumIn(await (await answer(sums)).text(), basename(archive));
  const hash = createHash("sha256");
  const body = Readable.fromWeb((await answer(archive)).body);
  body.on("data", (part) => hash.update(part));
  await pipeline(body, createWriteStream(file, { flags: "wx" }));
  const sum = hash.digest("hex");
  if (sum === wanted) return;
  rmSync(file);
  console.error(
    `${archive} has the SHA-256 sum ${sum}, and its release has published ${wanted ?? "none for this file"}. ` +
      "It was removed. Do not use it; try again later, or install the Pulumi CLI yourself.",
  );
  process.exitCode = wrongSum;
}

async function answer(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  if (url.startsWith("https:") && !response.url.startsWith("https:"))
    throw new Error(`${url}: not over https`);
  return response;
}

/** The sum of a file in lines such as `<sum>  <file>`. */
function sumIn(text, name) {
  return text
    .split("\n")
    .map((line) => /^([0-9a-f]{64}) [ *](\S+)$/.exec(line.trim()))
    .find((found) => found?.[2] === name)?.[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await downloadVerified(...process.argv.slice(2));
}
