/** The life of an object through the hooks, with a service of the test's own. */
import { checkArguments, sentence } from "../../src/schema/validate";
import type { Declaration } from "../../src/schema/declaration";
import type { ValidationContext } from "../../src/schema/field";
import type { Json } from "../../src/schema/json";
import type { ObjectClient } from "../../src/provider/objects/object-client";
import { LifeCycle } from "../../src/provider/life-cycle/life-cycle";
import type { Connection } from "../../src/provider/connection";
import { Diagnostics } from "../../src/provider/diagnostics";
import type { GatewayError } from "../../src/provider/errors";
import { toWire } from "../../src/provider/wire";
import { plain } from "./in-process/values";

/** What is reported of wrong arguments: in a program, or in the plugin where the context holds the old ones. */
export function problems(declaration: Declaration, args: Json, context: ValidationContext = {}): string[] {
  return checkArguments(declaration.fields, declaration.rules, args, context).map(sentence);
}

export interface Sent {
  readonly verb: "create" | "update" | "delete";
  readonly body?: Json;
}

/** A life cycle whose service answers what `answer` makes of a body, and which notes what it was sent. */
export class Life {
  /** The id of the one object. */
  id = "id_1";
  now = Date.parse("2030-06-01T12:00:00Z");
  /** Why the answer to a create is of no use. */
  problem: GatewayError | undefined;
  readonly sent: Sent[] = [];
  readonly lines: string[] = [];
  readonly cycle: LifeCycle;

  constructor(
    readonly declaration: Declaration,
    /** What the service answers to a body; to a read, to the last one. What it throws is the failure of the request. */
    public answer: (body: Json) => Json,
    settings: { patchUndocumented?: boolean } = {},
  ) {
    const note = (verb: Sent["verb"], body: Json): Promise<Json> => {
      this.sent.push({ verb, body });
      return Promise.resolve(body).then((sent) => ({ id: this.id, ...this.answer(sent) }));
    };
    const access: Pick<ObjectClient, "create" | "read" | "update" | "remove"> = {
      create: async (args) => ({
        id: this.id,
        answer: await note("create", toWire(declaration.fields, args)),
        ...(this.problem && { problem: this.problem }),
      }),
      read: () => Promise.resolve({ id: this.id, ...this.answer(this.sent.at(-1)?.body ?? {}) }),
      update: (_id, { changed, full }) =>
        note("update", toWire(declaration.fields, declaration.style === "collection" ? changed : full)),
      remove: () => {
        this.sent.push({ verb: "delete" });
        return Promise.resolve();
      },
    };
    const connection = {
      settings: { apiKey: "", baseUrl: "", patchUndocumented: false, requestTimeout: 60, ...settings },
      objectClient: () => access,
    } as unknown as Connection;
    this.cycle = new LifeCycle(declaration, () => connection, {
      now: () => this.now,
      diagnostics: new Diagnostics((line) => this.lines.push(line)),
    });
  }

  /** Makes the object and returns the state that the engine keeps, secrets in plain text. */
  async create(args: Json): Promise<Json> {
    return plain((await this.cycle.create(args)).outs) as Json;
  }

  /** What a refresh finds: the state, and the inputs where there is drift. */
  async read(state: Json): Promise<{ state: Json; inputs?: Json }> {
    const found = await this.cycle.read(this.id, state);
    const inputs = plain(found.inputs) as Json | undefined;
    return { state: plain(found.props) as Json, ...(inputs ? { inputs } : {}) };
  }

  async update(state: Json, args: Json): Promise<Json> {
    return plain((await this.cycle.update(this.id, state, args)).outs) as Json;
  }

  /** "none", "update", or the arguments that replace the object. */
  async diff(state: Json, args: Json): Promise<string> {
    const { changes, replaces } = await this.cycle.diff(this.id, state, args);
    if (replaces && replaces.length > 0) return `replace: ${replaces.join(", ")}`;
    // Undefined leaves it to the engine, which compares the inputs and finds the change.
    return changes === false ? "none" : "update";
  }
}
