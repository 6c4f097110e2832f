/** A publisher of ranges on this machine, with a certificate of an authority of its own, and a project that pulls from it. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { stringify } from "yaml";
import { runCommandLine, type Ended } from "../../support/command-line";
import { duringTests } from "../../support/during-tests";
import { temporaryFolder } from "../../support/folders";
import { makeCertificate, type MadeCertificate } from "../../support/x509";

interface Publisher {
  readonly url: string;
  readonly port: number;
  /** The headers of each request since the last test began. */
  readonly seen: IncomingHttpHeaders[];
  /** What it answers from now on. */
  serve(answer: RequestListener): void;
  stop(): Promise<void>;
}

/** Whose certificates the publishers have that are trusted. */
const authority = makeCertificate({ ca: true });

/** A publisher, for all tests of a file. Without `trusted`, no client knows the authority of its certificate. */
export function publisher({ trusted = true } = {}): Publisher {
  return duringTests(
    async () => {
      const issuer = trusted ? authority : makeCertificate({ ca: true });
      // As NODE_EXTRA_CA_CERTS does for a process of its own.
      if (trusted) setDefaultCACertificates([...getCACertificates("default"), authority.pem]);
      return listening(makeCertificate({ issuer, ips: ["127.0.0.1"], dnsNames: ["localhost"] }));
    },
    (running) => running.stop(),
  );
}

async function listening({ privateKeyPem, pem }: MadeCertificate): Promise<Publisher> {
  let answer: RequestListener = (_request, response) => response.end();
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer({ key: privateKeyPem, cert: pem }, (request, response) => {
    seen.push(request.headers);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `https://127.0.0.1:${port}`, port, seen },
    serve: (next) => void (answer = next),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Answers with the text, as a server of files does. */
export const sends =
  (text: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    const content = Buffer.from(text);
    response.writeHead(200, { "content-type": "text/plain", "content-length": content.length, ...headers });
    response.end(content);
  };

/** A folder with sources. */
export class RangesProject {
  readonly folder = temporaryFolder("ranges");

  write(sources: unknown): void {
    writeFileSync(
      join(this.folder, "ranges.yaml"),
      typeof sources === "string" ? sources : stringify(sources),
    );
  }

  /** One source, of documentation ranges. */
  source(url: string, more: object = {}): void {
    this.write({ sources: [{ name: "cloud", url, mayHold: ["documentation"], ...more }] });
  }

  get lockFile(): string {
    return join(this.folder, "ranges.lock.json");
  }

  get lock(): string | undefined {
    return existsSync(this.lockFile) ? readFileSync(this.lockFile, "utf8") : undefined;
  }

  get files(): string[] {
    return readdirSync(this.folder).sort();
  }

  run(command: "pull" | "check", ...args: string[]): Promise<Ended> {
    const env = { TUNNEL_GATEWAY_API_KEY: "key-of-the-account" };
    return runCommandLine(["ranges", command, "--cwd", this.folder, ...args], env);
  }
}
