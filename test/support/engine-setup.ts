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
import { makeCliFolder } from "./cli-folder";
import { makeTemplate } from "./template";

/** What one jest run shares: the packed package, an installed node_modules and the Pulumi CLI. */
export interface EngineSetup {
  /** The temporary folder that holds all of it, and every program and backend of the run. */
  folder: string;
  tarball: string;
  /** A folder with package.json and node_modules, where the tarball and its peers are installed. */
  template: string;
  pulumi: string;
  /** PATH for the engine: the CLI's folder and the Node that the language host and plugins run on. */
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
    const pulumi = makeCliFolder(folder, cli.bin);
    const setup: EngineSetup = {
      folder,
      tarball,
      template: makeTemplate(folder, tarball),
      pulumi,
      path: [dirname(process.execPath), dirname(pulumi), cli.path].join(":"),
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
  if (!packed) throw new Error("npm pack created no tarball.");
  return join(folder, packed.filename);
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
