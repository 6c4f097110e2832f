/** What a page's session runs in: a fresh folder, an environment, an account, and what placeholders stand for. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { EmulatorProcess } from "../emulator-process";
import { engineSetup } from "../engine-setup";
import { baseEnv } from "../pulumi-command";
import { accountFor, idFor } from "./account";
import { beginsInProject } from "./project";

export interface World {
  /** Holds everything else; `work` is where the session begins. */
  readonly folder: string;
  readonly work: string;
  readonly env: Record<string, string | undefined>;
  /** Where the account of the page is: at an emulator of the page's own, or at one that was given to it. */
  readonly address: string;
  /** The text of a block as the session gets it. */
  readonly filled: (text: string, where: string) => string;
  readonly end: () => Promise<void>;
}

/** The key of every emulator that is not told another one. */
const apiKey = "emulator-key-not-a-secret";

/** The pages that a newcomer follows: there npm installs everything itself. */
const withoutLinks = ["README.md"];

/** A page's world. What the page's own commands make or set is not given, unless it begins in a project. */
export async function worldOf(page: string, commands: string): Promise<World> {
  const folder = mkdtempSync(join(engineSetup().folder, "page-"));
  const work = join(folder, "gateway");
  mkdirSync(work);

  const port = await freePort();
  const own = commands.includes("tunnel-gateway emulator");
  const emulator = own ? undefined : await EmulatorProcess.start({ undocumentedUpdates: true });
  const account = await emulator?.seed(accountFor(page));
  const address = emulator?.baseUrl ?? `http://127.0.0.1:${port}`;
  const placeholders = { "api key": apiKey, name: "taken", id: account && idFor(page, account) };
  return {
    folder,
    work,
    address,
    env: environment({ page, commands, folder, address }),
    filled: (text, where) => withPlaceholders(withPort(text, port, address), placeholders, where),
    end: async () => emulator?.stop(),
  };
}

interface Place {
  readonly page: string;
  readonly commands: string;
  readonly folder: string;
  readonly address: string;
}

function environment({ page, commands, folder, address }: Place): Record<string, string | undefined> {
  const [home, bin] = [join(folder, "home"), join(folder, "bin")];
  for (const each of [home, bin]) mkdirSync(each);
  const npm = join(bin, "npm");
  writeFileSync(npm, `#!/bin/sh\nexec node "${join(__dirname, "npm.cjs")}" "$@"\n`);
  chmodSync(npm, 0o755);
  const setup = engineSetup();
  const given = Object.entries({
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    TUNNEL_GATEWAY_BASE_URL: address,
    TUNNEL_GATEWAY_API_KEY: apiKey,
  });
  return {
    ...baseEnv(),
    ...npmSettings(),
    ...Object.fromEntries(given.filter(([name]) => beginsInProject(page) || !sets(commands, name))),
    PATH: [bin, dirname(setup.pulumi), setup.path].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    // Who follows a page answers yes to Pulumi, and does not let npx fetch whatever has the name of a command.
    PULUMI_SKIP_CONFIRMATIONS: "true",
    npm_config_yes: "false",
    npm_config_update_notifier: "false",
    DOCUMENTATION_TARBALL: setup.tarball,
    DOCUMENTATION_TEMPLATE: setup.template,
    DOCUMENTATION_LINK: withoutLinks.includes(page) ? undefined : "1",
  };
}

/** Whether the page sets a variable itself, or in Pulumi's way. */
function sets(commands: string, variable: string): boolean {
  const ways: Record<string, RegExp> = {
    PULUMI_BACKEND_URL: /\bpulumi login\b/,
    TUNNEL_GATEWAY_BASE_URL: /\btunnel-gateway(:baseUrl| emulator)\b/,
    TUNNEL_GATEWAY_API_KEY: /\btunnel-gateway(:apiKey| emulator)\b/,
  };
  return commands.includes(`${variable}=`) || (ways[variable]?.test(commands) ?? false);
}

/** Each page's emulator has a port of its own in the place of the usual one, and stands in for the account. */
function withPort(text: string, port: number, address: string): string {
  return text
    .replaceAll("https://api.example.com", address)
    .replace(/\btunnel-gateway emulator\b(?!.*--(?:port|help)\b)/g, `$& --port ${port}`)
    .replace(/(?<=--port |127\.0\.0\.1:|localhost:)8080\b/g, String(port));
}

function withPlaceholders(text: string, known: Record<string, string | undefined>, where: string): string {
  return text.replace(/<([a-z][\w '’./-]*)>/gi, (whole, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`${where}: nothing is known that ${whole} stands for`);
    return value;
  });
}

/** Where npm keeps its cache and finds its registry, although HOME is another folder. */
function npmSettings(): Record<string, string> {
  const ask = (key: string): string =>
    execFileSync("npm", ["config", "get", key], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  settings ??= { npm_config_cache: ask("cache"), npm_config_userconfig: ask("userconfig") };
  return settings;
}
let settings: Record<string, string> | undefined;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
