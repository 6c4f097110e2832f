import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** What one jest run shares: the packed package, an installed node_modules and the Pulumi CLI. */
export interface EngineSetup {
  /** The temporary folder that holds all of it, and every program and backend of the run. */
  folder: string;
  tarball: string;
  /** A folder with package.json and node_modules, where the tarball and its peers are installed. */
  template: string;
  pulumi: string;
  /** PATH for the engine: the CLI's folder and the Node that language host and plugins shall run on. */
  path: string;
}

const root = resolve(__dirname, "../..");
const variable = "TUNNEL_GATEWAY_TEST_ENGINE";

/** The run's setup, as any test file's worker sees it. */
export function engineSetup(): EngineSetup {
  const file = process.env[variable];
  if (!file) throw new Error("Engine tests need jest's globalSetup: run `npm run engine`.");
  return JSON.parse(readFileSync(file, "utf8")) as EngineSetup;
}

/** jest's globalSetup of the engine project; the teardown is engine-teardown.ts. */
export default function setUp(): void {
  if (!existsSync(join(root, "dist/index.js")))
    throw new Error("dist/ is missing: run `npm run build` first.");
  // a real path, since programs and engine report real ones
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tunnel-gateway-engine-")));
  try {
    mkdirSync(join(folder, "home"));
    const cli = JSON.parse(
      command(process.execPath, ["scripts/pulumi-cli.mjs", "--json"], root),
    ) as CliAnswer;
    const tarball = packOnce(folder);
    const setup: EngineSetup = {
      folder,
      tarball,
      template: installTemplate(folder, tarball),
      pulumi: cli.bin,
      path: [dirname(process.execPath), cli.path].join(":"),
    };
    const file = join(folder, "setup.json");
    writeFileSync(file, JSON.stringify(setup));
    process.env[variable] = file; // the workers inherit it
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export function tearDown(): void {
  if (!process.env.TUNNEL_GATEWAY_TEST_KEEP) rmSync(engineSetup().folder, { recursive: true, force: true });
}

interface CliAnswer {
  bin: string;
  path: string;
}

/** What `npm publish` would publish. */
function packOnce(folder: string): string {
  const answer = command("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root);
  const [packed] = JSON.parse(answer) as { filename: string }[];
  if (!packed) throw new Error("npm pack made nothing.");
  return join(folder, packed.filename);
}

/** Installs the tarball as a user would, at the versions of this repository's lock file. */
function installTemplate(folder: string, tarball: string): string {
  const template = join(folder, "template");
  const peers = ["@pulumi/pulumi", "typescript"];
  const versions = lockedVersions(peers);
  const manifest = {
    name: "template",
    private: true,
    dependencies: {
      "pulumi-tunnel-gateway": `file:${tarball}`,
      ...Object.fromEntries(peers.map((name) => [name, versions.get(name)])),
    },
    overrides: Object.fromEntries(versions),
  };
  mkdirSync(template);
  writeFileSync(join(template, "package.json"), JSON.stringify(manifest));
  command("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], template);
  return template;
}

/**
 * What the tarball and its peers need, at the lock file's versions, so that tests do not change when a dependency is
 * released. What is needed in several versions cannot be pinned.
 */
function lockedVersions(peers: readonly string[]): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const places = new Set<string>();
  const visit = (from: string, name: string) => {
    const place = placeOf(packages, from, name);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies } = packages[place]!;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(place, each);
  };
  for (const name of [...Object.keys(packages[""]!.dependencies ?? {}), ...peers]) visit("", name);

  const all = new Map<string, Set<string>>();
  for (const place of places) {
    const name = place.split("node_modules/").at(-1)!;
    all.set(name, (all.get(name) ?? new Set()).add(packages[place]!.version));
  }
  return new Map(
    [...all].flatMap(([name, versions]) => (versions.size === 1 ? [[name, [...versions].join()]] : [])),
  );
}

interface Lock {
  packages: Record<
    string,
    {
      version: string;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

/** Where Node finds a package from another one's place: beside it or further up. */
function placeOf(packages: Lock["packages"], from: string, name: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  return from === ""
    ? undefined
    : placeOf(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

function command(file: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (status !== 0)
    throw new Error(`${file} ${args.join(" ")} failed: ${error?.message ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}
