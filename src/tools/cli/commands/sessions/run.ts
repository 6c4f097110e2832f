import { readOne } from "../../../../account/read-objects";
import { isWindows, restart, sendCommand } from "../../../../account/agents/commands";
import { updateByIds, updateSessions } from "../../../../account/agents/update";
import { textTable } from "../../../output/document";
import { connect } from "../../../inventory/connect";
import type { TunnelSession } from "../../../../resources";
import { declarationOf } from "../../../../resources/registry";
import { counted } from "../../../../schema/text/phrase";
import { ReportedFailure, UsageError } from "../../command";
import { filterOf, listObjects, read, showObject } from "../../input/account-objects";
import { accountOf } from "../../shared-options";
import type { AccountFlags, ListFlags, OutputFlags } from "../../shared-options";
import { confirm, requireConfirmable } from "../../terminal/confirm";
import type { ConfirmFlags } from "../../terminal/confirm";
import { interruptible } from "../../terminal/interruptible";
import { printBlocks, printJson, printLine } from "../../terminal/output";
import { note } from "../../terminal/progress";

const sessions = declarationOf("TunnelSession");

interface SessionFlags extends ListFlags {
  os?: string;
  region?: string;
  agentVersion?: string;
  metadata?: string;
}

export function listSessions(flags: AccountFlags & SessionFlags): Promise<void> {
  return listObjects(sessions, undefined, { ...flags, filter: filtersOf(flags) });
}

export function showSession(id: string, flags: AccountFlags & OutputFlags): Promise<void> {
  return showObject(sessions, id, flags);
}

type CommandFlags = AccountFlags & OutputFlags & ConfirmFlags;

export async function restartAgent(id: string, flags: CommandFlags): Promise<void> {
  requireConfirmable(flags);
  const client = await connect(accountOf(flags), note);
  const session = await readOne<TunnelSession>(client, sessions, id);
  // A restart that will be refused needs no confirmation.
  if (!isWindows(session.os)) await confirmFor(session, "Restart", flags);
  await restart(client, session);
  printSent(id, "restart", flags, " The agent returns with a new session.");
}

export async function stopAgent(id: string, flags: CommandFlags): Promise<void> {
  requireConfirmable(flags);
  const client = await connect(accountOf(flags), note);
  if (!flags.yes) await confirmFor(await readOne<TunnelSession>(client, sessions, id), "Stop", flags);
  await sendCommand(client, id, "stop");
  printSent(id, "stop", flags);
}

function printSent(id: string, command: string, { json }: OutputFlags, more = ""): void {
  if (json) printJson({ id, command });
  else printLine(`Sent the ${command} to the agent of ${id}.${more}`);
}

async function confirmFor(session: TunnelSession, verb: string, flags: CommandFlags): Promise<void> {
  const { id, os, ip, agentVersion } = session;
  await confirm(flags, `${verb} the agent of ${id} (${os}, ${ip}, version ${agentVersion})?`);
}

interface UpdateFlags extends CommandFlags, SessionFlags {
  all?: boolean;
  restart?: boolean;
  wait: number;
  follow: number;
}

export async function updateAgents(ids: string[], flags: UpdateFlags): Promise<void> {
  const filter = filtersOf(flags);
  if ([ids.length > 0, flags.all === true, filter.length > 0].filter(Boolean).length !== 1)
    throw new UsageError("choose the agents by ids of sessions, by filters, or with --all");
  if (flags.restart) requireConfirmable(flags);
  filterOf(sessions, filter);
  const client = await connect(accountOf(flags), note);
  const matching =
    ids.length > 0 ? [] : await read<TunnelSession>(client, sessions, undefined, { ...flags, filter });
  const count = ids.length + matching.length;
  if (count === 0) throw new Error("no agent that is online matches");
  if (flags.restart) await confirm(flags, `Update and restart ${counted(count, "agent")}?`);
  const stopping = new AbortController();
  const results = await interruptible((onInterrupt) => {
    onInterrupt("Interrupted: no further agent is updated. Interrupt again to end at once.", stopping);
    const options = {
      ...{ restart: flags.restart, waitSeconds: flags.wait, followSeconds: flags.follow },
      signal: stopping.signal,
      onProgress: ({ id }: TunnelSession, index: number, total: number) =>
        note(`${index} of ${total}: ${id}`),
    };
    return ids.length > 0 ? updateByIds(client, ids, options) : updateSessions(client, matching, options);
  });
  if (flags.json) printJson(results);
  else {
    const rows = results.map(({ session: { id, agentVersion }, outcome, message }) => {
      return [id, outcome, agentVersion, message];
    });
    printBlocks([textTable(["id", "outcome", "agent version", "message"], rows, "agent")]);
  }
  if (results.some(({ outcome }) => outcome === "failed" || outcome === "notStarted"))
    throw new ReportedFailure();
}

/** The filters of the flags as `field=value` texts. */
function filtersOf({ os, region, agentVersion, metadata, filter }: SessionFlags): string[] {
  const named = Object.entries({ os, region, agentVersion, metadata }).filter(
    ([, text]) => text !== undefined,
  );
  return [...named.map(([name, text]) => `${name}=${text}`), ...(filter ?? [])];
}
