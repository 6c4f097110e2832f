import type { Snapshot } from "../../../../emulator/types";
import { readPreview } from "../../../inventory/read-preview";
import { rehearse } from "../../../rehearsal/rehearse";
import { gapText } from "../../../rehearsal/planned-steps";
import type { Rehearsal } from "../../../rehearsal/rehearse";
import { costOf, writesText } from "../../../review/requests";
import { counted, durationText, second } from "../../../../schema/text/phrase";
import { jsonFile } from "../../files";
import { previewTextFrom } from "../../input/preview-sources";
import { printJson, printLine } from "../../terminal/output";

interface Flags {
  account?: string;
  json?: boolean;
}

export async function run(preview: string | undefined, { account: file, json }: Flags): Promise<void> {
  const account = jsonFile("--account", file) as Snapshot | undefined;
  const plan = readPreview(await previewTextFrom(preview)).plan;
  const rehearsal = await rehearse(plan, {
    readAccount: (provider) => (provider === undefined ? account : undefined),
  });
  if (json) return printJson({ ...rehearsal, made: Object.fromEntries(rehearsal.made) });
  for (const line of linesOf(rehearsal)) printLine(line);
}

function linesOf(rehearsal: Rehearsal): string[] {
  const { requests, refusals, undone, notReached, unknowns, others, incomplete, unread, milliseconds } =
    rehearsal;
  const writes = requests.filter(({ method }) => method !== "GET");
  const time =
    milliseconds < second ? "" : `, ${durationText(milliseconds, "second")} of waiting for the rate limit`;
  return [
    ...writes.map(({ method, path, status }) => `${method} ${path}: ${status}`),
    ...refusals.map(({ urn, message }) => `Refused: ${urn}: ${message}`),
    ...undone.map(({ urn, message }) => `Undone: ${urn}: ${message}`),
    ...notReached.map((urn) => `Not reached: ${urn}`),
    ...unknowns.map(({ urn, argument }) => `Unknown: ${argument} of ${urn}`),
    ...others.map((urn) => `Not rehearsed, because it belongs to another package: ${urn}`),
    ...[...unread, ...incomplete.map(gapText)].map((reason) => `Incomplete: ${reason}`),
    `${writesText(costOf(rehearsal))}, ${counted(requests.length, "request")}${time}`,
  ];
}
