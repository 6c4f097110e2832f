import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const own = "pulumi-tunnel-gateway";

/** The packages of a user's program beside this one. */
const peers = ["@pulumi/pulumi", "typescript"];

/** Other releases of them, by the names that they have in tools/checks: `npm run test:full` tries several. */
const others = JSON.parse(process.env.TUNNEL_GATEWAY_TEST_PEERS ?? "{}") as Record<string, string>;

/** The part of a package's manifest that package-lock.json repeats. */
interface Entry {
  name?: string;
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

/** Packages by their place in the template: the folder of each and what a lock file says about it. */
type Places = Map<string, { readonly from: string; readonly entry: Entry }>;

/**
 * Makes a folder in which the tarball and its peers are installed as `npm ci` would, with package.json and
 * package-lock.json. The dependencies are copies of this repository's own, so no network is needed.
 */
export function makeTemplate(folder: string, tarball: string): string {
  const template = join(folder, "template");
  const modules = join(template, "node_modules");
  const places = placesOf(Object.keys(readJson<Entry>(join(root, "package.json")).dependencies ?? {}));
  mkdirSync(join(modules, own), { recursive: true });
  for (const [place, { from }] of places) {
    const nested = join(from, "node_modules");
    cpSync(from, join(template, place), { recursive: true, filter: (source) => source !== nested });
  }
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, own), "--strip-components=1"]);

  const { version, dependencies, peerDependencies, bin, engines } = readJson<Entry>(
    join(modules, own, "package.json"),
  );
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const resolved = `file:../${basename(tarball)}`;
  const entries: Packages = Object.fromEntries(
    [...places].map(([place, { entry }]) => [place, released(entry)]),
  );
  const ownEntry = { version, resolved, integrity, dependencies, peerDependencies, bin, engines };
  entries[`node_modules/${own}`] = ownEntry;
  linkCommands(template, entries);

  const manifest = {
    name: "template",
    private: true,
    dependencies: {
      [own]: `file:${tarball}`,
      ...Object.fromEntries(peers.map((name) => [name, entries[`node_modules/${name}`]!.version])),
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

/** The peers and the package's own dependencies: one of another version than a peer needs is below the package. */
function placesOf(dependencies: readonly string[]): Places {
  const places = reached(
    "",
    peers.filter((name) => !(name in others)),
  );
  for (const [name, other] of Object.entries(others))
    for (const [place, found] of reached("tools/checks", [other]))
      places.set(place.replace(`node_modules/${other}`, `node_modules/${name}`), found);
  for (const [place, found] of reached("", dependencies)) {
    const { version = found.entry.version } = places.get(place)?.entry ?? {};
    places.set(version === found.entry.version ? place : `node_modules/${own}/${place}`, found);
  }
  return places;
}

/** Packages of a folder and all that they depend on. */
function reached(folder: string, names: readonly string[]): Places {
  const { packages } = readJson<{ packages: Packages }>(join(root, folder, "package-lock.json"));
  const places: Places = new Map();
  const visit = (from: string, name: string): void => {
    const place = placeOf(packages, from, name);
    if (place === undefined || places.has(place)) return;
    const entry = packages[place]!;
    const { optional, dependencies, optionalDependencies } = entry;
    if (optional && !existsSync(join(root, folder, place))) return; // it is for another platform
    places.set(place, { from: join(root, folder, place), entry });
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(place, each);
  };
  for (const name of names) visit("", name);
  return places;
}

/** Where Node finds a package from another one: beside it or further up. */
function placeOf(packages: Packages, from: string, name: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  return from === ""
    ? undefined
    : placeOf(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/** A devDependency here is a dependency there, under its own name. */
function released({
  name: _name,
  dev: _dev,
  devOptional: _devOptional,
  peer: _peer,
  ...entry
}: Entry): Entry {
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
