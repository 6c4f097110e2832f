import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const own = "pulumi-tunnel-gateway";

/** The packages of a user's program beside this one. */
const peers = ["@pulumi/pulumi", "typescript"];

/** The part of a package's manifest that package-lock.json repeats. */
interface Entry {
  version: string;
  resolved?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  bin?: Record<string, string>;
  engines?: Record<string, string>;
  optional?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
}

type Packages = Record<string, Entry>;

/**
 * Makes a folder in which the tarball and its peers are installed as `npm ci` would, with package.json and
 * package-lock.json. The dependencies are copies of this repository's own, so no network is needed.
 */
export function makeTemplate(folder: string, tarball: string): string {
  const template = join(folder, "template");
  const modules = join(template, "node_modules");
  const { packages } = readJson<{ packages: Packages }>(join(root, "package-lock.json"));
  const places = reached(packages, [...Object.keys(packages[""]!.dependencies ?? {}), ...peers]);
  mkdirSync(join(modules, own), { recursive: true });
  for (const place of places) {
    const from = join(root, place);
    const nested = join(from, "node_modules");
    cpSync(from, join(template, place), { recursive: true, filter: (source) => source !== nested });
  }
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, own), "--strip-components=1"]);

  const { version, dependencies, peerDependencies, bin, engines } = readJson<Entry>(
    join(modules, own, "package.json"),
  );
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const resolved = `file:../${basename(tarball)}`;
  const entries: Packages = Object.fromEntries(places.map((place) => [place, released(packages[place]!)]));
  const ownEntry = { version, resolved, integrity, dependencies, peerDependencies, bin, engines };
  entries[`node_modules/${own}`] = ownEntry;
  linkCommands(template, entries);

  const manifest = {
    name: "template",
    private: true,
    dependencies: {
      [own]: `file:${tarball}`,
      ...Object.fromEntries(peers.map((name) => [name, packages[`node_modules/${name}`]!.version])),
    },
  };
  const sorted = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
  const lock = {
    name: "template",
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, ...sorted },
  };
  writeFileSync(join(template, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(template, "package-lock.json"), JSON.stringify(lock));
  return template;
}

/** The places in node_modules of packages and of all that they depend on. */
function reached(packages: Packages, names: readonly string[]): string[] {
  const places = new Set<string>();
  const visit = (from: string, name: string): void => {
    const place = placeOf(packages, from, name);
    if (place === undefined || places.has(place)) return;
    const { optional, dependencies, optionalDependencies } = packages[place]!;
    if (optional && !existsSync(join(root, place))) return; // it is for another platform
    places.add(place);
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(place, each);
  };
  for (const name of names) visit("", name);
  return [...places].sort();
}

/** Where Node finds a package from another one: beside it or further up. */
function placeOf(packages: Packages, from: string, name: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  return from === ""
    ? undefined
    : placeOf(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/** A devDependency here is a dependency there. */
function released({ dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }: Entry): Entry {
  return entry;
}

/** Links the commands of all packages on the top level into node_modules/.bin. */
function linkCommands(template: string, packages: Packages): void {
  const folder = join(template, "node_modules/.bin");
  mkdirSync(folder);
  for (const [place, { bin }] of Object.entries(packages)) {
    if (place.lastIndexOf("node_modules/") > 0) continue;
    for (const [command, file] of Object.entries(bin ?? {})) {
      chmodSync(join(template, place, file), 0o755);
      symlinkSync(join("..", place.slice("node_modules/".length), file), join(folder, command));
    }
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
