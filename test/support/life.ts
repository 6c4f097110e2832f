/** The life of an object through the hooks, with a service of the test's own. */
import { checkArguments, problemText } from "../../src/schema/validate";
import type { Declaration } from "../../src/schema/declaration";
import type { ValidationContext } from "../../src/schema/field";
import type { Json } from "../../src/schema/json";
import type { ObjectClient } from "../../src/provider/life-cycle/object-client";
import { LifeCycle } from "../../src/provider/life-cycle/life-cycle";
import type { Connection } from "../../src/provider/life-cycle/connection";
import { Diagnostics } from "../../src/provider/diagnostics";
import type { GatewayError } from "../../src/provider/errors";
import { toWire } from "../../src/provider/life-cycle/wire";
import { plain } from "./in-process/values";

/** What is reported of wrong arguments: in a program, or in the plugin where the context holds the old ones. */
export function problems(declaration: Declaration, args: Json, context: ValidationContext = {}): string[] {
  return checkArguments(declaration.fields, declaration.rules, args, context).map(problemText);
}

export interface Sent {
  readonly verb: "create" | "update" | "delete";
  readonly body?: Json;
}

/** A life cycle over a service that stores what it is sent and shows it as `answer` says. It notes what it was sent. */
export class Life {
  /** The id of the one object. */
  id = "id_1";
  now = Date.parse("2030-06-01T12:00:00Z");
  /** Why the answer to a create is of no use. */
  problem: GatewayError | undefined;
  /** What only the answer to a create holds. */
  once: Json = {};
  /** The object as the service stores it: all that was sent of it. Undefined once it is gone. */
  stored: Json | undefined = {};
  reads = 0;
  readonly sent: Sent[] = [];
  readonly lines: string[] = [];
  readonly cycle: LifeCycle;

  constructor(
    readonly declaration: Declaration,
    /** What the service answers of the object that it stores. What it throws is the failure of the request. */
    public answer: (stored: Json) => Json,
    settings: { patchUndocumented?: boolean } = {},
  ) {
    const isPatched = declaration.style === "collection";
    const note = (verb: Sent["verb"], body: Json): Promise<Json> => {
      this.sent.push({ verb, body });
      const stored = (this.stored = verb === "update" && isPatched ? { ...this.stored, ...body } : body);
      return Promise.resolve(stored).then((object) => ({ id: this.id, ...this.answer(object) }));
    };
    const access: Pick<ObjectClient, "create" | "read" | "update" | "remove"> = {
      create: async (args) => ({
        id: this.id,
        answer: { ...(await note("create", toWire(declaration.fields, args))), ...this.once },
        ...(this.problem && { problem: this.problem }),
      }),
      read: () => {
        this.reads += 1;
        return Promise.resolve(this.stored && { id: this.id, ...this.answer(this.stored) });
      },
      update: (_id, { changed, args }) =>
        note("update", toWire(declaration.fields, isPatched ? changed : args)),
      remove: () => {
        this.sent.push({ verb: "delete" });
        return Promise.resolve(undefined);
      },
    };
    const connection = {
      settings: { apiKey: "", baseUrl: "", patchUndocumented: false, requestTimeout: 60, ...settings },
      objectClient: () => access,
      http: { timing: { now: () => this.now }, serverTime: () => undefined },
    } as unknown as Connection;
    this.cycle = new LifeCycle(declaration, () => connection, {
      now: () => this.now,
      diagnostics: new Diagnostics((line) => this.lines.push(line)),
    });
  }

  /** The arguments as the engine stores them, secrets in plain text. */
  async check(olds: Json, news: Json): Promise<Json> {
    return plain((await this.cycle.check(olds, news)).inputs);
  }

  /** Makes the object and returns the state that the engine keeps, secrets in plain text. */
  async create(args: Json): Promise<Json> {
    return plain((await this.cycle.create(args)).outs);
  }

  /** What a refresh finds: the state, and the inputs where there is drift. */
  async read(state: Json): Promise<{ state: Json; inputs?: Json }> {
    const found = await this.cycle.read(this.id, state);
    const inputs = plain(found.inputs);
    return { state: plain(found.props), ...(inputs ? { inputs } : {}) };
  }

  async update(state: Json, args: Json): Promise<Json> {
    return plain((await this.cycle.update(this.id, state, args)).outs);
  }

  /** "none", "update", or the arguments that replace the object. */
  async diff(state: Json, args: Json): Promise<string> {
    const { changes, replaces } = await this.cycle.diff(this.id, state, args);
    if (replaces && replaces.length > 0) return `replace: ${replaces.join(", ")}`;
    // Undefined leaves it to the engine, which compares the inputs and finds the change.
    return changes === false ? "none" : "update";
  }
}

/** How the service answers a rule: a Ref in the place of the id. */
export const asRule = ({ ip_policy_id: id, ...rest }: Json): Json => ({
  ...rest,
  ip_policy: { id, uri: `https://gateway.test/ip_policies/${String(id)}` },
});
