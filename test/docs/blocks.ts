/** The programs that the documentation shows, and how they are run. */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { declarations } from "../../src/resources/registry";
import { makeCertificate } from "../support/x509";

export const root = join(__dirname, "../..");

export interface Block {
  /** The file and the line that the block begins in. */
  readonly where: string;
  readonly code: string;
}

/** Every typescript block of the JSDoc in src, of the pages and of docs; equal ones once. */
export function blocks(): Block[] {
  const sources = filesIn("src", ".ts").flatMap((file) =>
    blocksIn(file, (line) => line.replace(/^\s*\* ?/, "")),
  );
  const pages = ["README.md", "CONTRIBUTING.md", "examples/README.md", ...filesIn("docs", ".md")];
  const byCode = new Map<string, Block>();
  for (const block of [...sources, ...pages.flatMap((page) => blocksIn(page))])
    if (!byCode.has(block.code)) byCode.set(block.code, block);
  return [...byCode.values()];
}

/**
 * The blocks that declare resources. The generated pages are left out: they repeat those of the JSDoc in
 * another layout.
 */
export function programs(): Block[] {
  const declares = new RegExp(`\\bnew (${declarations.map(({ type }) => type).join("|")})\\(`);
  const candidates = blocks().filter(({ where }) => !where.startsWith("docs/resources/"));
  return candidates.filter((block) => declares.test(block.code) && !isUnitTest(block));
}

/** The blocks that test a program, for which they set mocks of their own. */
export function unitTests(): Block[] {
  return blocks().filter(isUnitTest);
}

function isUnitTest({ code }: Block): boolean {
  return code.includes('"pulumi-tunnel-gateway/testing"');
}

function blocksIn(file: string, clean: (line: string) => string = (line) => line): Block[] {
  const found: Block[] = [];
  let begin: number | undefined;
  const lines = readFileSync(join(root, file), "utf8").split("\n").map(clean);
  lines.forEach((line, i) => {
    if (begin === undefined && line === "```typescript") begin = i + 1;
    else if (begin !== undefined && line === "```") {
      found.push({ where: `${file}:${begin}`, code: `${lines.slice(begin, i).join("\n")}\n` });
      begin = undefined;
    }
  });
  return found;
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** A block as the body of an async function of `exports` and `require`. */
export function asFunctionBody({ code }: Block): string {
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  return ts.transpileModule(code, { compilerOptions: options }).outputText;
}

/** The files that the programs read, by name. */
export function filesOfPrograms(): Record<string, string> {
  const site = makeCertificate({ dnsNames: ["www.example.com"] });
  const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILX6szwYMf1AEw1D2E43cQSQCMJ5cXNSS14buGnJ2pEK\n";
  return {
    "site.pem": site.pem,
    "site.key": site.privateKeyPem,
    "authority.pem": makeCertificate({ ca: true }).pem,
    "id_ed25519.pub": sshKey,
    "ssh_host_ed25519_key.pub": sshKey,
  };
}

/** The configuration that the programs ask for. */
export const configuration: Readonly<Record<string, string>> = {
  edgeId: "edghts_1",
  routeId: "edghtsrt_1",
  tlsEdgeId: "edgtls_1",
  sshCertificateAuthorityId: "sshca_1",
  clientSecret: "a client secret",
  webhookSecret: "a webhook secret",
  monitoringApiKey: "an API key of monitoring",
  partnerApiKey: "key-of-a-partner",
  partnerBaseUrl: "https://partner.example.com",
};
