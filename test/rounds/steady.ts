/** Values as texts that are the same in every run: with names for ids, and without what a service makes up. */

/** Times, keys and certificates, which a service makes anew for each object, and the mark of its base URL and key. */
const madeUp =
  /^((__)?created_?at|updated_?at|rotat(ed|es)_?(at|after)|token|sealed_?token|certificate|valid_?(after|until)|cert|binding_?cert|__account)$/i;
const madeUpId = /\b([a-z][a-z\d]*)_[0-9A-Za-z]{27}\b/g;
const creationMark = /(?<=pulumi-tunnel-gateway creation )[\da-f-]{36}/g;

export class SteadyTexts {
  private readonly names = new Map<string, string>();

  /** Where the service is. */
  constructor(private readonly baseUrl: string) {}

  /** Names an object: the first one of a resource is `<name 1>`. */
  name(id: string, resource: string): void {
    if (this.names.has(id)) return;
    const count = [...this.names.values()].filter((name) => name.startsWith(`<${resource} `)).length;
    this.names.set(id, `<${resource} ${count + 1}>`);
  }

  of(value: unknown): string {
    let text = JSON.stringify(value, (key, member: unknown) =>
      madeUp.test(key) && member !== null && member !== undefined ? "<made up>" : inOrder(member),
    );
    for (const [id, name] of this.names) text = text.replaceAll(id, name);
    return text
      .replaceAll(this.baseUrl, "")
      .replaceAll(creationMark, "<mark>")
      .replaceAll(madeUpId, "<an id of $1>");
  }
}

/** A value whose members are in the order of their names. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
