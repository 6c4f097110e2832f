/** What each command of a world did, in a form that is the same on both engines: without ids, times and keys. */
import { declarationOf, declarations } from "../../../src/resources/registry";
import { holdsSecret } from "../../../src/schema/secrets";
import type { StateEntry } from "../../worlds/agreement";
import type { Ending, Sent, Stage } from "../../worlds/stage";

/** One command of a round. */
export interface CommandRecord {
  readonly what: string;
  readonly how: Ending["how"];
  /** Its writes, and of which collections it read objects. Undefined for one that failed: the moment of the failure decides. */
  readonly requests: readonly string[] | undefined;
  readonly account: readonly string[];
  readonly state: readonly string[];
}

/** What ids are called: the same on both engines. */
export type Labels = Map<string, string>;

/** An id that the emulator made. */
export const madeId = /\b[a-z][a-z\d]*_[0-9A-Za-z]{27}\b/g;

const collections = new Set(declarations.map(({ path }) => path));

/** What a read is about: of an object of a collection the collection. */
function readIn(path: string): string {
  const [subject] = path.split("?") as [string];
  const parent = subject.slice(0, subject.lastIndexOf("/"));
  return collections.has(parent) ? parent : subject.replace(madeId, "…");
}

/** What is random or depends on the time, and what takes its place. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "<uuid>"],
  [/emulated_\w+/g, "<token>"],
  [/-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----(\\n)?/g, "<pem>"],
  [/\b(ssh|ecdsa)-[\w@.-]+ [A-Za-z0-9+/=]+/g, "<key>"],
];

/** Members that hold what was made from random keys. */
const derived = new Set(["serial_number", "serialNumber", "key_sha256", "fingerprint", "sealedToken"]);

/** Lists to which steps that run at the same time add, in any order. */
const unordered = new Set(["sources", "sourceRefs"]);

export class Recorder {
  readonly records: CommandRecord[] = [];
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** @param labels shared by both engines. */
  constructor(private readonly labels: Labels) {}

  readonly onCommand = (what: string, { how }: Ending, sent: readonly Sent[], stage: Stage): void => {
    const { entries } = stage.stack.state;
    for (const { urn, id } of entries) this.name(id, urn);
    const account = stage.account.snapshot();
    for (const [collection, objects] of Object.entries(account)) {
      for (const object of objects) {
        const { id, ...content } = object;
        if (this.names.has(String(id)) || !madeIds(String(id))) continue;
        this.names.set(String(id), this.label(collection, this.text(content)));
      }
    }
    this.records.push({
      what,
      how,
      requests: how === "well" ? this.requests(sent) : undefined,
      account: Object.entries(account)
        .flatMap(([collection, objects]) => objects.map((object) => `${collection} ${this.text(object)}`))
        .sort(),
      state: entries.map((entry) => this.text({ ...entry, outputs: publicOf(entry) })).sort(),
    });
  };

  /** Each object that had the place of a resource has a name of its own. */
  private name(id: string, urn: string): void {
    if (this.names.has(id) || !madeIds(id)) return;
    const count = (this.counts.get(urn) ?? 0) + 1;
    this.counts.set(urn, count);
    this.names.set(id, `<${urn.split("::").slice(2).join(" ")} ${count}>`);
  }

  private label(collection: string, content: string): string {
    const key = `${collection} ${content}`;
    if (!this.labels.has(key)) this.labels.set(key, `<${collection} ${this.labels.size + 1}>`);
    return this.labels.get(key)!;
  }

  /**
   * Writes as often as they were sent. How often something was read, and whether the objects of a collection were read one by
   * one or as a list, depends on the order of answers. So does whether the list is read that proves a 404 (see absence.ts): no
   * other list may have answered before.
   */
  private requests(sent: readonly Sent[]): string[] {
    const writes = sent.filter(({ method }) => method !== "GET");
    const reads = sent.filter(({ method, path }) => method === "GET" && !path.startsWith("/endpoints?"));
    return [
      ...writes.map(({ method, path, body }) => `${method} ${this.text(path)} ${this.text(parsed(body))}`),
      ...new Set(reads.map(({ path }) => `GET ${readIn(path)}`)),
    ].sort();
  }

  private text(value: unknown): string {
    let text = JSON.stringify(sorted(value)) ?? "";
    text = text.replace(/http:\/\/127\.0\.0\.1:\d+/g, "");
    for (const [pattern, word] of passing) text = text.replace(pattern, word);
    return text.replace(madeId, (id) => this.names.get(id) ?? "<gone>");
  }
}

/** Made of base URL and key, by the hooks that Pulumi calls; the small engine calls the life cycle itself. */
const accountMark = "__account";

/** The outputs without secrets: whether one of them is null shows on the small engine alone. */
function publicOf({ type, outputs }: StateEntry): object {
  const { fields } = declarationOf(type);
  const isSecret = (name: string) => Object.hasOwn(fields, name) && holdsSecret(fields[name]!);
  return Object.fromEntries(
    Object.entries(outputs).filter(([name]) => !isSecret(name) && name !== accountMark),
  );
}

const madeIds = (id: string): boolean => new RegExp(madeId.source).test(id);

function parsed(body: unknown): unknown {
  return typeof body === "string" ? (JSON.parse(body) as unknown) : body;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).filter(([name]) => !derived.has(name));
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, unordered.has(name) ? byText(sorted(item)) : sorted(item)]),
  );
}

/** A list in the order of its items' texts; another value as it is. */
function byText(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((item) => JSON.stringify(item))
    .sort()
    .map((text) => JSON.parse(text) as unknown);
}

/** The first command that differs, in words; undefined where there is none. */
export function difference(
  small: readonly CommandRecord[],
  real: readonly CommandRecord[],
): string | undefined {
  for (let i = 0; i < Math.max(small.length, real.length); i++) {
    const [one, other] = [small[i], real[i]];
    if (one?.what !== other?.what || one?.how !== other?.how)
      return `Command ${i + 1}: ${wordsOf(one)} on the small engine, ${wordsOf(other)} on the real one.`;
    const wrong = (["requests", "account", "state"] as const).flatMap((part) =>
      differing(part, one?.[part] ?? [], other?.[part] ?? []),
    );
    if (wrong.length > 0) return `Command ${i + 1}, ${wordsOf(one)}:\n${wrong.join("\n")}`;
  }
  return undefined;
}

const wordsOf = (record: CommandRecord | undefined): string =>
  record === undefined ? "nothing" : `${record.what} ended: ${record.how}`;

function differing(part: string, small: readonly string[], real: readonly string[]): string[] {
  const more = (these: readonly string[], those: readonly string[]): string[] => {
    const left = [...those];
    return these.filter((each) => {
      const at = left.indexOf(each);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return [
    ...more(small, real).map((each) => `${part}, small engine only: ${each}`),
    ...more(real, small).map((each) => `${part}, real engine only: ${each}`),
  ];
}
