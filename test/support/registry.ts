/** An npm registry on this machine, so that a test may run npm itself without the network. */
import { spawn } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { engineSetup } from "./engine-setup";

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
  /** The environment in which npm and pnpm install from the registry, whatever registry and proxy the machine has. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/** Starts a registry that serves what this repository's lock files installed, and the packed package. */
export async function startRegistry(): Promise<Registry> {
  const releases = new Map<string, Release[]>();
  for (const release of [...folders.flatMap(installed), packed()]) {
    const { name } = release.manifest;
    releases.set(name, [...(releases.get(name) ?? []), release]);
  }
  const server = createServer((request, response) => answer(releases, request, response));
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

function environment(url: string): Record<string, string> {
  const settings = { registry: url, audit: "false", fund: "false", update_notifier: "false" };
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, "127.0.0.1"].filter(Boolean).join(",");
  const env: Record<string, string> = { NO_PROXY: noProxy, no_proxy: noProxy };
  for (const [name, value] of Object.entries(settings))
    for (const tool of ["npm", "pnpm"]) env[`${tool}_config_${name}`] = value;
  return env;
}

/** The packages in a folder's node_modules; of several versions the one on the top level is first. */
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

function answer(
  releases: ReadonlyMap<string, readonly Release[]>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, name = "", version] =
    /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
  const all = releases.get(name) ?? [];
  const release = all.find(({ manifest }) => manifest.version === version);
  if (release !== undefined) return sendTarball(release, response);
  if (all.length === 0 || version !== undefined) {
    response.writeHead(404, { "Content-Type": "application/json" });
    return void response.end(JSON.stringify({ error: "not found" }));
  }
  const host = `http://${request.headers.host ?? ""}`;
  const versions = all.map(({ manifest }) => {
    const dist = { tarball: `${host}/${name}/-/${manifest.version}.tgz` };
    return [manifest.version, { ...manifest, dist }] as const;
  });
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(
    JSON.stringify({
      name,
      "dist-tags": { latest: versions[0]![0] },
      versions: Object.fromEntries(versions),
    }),
  );
}

function sendTarball({ from }: Release, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/octet-stream" });
  if ("tarball" in from) return void createReadStream(from.tarball).pipe(response);
  // Package managers leave the first folder of each path out.
  const [parent, name] = [dirname(from.folder), basename(from.folder)];
  const tar = spawn("tar", ["-cz", "-C", parent, `--exclude=${name}/node_modules`, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  tar.stdout.pipe(response);
}
