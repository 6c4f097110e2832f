/** An npm registry on this machine, so that a test can run npm itself without the network. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { duringTests } from "./during-tests";
import { engineSetup } from "./engine-setup";
import { networkSettings } from "./network-settings";

const root = resolve(__dirname, "../..");
const own = "pulumi-tunnel-gateway";

/** Their packages are served; those of the second one are installed for `npm run test:full` alone. */
const folders = [root, join(root, "tools/checks")];

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A version of a package, and where its files are: a folder, or a tarball of npm's. */
interface Release {
  readonly manifest: Manifest;
  readonly from: { readonly folder: string } | { readonly tarball: string };
}

export interface Registry {
  readonly url: string;
  /** The environment in which package managers install from the registry, regardless of the machine's registry. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/** All releases by their names: the registries of one test file read a thousand manifests once. */
let known: ReadonlyMap<string, readonly Release[]> | undefined;

function allReleases(): ReadonlyMap<string, readonly Release[]> {
  const releases = new Map<string, Release[]>();
  for (const release of [...folders.flatMap(installed), packed()]) {
    const { name } = release.manifest;
    releases.set(name, [...(releases.get(name) ?? []), release]);
  }
  return releases;
}

/** Starts a registry that serves what this repository's lock files installed, and the packed package. */
export async function startRegistry(): Promise<Registry> {
  const releases = (known ??= allReleases());
  const server = createServer((request, response) => {
    answer(releases, request, response).catch((error: unknown) => {
      // A package manager that gives up in the middle of a file leaves nothing to answer.
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    env: environment(url),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A registry for the tests of a file or block. */
export function registryForTests(): Registry {
  return duringTests(startRegistry, (registry) => Promise.resolve(registry.close()));
}

function environment(url: string): Record<string, string> {
  // The caches of the machine contain answers of other registries.
  const caches = mkdtempSync(join(engineSetup().folder, "caches-"));
  return {
    ...networkSettings(),
    npm_config_registry: url,
    npm_config_cache: join(caches, "npm"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    pnpm_config_registry: url,
    pnpm_config_cache_dir: join(caches, "pnpm"),
    pnpm_config_store_dir: join(caches, "pnpm-store"),
    yarn_registry: url,
    yarn_cache_folder: join(caches, "yarn"),
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_GLOBAL_FOLDER: join(caches, "berry"),
    YARN_ENABLE_TELEMETRY: "false",
  };
}

/** The packages in a folder's node_modules; of several versions, that on the top level comes first. */
function installed(folder: string): Release[] {
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  const depth = (place: string): number => place.split("node_modules/").length;
  return Object.keys(lock.packages)
    .filter((place) => place !== "" && existsSync(join(folder, place, "package.json")))
    .sort((a, b) => depth(a) - depth(b))
    .map((place) => ({ manifest: manifestIn(join(folder, place)), from: { folder: join(folder, place) } }));
}

function packed(): Release {
  const { template, tarball } = engineSetup();
  return { manifest: manifestIn(join(template, "node_modules", own)), from: { tarball } };
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

async function answer(
  releases: ReadonlyMap<string, readonly Release[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, name = "", version] =
    /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
  const all = releases.get(name) ?? [];
  const release = all.find(({ manifest }) => manifest.version === version);
  if (release !== undefined) {
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    return void response.end(await tarballOf(release));
  }
  const found = all.length > 0 && version === undefined;
  response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
  const host = `http://${request.headers.host ?? ""}`;
  response.end(JSON.stringify(found ? await describe(name, all, host) : { error: "not found" }));
}

/** A registry's description of a package. */
async function describe(name: string, all: readonly Release[], host: string): Promise<object> {
  const versions = await Promise.all(
    all.map(async (release) => {
      const { version } = release.manifest;
      const bytes = await tarballOf(release);
      const dist = {
        tarball: `${host}/${name}/-/${version}.tgz`,
        integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
        shasum: createHash("sha1").update(bytes).digest("hex"), // Yarn 1 requires it
      };
      return [version, { ...release.manifest, dist }] as const;
    }),
  );
  return {
    name,
    "dist-tags": { latest: versions[0]![0] },
    versions: Object.fromEntries(versions),
    // Yarn and pnpm refuse versions that are hours old.
    time: Object.fromEntries(versions.map(([version]) => [version, "2020-01-01T00:00:00.000Z"])),
  };
}

const tarballs = new Map<string, Promise<Buffer>>();

function tarballOf({ manifest: { name, version }, from }: Release): Promise<Buffer> {
  const key = `${name}@${version}`;
  const made =
    tarballs.get(key) ?? ("tarball" in from ? readFile(from.tarball) : packedOnce(key, from.folder));
  tarballs.set(key, made);
  return made;
}

/** Packs a folder for all test files of a run: packing what a program needs takes seconds. */
async function packedOnce(key: string, folder: string): Promise<Buffer> {
  const all = join(engineSetup().folder, "tarballs");
  const file = join(all, `${encodeURIComponent(key)}.tgz`);
  if (existsSync(file)) return readFile(file);
  const bytes = await pack(folder);
  await mkdir(all, { recursive: true });
  const own = `${file}.${process.pid}`;
  await writeFile(own, bytes);
  await rename(own, file); // another worker sees the whole file or none
  return bytes;
}

/** Package managers drop the first folder of each path. */
async function pack(folder: string): Promise<Buffer> {
  const [parent, name] = [dirname(folder), basename(folder)];
  const fast = "--use-compress-program=gzip -1"; // a third of the time for a quarter more bytes
  const args = ["-c", fast, "-C", parent, `--exclude=${name}/node_modules`, name];
  const { stdout } = await promisify(execFile)("tar", args, { encoding: "buffer", maxBuffer: 256 << 20 });
  return stdout;
}
