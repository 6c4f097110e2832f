/** What a page's session runs in: a fresh folder, an environment, an account, and what placeholders stand for. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { EmulatorProcess } from "../emulator-process";
import { engineSetup } from "../engine-setup";
import { baseEnv } from "../pulumi-command";
import { npx as installedCommand } from "../installed-command";
import { startRegistry } from "../registry";
import { inHosts } from "../worker-hosts";
import { root } from "../../docs/blocks";
import { accountFor, idFor } from "./account";
import type { Block } from "./blocks";
import { beginsInProject } from "./project";

export interface World {
  /** Contains everything else. The session starts in `work`. */
  readonly folder: string;
  readonly work: string;
  readonly env: Record<string, string | undefined>;
  /** The address of the page's account: of an emulator that the page starts, or of one that the test starts. */
  readonly address: string;
  /** The text of a block as the session gets it. */
  readonly filled: (text: string, block: Block) => string;
  readonly end: () => Promise<void>;
}

/** The default key of emulators. */
const apiKey = "emulator-key-not-a-secret";

/** The pages for new users: npm itself installs everything, and Pulumi's own processes run it. */
const withoutLinks = ["README.md"];

/** The variables of a session beside those that its pages need. */
export type MoreEnv = Readonly<Record<string, string>>;

/**
 * The world of the pages of one session, which start in the same state. It does not provide what the commands of the
 * pages make or set, unless they start in a project.
 */
export async function worldOf(pages: readonly string[], commands: string, more: MoreEnv): Promise<World> {
  const page = pages[0]!;
  const folder = mkdtempSync(join(engineSetup().folder, "page-"));
  const work = join(folder, "gateway");
  mkdirSync(work);

  const port = await freePort();
  const own = commands.includes("tunnel-gateway emulator");
  const emulator = own ? undefined : await EmulatorProcess.start({ undocumentedUpdates: true });
  const account = await emulator?.seed(accountFor(page));
  const address = emulator?.baseUrl ?? `http://127.0.0.1:${port}`;
  const registry = await startRegistry();
  const hosts = withoutLinks.includes(page) ? {} : await inHosts();
  return {
    folder,
    work,
    address,
    env: { ...environment({ page, commands, folder, address, registry: registry.url }), ...hosts, ...more },
    filled: (text, block) => {
      const known = {
        name: "taken",
        id: account && idFor(block.page, account),
        tarball: engineSetup().tarball,
        clone: root,
        "url of your backend": `file://${join(folder, "home")}`,
      };
      return withKey(withPlaceholders(withPort(text, port, address), known, block.where));
    },
    end: async () => {
      registry.close();
      await emulator?.stop();
    },
  };
}

interface Place {
  readonly page: string;
  readonly commands: string;
  readonly folder: string;
  readonly address: string;
  readonly registry: string;
}

function environment({
  page,
  commands,
  folder,
  address,
  registry,
}: Place): Record<string, string | undefined> {
  const [home, bin] = [join(folder, "home"), join(folder, "bin")];
  for (const each of [home, bin]) mkdirSync(each);
  const npm = join(bin, "npm");
  // What a reader types where Pulumi asks for a passphrase.
  const passphrase = join(home, "passphrase");
  writeFileSync(passphrase, "a passphrase for tests");
  writeFileSync(npm, `#!/bin/sh\nexec node "${join(__dirname, "npm.cjs")}" "$@"\n`);
  chmodSync(npm, 0o755);
  if (!withoutLinks.includes(page))
    writeFileSync(join(bin, "npx"), `#!/bin/sh\n${installedCommand}\n`, { mode: 0o755 });
  const setup = engineSetup();
  const given = Object.entries({
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    TUNNEL_GATEWAY_BASE_URL: address,
    TUNNEL_GATEWAY_API_KEY: apiKey,
  });
  return {
    ...baseEnv(),
    // npm installs from this machine, regardless of the developer's registry and proxy.
    npm_config_registry: registry,
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    ...Object.fromEntries(given.filter(([name]) => beginsInProject(page) || !sets(commands, name))),
    PATH: [bin, dirname(setup.pulumi), setup.path].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_CONFIG_PASSPHRASE_FILE: passphrase,
    // The reader answers yes to Pulumi, and does not let npx download a package that has the name of a command.
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_OPTION_SKIP_PREVIEW: "true", // of `up` and `destroy`, whose previews nobody reads here
    npm_config_yes: "false",
    npm_config_update_notifier: "false",
    DOCUMENTATION_TEMPLATE: setup.template,
    DOCUMENTATION_LINK: withoutLinks.includes(page) ? undefined : "1",
  };
}

/** Whether the page sets a variable, or the Pulumi setting that replaces it. */
function sets(commands: string, variable: string): boolean {
  const ways: Record<string, RegExp> = {
    PULUMI_BACKEND_URL: /\bpulumi login\b/,
    TUNNEL_GATEWAY_BASE_URL: /\btunnel-gateway(:baseUrl| emulator)\b/,
    TUNNEL_GATEWAY_API_KEY: /\btunnel-gateway(:apiKey| emulator)\b|\bread -rs TUNNEL_GATEWAY_API_KEY\b/,
  };
  return commands.includes(`${variable}=`) || (ways[variable]?.test(commands) ?? false);
}

/** Each page's emulator has its own port instead of the default, and replaces the account. */
function withPort(text: string, port: number, address: string): string {
  return text
    .replaceAll("https://api.example.com", address)
    .replace(/\btunnel-gateway emulator\b(?!.*--(?:port|help)\b)/g, `$& --port ${port}`)
    .replace(/(?<=--port |127\.0\.0\.1:|localhost:)8080\b/g, String(port));
}

/** The reader types the key where a command asks for it. */
function withKey(text: string): string {
  return text.replace(
    /^(pulumi config set --secret tunnel-gateway:apiKey|read -rs TUNNEL_GATEWAY_API_KEY)(?= *(#|$))/gm,
    `$1 <<< ${apiKey}`,
  );
}

function withPlaceholders(text: string, known: Record<string, string | undefined>, where: string): string {
  return text.replace(/<([a-z][\w '’./-]*)>/gi, (whole, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`${where}: no value is known for ${whole}`);
    return value;
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
