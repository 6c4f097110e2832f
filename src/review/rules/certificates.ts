/** The rules about SSH certificates that permit more than before. */
import { toInstant } from "../../schema/formats/time";
import { hasUnknown } from "../../schema/unknown";
import type { ChangeRule } from "../rule";
import { knownList, pairs } from "./pairs";

const hour = 3600 * 1000;

/** The validity of a certificate without `validUntil`. Specification: SSH user certificate, SSH host certificate. */
const defaultValidity: Readonly<Record<string, number>> = {
  SshUserCertificate: 24 * hour,
  SshHostCertificate: 365 * 24 * hour,
};

export const principalsWidened: ChangeRule = {
  id: "access/principals-widened",
  severity: "warning",
  title: "An SSH certificate gets more principals",
  help: "The principals of a user certificate are the usernames that its holder may sign in as; those of a host certificate are the hosts that may serve SSH with it (specification, SSH user certificate and SSH host certificate). Check the new ones.",
  *changes(context) {
    for (const { old, next } of pairs(context, ...Object.keys(defaultValidity))) {
      const [from, to] = [knownList(old.values.principals) ?? [], knownList(next.values.principals) ?? []];
      const added = to.filter((principal) => !from.includes(principal));
      // Without principals a certificate is valid for all of them.
      if (from.length === 0 || added.length === 0 || hasUnknown(to)) continue;
      yield {
        on: next,
        field: "principals",
        message: `principals are added: ${added.map(String).join(", ")}`,
      };
    }
  },
};

export const validityExtended: ChangeRule = {
  id: "access/validity-extended",
  severity: "warning",
  title: "An SSH certificate is valid for a longer time",
  help: "The time from `validAfter` to `validUntil` grows. The defaults are 24 hours for a user certificate and one year for a host certificate (specification, SSH user certificate and SSH host certificate). A lost key is usable for that time.",
  *changes(context) {
    for (const { old, next } of pairs(context, ...Object.keys(defaultValidity))) {
      if (next.subject.action !== "replace") continue;
      const { validAfter, createdAt } = old.values;
      const from = validity(validAfter ?? createdAt, old.values.validUntil);
      const { validUntil = new Date(context.now + defaultValidity[next.type]!).toISOString() } = next.inputs;
      const to = validity(next.inputs.validAfter ?? new Date(context.now).toISOString(), validUntil);
      if (from === undefined || to === undefined || to - from < hour) continue;
      yield {
        on: next,
        field: "validUntil",
        message: `its validity grows from ${time(from)} to ${time(to)}`,
      };
    }
  },
};

/** Milliseconds; undefined if one of the times is not known. */
function validity(from: unknown, until: unknown): number | undefined {
  const [start, end] = [from, until].map((value) =>
    typeof value === "string" ? toInstant(value) : undefined,
  );
  return start === undefined || end === undefined ? undefined : end - start;
}

function time(milliseconds: number): string {
  const hours = Math.round(milliseconds / hour);
  if (hours < 72) return `${hours} ${hours === 1 ? "hour" : "hours"}`;
  return `${Math.round(hours / 24).toLocaleString("en-US")} days`;
}
