/** The rules about what a deployment interrupts. */
import { isRecord } from "../../schema/unknown";
import { changesOf } from "../differences";
import type { Action, Subject } from "../preview";
import type { ChangeRule, Context, Found } from "../rule";

interface Loss {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly types: readonly string[];
  readonly action: Action;
  readonly message: (subject: Subject, context: Context) => string;
}

/** A rule about objects of some types to which something happens. */
function loss({ types, action, message, ...described }: Loss): ChangeRule {
  return {
    ...described,
    severity: "warning",
    *changes(context) {
      for (const subject of context.subjects) {
        if (subject.action !== action || !types.includes(subject.declaration.type)) continue;
        const renewed = isRenewal(subject);
        const reason = renewed ? `renewed before its end, as the program asks: ${renewed}; ` : "";
        const found: Found = { on: subject, message: reason + message(subject, context) };
        yield renewed ? { ...found, severity: "note" } : found;
      }
    },
  };
}

/** The argument that asks for the renewal, where nothing but time replaces the object. */
function isRenewal(subject: Subject): string | undefined {
  const { declaration, after, replaceReasons } = subject;
  const { renewal } = declaration;
  const asks = renewal !== undefined && typeof after?.inputs[renewal.hours] === "number";
  const byTime =
    asks && replaceReasons.join() === renewal.until && changesOf(subject).differences.length === 0;
  return byTime ? renewal.hours : undefined;
}

/** Whether the old object goes before the new one is there. */
export function deletesFirst({
  action,
  deletedFirst,
  declaration,
  replaceReasons,
  ...subject
}: Subject): boolean {
  if (action !== "replace") return false;
  const { unique } = declaration;
  if (deletedFirst || unique === undefined) return deletedFirst;
  const changed = changesOf({ action, deletedFirst, declaration, replaceReasons, ...subject }).differences;
  const names = new Set([...replaceReasons, ...changed.map(({ path }) => path.split(".")[0]!)]);
  return !unique.some((name) => names.has(name));
}

const order = (subject: Subject): string =>
  deletesFirst(subject) ? "the old one is deleted first" : "the new one is made first";

const certificates = ["TlsCertificate", "CertificateAuthority", "SshHostCertificate", "SshUserCertificate"];
const backends = ["TunnelGroupBackend", "HttpResponseBackend", "WeightedBackend", "FailoverBackend"];

export const certificateReplaced = loss({
  id: "interruption/certificate-replaced",
  title: "A certificate is replaced",
  help: "The new certificate has another id, and what refers to the old one by anything but the resource must be told: a server that holds an SSH certificate, an edge that was set up elsewhere.",
  types: certificates,
  action: "replace",
  message: (subject) => `it gets a new id; ${order(subject)}. What holds the old one must get the new one`,
});

export const edgeReplaced = loss({
  id: "interruption/edge-replaced",
  title: "An edge is replaced",
  help: "The edge gets a new id, and its addresses move from the old one to the new one.",
  types: ["TcpEdge"],
  action: "replace",
  message: (subject) => `its addresses move to a new edge; ${order(subject)}`,
});

export const edgeDeleted = loss({
  id: "interruption/edge-deleted",
  title: "An edge is deleted",
  help: "Its addresses are served no longer. Make sure that nobody connects to them any more.",
  types: ["TcpEdge"],
  action: "delete",
  message: ({ before }) => `${listed(before?.outputs.hostports) || "its addresses"}: served no longer`,
});

export const endpointReplaced = loss({
  id: "interruption/endpoint-replaced",
  title: "A cloud endpoint is replaced",
  help: "The endpoint is made anew; its address is served by the one or the other, or for a moment by none.",
  types: ["CloudEndpoint"],
  action: "replace",
  message: (subject) => `its address moves to a new endpoint; ${order(subject)}`,
});

export const endpointDeleted = loss({
  id: "interruption/endpoint-deleted",
  title: "A cloud endpoint is deleted",
  help: "Its address is served no longer. Make sure that nobody connects to it any more.",
  types: ["CloudEndpoint"],
  action: "delete",
  message: ({ before }) => `${textOf(before?.outputs.url) ?? "its address"}: served no longer`,
});

export const backendReplaced = loss({
  id: "interruption/backend-replaced",
  title: "A backend is replaced",
  help: "The backend gets a new id, and what sends traffic to it has to move over.",
  types: backends,
  action: "replace",
  message: (subject) => `it gets a new id, and its users move over; ${order(subject)}`,
});

export const credentialReplaced = loss({
  id: "interruption/credential-replaced",
  title: "An API key or SSH credential is replaced",
  help: "A new API key has a new token, and the old one ends; whoever uses a credential must get the new one before. Find out who that is.",
  types: ["ApiKey", "SshCredential"],
  action: "replace",
  message: (subject, { before }) => {
    const token = "token" in subject.declaration.fields;
    const what = token
      ? "it gets a new token, and the old one ends"
      : "agents that use the old one are cut off";
    const users = before.referrers(subject.urn).length + dependents(subject, before.all.values());
    const known =
      users === 0 ? "nothing in this program uses it, so who does?" : "who uses it outside of this program?";
    return `${what}; ${order(subject)}: ${known}`;
  },
});

export const credentialDeleted = loss({
  id: "interruption/credential-deleted",
  title: "An API key or SSH credential is deleted",
  help: "Whoever still uses it is cut off. Find out who that is.",
  types: ["ApiKey", "SshCredential"],
  action: "delete",
  message: () => "whoever uses it is cut off: who does?",
});

function dependents({ urn }: Subject, all: Iterable<{ subject: Subject }>): number {
  return [...all].filter(({ subject }) => subject.before?.dependencies.includes(urn)).length;
}

export const deleteFirst: ChangeRule = {
  id: "interruption/delete-first",
  severity: "warning",
  title: "A live rule is deleted before its successor is made",
  help: "A range may stand only once in a policy, so the old rule goes before the new one comes: in between no rule is about the range.",
  *changes({ subjects }) {
    for (const subject of subjects) {
      if (subject.declaration.type !== "IpPolicyRule" || !deletesFirst(subject)) continue;
      const cidr = String(subject.before?.outputs.cidr);
      yield { on: subject, message: `deleted before it is made anew: for a moment no rule is about ${cidr}` };
    }
  },
};

export const botDeactivated: ChangeRule = {
  id: "interruption/bot-deactivated",
  severity: "warning",
  title: "A bot user is deactivated or deleted",
  help: "What the bot user owns, its keys and credentials, stops with it.",
  *changes({ before, after }) {
    for (const old of before.ofType("BotUser")) {
      const next = after.all.get(old.urn);
      if (old.values.active === false || (next && next.values.active !== false)) continue;
      const owned = before.referrers(old.urn).map(({ from }) => `${from.type} "${from.name}"`);
      const keys = owned.length === 0 ? "its keys and credentials" : owned.join(", ");
      yield {
        on: old,
        message: `${next ? "deactivated" : "deleted"}: ${keys} stop with it`,
        field: "active",
      };
    }
  },
};

export const moduleLeftProgram: ChangeRule = {
  id: "interruption/module-left-program",
  severity: "warning",
  title: "A module of a TCP edge is switched off because it left the program",
  help: "The API cannot remove a module from a TCP edge, so one that is taken out of the program is switched off. An edge without its backend serves nothing. To leave a module alone, keep it in the program.",
  *changes({ before, after }) {
    for (const old of before.ofType("TcpEdge")) {
      const next = after.all.get(old.urn);
      if (!next) continue;
      const off = Object.entries(old.declaration.fields)
        .filter(([, field]) => field.traits.removedAs !== undefined)
        .map(([name]) => name)
        .filter((name) => isOn(old.values[name]) && isOff(next.inputs[name]));
      if (off.length > 0) yield { on: next, message: `switched off: ${off.join(" and ")}`, field: off[0] };
    }
  },
};

function isOn(module: unknown): boolean {
  return isRecord(module) && module.enabled !== false;
}

/** As check writes a module that left the program. */
function isOff(module: unknown): boolean {
  return isRecord(module) && module.enabled === false && Object.keys(module).length === 1;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : "";
}
