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
  close(): void;
}

/** Starts a registry that serves what this repository's lock file installed, and the packed package. */
export async function startRegistry(): Promise<Registry> {
  const releases = new Map<string, Release[]>();
  for (const release of [...installed(), packed()]) {
    const { name } = release.manifest;
    releases.set(name, [...(releases.get(name) ?? []), release]);
  }
  const server = createServer((request, response) => answer(releases, request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The packages in node_modules; of several versions the one on the top level is first. */
function installed(): Release[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  const depth = (place: string): number => place.split("node_modules/").length;
  return Object.keys(lock.packages)
    .filter((place) => place !== "" && existsSync(join(root, place, "package.json")))
    .sort((a, b) => depth(a) - depth(b))
    .map((place) => ({ manifest: manifestIn(join(root, place)), from: { folder: join(root, place) } }));
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
  // npm leaves the first folder of each path out, and reads archives that are not compressed.
  const [parent, name] = [dirname(from.folder), basename(from.folder)];
  const tar = spawn("tar", ["-cf", "-", "-C", parent, `--exclude=${name}/node_modules`, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  tar.stdout.pipe(response);
}
