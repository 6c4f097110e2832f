import { MockAgent } from "undici";
import type { Declaration } from "../../src/schema/declaration";
import type { Json } from "../../src/schema/json";
import { plain } from "./in-process/values";
import { Plugin } from "./plugin";

const origin = "https://gateway.test";
export const key = "the-key-of-the-stack";

interface Sent {
  line: string;
  body: unknown;
}

/** The hooks, whose answers Pulumi's own types leave open. */
export interface Hooks {
  check(olds: Json, news: Json): Promise<{ inputs: Json; failures?: { property: string; reason: string }[] }>;
  diff(
    id: string,
    state: Json,
    args: Json,
  ): Promise<{ changes?: boolean; replaces: string[]; deleteBeforeReplace?: boolean }>;
  create(inputs: Json): Promise<{ id: string; outs: Json }>;
  read(id: string, props: Json): Promise<{ id: string; props: Json; inputs?: Json }>;
  update(id: string, olds: Json, news: Json): Promise<{ outs: Json }>;
  delete(id: string, props?: Json): Promise<void>;
}

/** Where an answer differs from what was sent. */
export type Answer = (stored: Json) => Json;

/** A collection in memory behind undici's MockAgent: what is sent is kept, and answered by `answer`. */
export class AnsweringService {
  readonly sent: Sent[] = [];
  readonly objects = new Map<string, Json>();
  answer: Answer = (stored) => stored;
  /** What only the answer to a create holds. */
  once: Json = {};
  readonly cycle: Hooks;

  constructor(private readonly declaration: Declaration) {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"]) {
      dispatcher
        .get(origin)
        .intercept({ path: () => true, method })
        .reply((request) => this.reply(method, request.path, request.body))
        .persist();
    }
    const options = { dispatcher, now: () => Date.UTC(2026, 0, 1) };
    this.cycle = new Plugin({ apiKey: key, baseUrl: `${origin}/api` }, options).hooksOf(declaration) as Hooks;
  }

  /** What was sent since the last call, reads apart. */
  writes(): Sent[] {
    return this.sent.splice(0).filter(({ line }) => !line.startsWith("GET"));
  }

  /** Creates by check and create, as up does. */
  async created(args: Json): Promise<{ id: string; inputs: Json; outs: Json }> {
    const { inputs } = await this.cycle.check({}, args);
    const { id, outs } = await this.cycle.create(plain(inputs));
    return { id, inputs: plain(inputs), outs: plain(outs) };
  }

  private reply(method: string, path: string, text: unknown): { statusCode: number; data: object | string } {
    const { pathname } = new URL(path, origin);
    const below = pathname.replace("/api", "");
    const body = typeof text === "string" ? (JSON.parse(text) as Json) : undefined;
    this.sent.push({ line: `${method} ${below}`, body });
    const id = below.slice(this.declaration.path.length + 1);
    const stored = this.objects.get(id);
    if (method === "POST") return this.made(body!);
    if (id === "") return { statusCode: 200, data: this.listed() };
    if (!stored) return { statusCode: 404, data: { msg: "there is none" } };
    if (method === "GET") return { statusCode: 200, data: this.answer(stored) };
    if (method === "DELETE") {
      this.objects.delete(id);
      return { statusCode: 204, data: "" };
    }
    const changed = { ...stored, ...body };
    this.objects.set(id, changed);
    return { statusCode: 200, data: this.answer(changed) };
  }

  private made(body: Json): { statusCode: number; data: object } {
    const id = `${this.declaration.idPrefix ?? ""}${this.objects.size + 1}`;
    const stored = { id, uri: `${origin}/x/${id}`, created_at: "2026-01-01T00:00:00Z", ...body };
    this.objects.set(id, stored);
    return { statusCode: 201, data: { ...this.answer(stored), ...this.once } };
  }

  private listed(): object {
    const all = [...this.objects.values()].map((stored) => this.answer(stored));
    return { [this.declaration.listKey!]: all, uri: origin, next_page_uri: null };
  }
}

/** How the service answers a rule: a Ref in the place of the id. */
export const asRule: Answer = ({ ip_policy_id: id, ...rest }) => ({
  ...rest,
  ip_policy: { id, uri: `${origin}/ip_policies/${String(id)}` },
});
