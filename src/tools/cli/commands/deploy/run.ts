import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import { GatewayError } from "../../../../provider/errors";
import { stackLabel } from "../../../../provider/urn";
import { brokerVariable } from "../../../../provider/settings/broker-settings";
import { wrongSetting } from "../../../../provider/settings/read-settings";
import { configKey, environmentNames, withoutFinalSlashes } from "../../../../provider/settings/settings";
import { counted, firstLines, most20, quote } from "../../../../schema/text/phrase";
import { membersOf } from "../../../../schema/unknown";
import type { Approval } from "../../../approval/approval";
import type { Broker, BrokerOptions, Listening } from "../../../broker/broker";
import { accountsWith, keyIn, sealOf } from "../../../broker/keys";
import type { Keys } from "../../../broker/keys";
import { WriteLog, digestOf } from "../../../approval/write-log";
import { printedJson, pulumi, interruptSignals } from "../../../stack/pulumi";
import { UsageError, exitCode } from "../../command";
import { requireReadable } from "../../files";
import { approvalsIn } from "../../input/approvals";
import { note } from "../../terminal/progress";

interface Flags {
  approved?: string;
  stack?: string;
  cwd?: string;
  keyFile?: string[];
  keyStdin?: boolean;
  listen?: string;
  url?: string;
  log?: string;
  unapproved?: boolean;
  reason?: string;
}

/** The requests that a deployment may send. */
interface Permission extends Pick<BrokerOptions, "accounts" | "permits" | "log"> {
  /** The files of this deployment that something else has changed. */
  readonly changed: () => readonly string[];
}

export async function run(command: string[], flags: Flags): Promise<void> {
  const listening = listeningOf(flags);
  const keys = await keysOf(flags);
  // No child process gets the key: the command and Pulumi may be programs of the repository.
  delete process.env[environmentNames.apiKey];
  const permission = await (flags.unapproved ? unapproved(flags, keys) : approved(flags, keys));
  const { accounts, permits, log } = permission;
  const brokers = await import("../../../broker/broker.js");
  const broker = await brokers.Broker.start({ accounts, permits, log, listening });
  try {
    const code = await runCommand(command, broker.settings);
    if (code === 0) await broker.settle();
    process.exitCode = outcome(code, flags, broker.refused, permits.left, permission.changed());
    // From this point on, the approval permits nothing.
    if (process.exitCode === exitCode.ok) log.add({ event: "end" });
  } finally {
    await broker.close();
  }
}

async function approved(
  { approved: file, stack, cwd, log: logFile, reason }: Flags,
  keys: Keys,
): Promise<Permission> {
  if (file === undefined)
    throw new UsageError("deploy needs --approved <file>; in an emergency, --unapproved with --reason");
  if (reason !== undefined) throw new UsageError("--reason needs --unapproved");
  const before = contentOf(file);
  const approval = approvalOf(await approvalsIn(file), stack);
  // Pulumi needs about as long to read the configuration as this process to load the resources, so both are done at once.
  const [, { ApprovedPermits }] = await Promise.all([
    requireNoKey(approval, cwd),
    import("../../../broker/permits.js"),
  ]);
  const here = baseUrlHere();
  const baseUrls = new Set([...approval.baseUrls, ...(here === undefined ? [] : [here])]);
  const accounts = accountsWith([...baseUrls], keys);
  const logName = logFile ?? `${file}.log`;
  const log = new WriteLog(logName, sealOf(keys));
  const permits = new ApprovedPermits(approval, here, log.sentOf(approval));
  log.begin({ approval });
  const changed = () => [...(contentOf(file) === before ? [] : [file]), ...(log.isChanged ? [logName] : [])];
  return { accounts, permits, log, changed };
}

/** Permits every write, and prints a warning. */
async function unapproved(
  { approved: file, reason = "", log: logFile = "unapproved.log" }: Flags,
  keys: Keys,
): Promise<Permission> {
  if (file !== undefined) throw new UsageError("use --approved or --unapproved, and only one of them");
  if (reason.trim() === "")
    throw new UsageError("--unapproved needs --reason: say why you deploy without an approval");
  const here = baseUrlHere();
  if (here === undefined)
    throw new UsageError(`--unapproved takes the account from ${environmentNames.baseUrl}: set it`);
  const accounts = accountsWith([here], keys);
  const log = new WriteLog(logFile, sealOf(keys));
  log.begin({ reason });
  note(`UNAPPROVED: every write passes, because: ${reason}. ${logFile} lists them`);
  const { everyWrite } = await import("../../../broker/permits.js");
  return { accounts, permits: everyWrite, log, changed: () => (log.isChanged ? [logFile] : []) };
}

/** Identifies what is in a file; undefined for a pipe, which can be read once. */
function contentOf(file: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return digestOf(readFileSync(file, "utf8"));
}

/** The base URL of the account in the environment of the deployment. */
function baseUrlHere(): string | undefined {
  const url = process.env[environmentNames.baseUrl] ?? "";
  return url === "" ? undefined : withoutFinalSlashes(url);
}

function approvalOf(all: readonly Approval[], stack: string | undefined): Approval {
  const named = all.filter((each) => stack === undefined || [each.stack, stackLabel(each)].includes(stack));
  if (named.length === 1) return named[0]!;
  const labels = all.map(stackLabel).join(", ");
  throw new UsageError(
    stack === undefined
      ? `the file approves several stacks: choose one with --stack: ${labels}`
      : `the file approves ${labels}, and not ${quote(stack)}`,
  );
}

/** Throws if the configuration of the stack holds the key: a program can read it there. */
async function requireNoKey({ stack }: Approval, cwd: string | undefined): Promise<void> {
  const { stdout } = await pulumi(["config", "--json", "--stack", stack], { cwd, mayAsk: true });
  const key = configKey("apiKey");
  if (membersOf(printedJson(stdout, `the configuration of the stack ${stack}`))[key] === undefined) return;
  throw new GatewayError(
    `the configuration of the stack ${stack} holds ${key}, and the program can read it there. Move the key: run ` +
      `\`pulumi config get ${key} --stack ${stack}\` into the secret store of the deployment, which sets ` +
      `${environmentNames.apiKey} for this command, and then \`pulumi config rm ${key} --stack ${stack}\``,
  );
}

function listeningOf({ listen, url }: Flags): BrokerOptions["listening"] {
  if (listen !== undefined) return listeningAt(listen, url);
  if (url !== undefined) throw new UsageError("--url needs --listen");
  return undefined;
}

async function keysOf({ keyFile = [], keyStdin }: Flags): Promise<Keys> {
  const own = new Map<string, string>();
  let file: string | undefined;
  for (const each of keyFile) {
    const at = /^https?:\/\//.test(each) ? each.indexOf("=") : -1;
    const name = each.slice(at + 1);
    requireReadable("--key-file", name);
    if (at < 0) file = keyIn(name);
    else own.set(each.slice(0, at), keyIn(name));
  }
  if (keyStdin && file !== undefined)
    throw new UsageError("use --key-file or --key-stdin, and only one of them");
  const given = keyStdin ? (await textOf(process.stdin)).trim() : file;
  return { default: given ?? process.env[environmentNames.apiKey], own };
}

/** Reports what was not done, and returns the exit code. */
function outcome(
  code: number,
  { unapproved }: Flags,
  refused: readonly string[],
  left: readonly string[],
  changed: readonly string[],
): number {
  const list = (lines: readonly string[]): string =>
    firstLines([...new Set(lines)], most20, "write")
      .map((line) => `\n  ${line}`)
      .join("");
  if (refused.length > 0) note(`The broker refused ${counted(refused.length, "write")}:${list(refused)}`);
  if (left.length > 0) note(`Approved and not sent: ${counted(left.length, "write")}:${list(left)}`);
  for (const file of changed)
    note(
      `The command has changed ${file}: take the approval from the review again, and find out what changed it`,
    );
  // 255 is a failure of Pulumi.
  if (code > 128 && code < 255) return exitCode.interrupted;
  if (refused.length + changed.length > 0) return exitCode.findings;
  // The command of a deployment may run a review first, which has findings.
  if (code === exitCode.findings) return code;
  if (code !== 0) return exitCode.failure;
  if (unapproved) return exitCode.unapproved;
  return left.length > 0 ? exitCode.findings : exitCode.ok;
}

/** The exit code; 128 or more if a signal ended the command. Throws a GatewayError if the command cannot be started. */
function runCommand([name, ...args]: readonly string[], broker: Broker["settings"]): Promise<number> {
  const child = spawn(name!, args, {
    stdio: "inherit",
    env: { ...process.env, [brokerVariable]: JSON.stringify(broker) },
  });
  // The terminal interrupts the command too; it needs this process to finish its work.
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of interruptSignals) process.on(signal, forward);
  return new Promise<number>((ended, failed) => {
    child.on("error", (error: NodeJS.ErrnoException) =>
      failed(
        new GatewayError(
          `${name} cannot be started (${error.code ?? error.message}): name the command after --`,
        ),
      ),
    );
    child.on("close", (code) => ended(code ?? 130));
  }).finally(() => {
    for (const signal of interruptSignals) process.off(signal, forward);
  });
}

/** @param address `<host>:<port>`. Throws a UsageError for a wrong address, and for a URL that the command must not use. */
export function listeningAt(address: string, url = `http://${address}`): Listening {
  const parts = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i.exec(address);
  const port = Number(parts?.[3]);
  if (!parts || port < 1 || port > 65535)
    throw new UsageError(`--listen needs an address and a port, such as 0.0.0.0:8443, not ${address}`);
  // Requests carry the token of the deployment, and answers what is in the account.
  const wrong = wrongSetting("baseUrl", url);
  if (wrong !== undefined || new URL(url).pathname !== "/")
    throw new UsageError(
      `the URL of the broker ${wrong ?? "must have no path"}: name the one by which the command reaches it, with TLS in front, ` +
        "as --url https://broker.example.com",
    );
  return { host: parts[1] ?? parts[2]!, port, url: new URL(url).origin };
}
