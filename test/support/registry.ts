<<<<<<< HEAD
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
=======
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { engineSetup } from "./engine-setup";

const root = resolve(__dirname, "../..");

/** Folders whose installed packages the registry serves; the second one exists in `npm run test:full` alone. */
const folders = [root, join(root, "tools/checks")];

interface Manifest {
  name: string;
  version: string;
  bundleDependencies?: unknown;
}

interface Version {
  manifest: Manifest;
  tarball: () => Promise<Buffer>;
}

/**
 * A package registry on loopback for installs in tests, which so need no network and get what the lock files name. It
 * serves the packed package and every package that is installed in this repository.
 */
export class Registry {
  private readonly tarballs = new Map<string, Promise<Buffer>>();

  private constructor(
    private readonly server: Server,
    private readonly packages: Map<string, Map<string, Version>>,
  ) {}

  static async start(): Promise<Registry> {
    const server = createServer();
    const registry = new Registry(server, installed());
    server.on("request", ({ url }, response) => {
      registry.answer(decodeURIComponent(url ?? ""), response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The environment in which npm and pnpm install from this registry, whatever proxy the machine has. */
  get env(): Record<string, string> {
    const settings = { registry: this.url, audit: "false", fund: "false", update_notifier: "false" };
    const named = ["npm", "pnpm"].flatMap((tool) =>
      Object.entries(settings).map(([name, value]) => [`${tool}_config_${name}`, value]),
    );
    return { ...(Object.fromEntries(named) as Record<string, string>), ...withoutProxy() };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    const [, name = "", version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const versions = this.packages.get(name);
    if (versions === undefined) return void response.writeHead(404).end("{}");
    if (version === undefined) {
      response.writeHead(200, { "Content-Type": "application/json" });
      return void response.end(JSON.stringify(await this.document(name, versions)));
    }
    const found = versions.get(version);
    if (found === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(await this.tarball(found));
  }

  /** What a registry says about a package. */
  private async document(name: string, versions: Map<string, Version>): Promise<object> {
    const described = await Promise.all(
      [...versions].map(async ([number, version]) => {
        const bytes = await this.tarball(version);
        const dist = {
          tarball: `${this.url}${name}/-/${number}.tgz`,
          integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
          shasum: createHash("sha1").update(bytes).digest("hex"),
        };
        return [number, { ...version.manifest, dist }] as const;
      }),
    );
    const newest = [...versions.keys()]
      .filter((number) => !number.includes("-")) // no prereleases
      .sort(byVersion)
      .at(-1);
    return { name, "dist-tags": { latest: newest }, versions: Object.fromEntries(described) };
  }

  private tarball({ manifest: { name, version }, tarball }: Version): Promise<Buffer> {
    const key = `${name}@${version}`;
    const made = this.tarballs.get(key) ?? tarball();
    this.tarballs.set(key, made);
    return made;
  }
}

/** Loopback past the proxy: npm and pnpm read NO_PROXY. */
function withoutProxy(): Record<string, string> {
  const given = process.env.NO_PROXY ?? process.env.no_proxy;
  const value = [given, "127.0.0.1"].filter(Boolean).join(",");
  return { NO_PROXY: value, no_proxy: value };
}

/** All installed packages by name and version, and the packed package. */
function installed(): Map<string, Map<string, Version>> {
  const all = new Map<string, Map<string, Version>>();
  const add = (version: Version): void => {
    const { name } = version.manifest;
    all.set(name, (all.get(name) ?? new Map<string, Version>()).set(version.manifest.version, version));
  };
  for (const folder of folders) {
    const lock = join(folder, "node_modules/.package-lock.json"); // what npm has really installed
    if (!existsSync(lock)) continue;
    const { packages } = readJson<{ packages: Record<string, object> }>(lock);
    for (const place of Object.keys(packages)) {
      const from = join(folder, place);
      const manifest = readJson<Manifest>(join(from, "package.json"));
      add({ manifest, tarball: () => pack(from, manifest) });
    }
  }
  const { template, tarball } = engineSetup();
  const own = readJson<Manifest>(join(template, "node_modules/pulumi-tunnel-gateway/package.json"));
  add({ manifest: own, tarball: () => Promise.resolve(readFileSync(tarball)) });
  return all;
}

/** A package as its registry would serve it. Every client drops the first folder of the paths, whatever its name. */
async function pack(folder: string, { bundleDependencies }: Manifest): Promise<Buffer> {
  const name = basename(folder);
  const without = bundleDependencies === undefined ? [`--exclude=${name}/node_modules`] : [];
  const { stdout } = await promisify(execFile)("tar", ["-cz", "-C", dirname(folder), ...without, name], {
    encoding: "buffer",
    maxBuffer: 256 << 20,
  });
  return stdout;
}

/** Orders release versions. */
function byVersion(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
>>>>>>> 4f75a5d (Move the tools of rare checks to tools/checks; install packages in tests from a registry on loopback)
}
