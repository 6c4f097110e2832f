/**
 * A current and a previous key of a collection as one resource.
 *
 * A process may die between any two requests, and then the state does not record a key that it created. So each step
 * leaves a trace in the account, by which the next update or deletion finds that key: a new key carries a mark that names
 * the resource, and before that mark is replaced, the metadata of the current key names the new key as its successor.
 * The token of such a key is lost with the process, so the key is deleted.
 */
import type { Declaration } from "../../schema/declaration";
import { ownerInMark, successionMark, successorInMark } from "../../schema/metadata";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { argumentsFrom, outputsFrom } from "../../schema/values";
import type { Answer, Arguments } from "../../schema/values";
import type { CreatedObject } from "./answers";
import { ifFound, proveAbsence } from "./absence";
import { IncompleteError } from "../errors";
import type { Http } from "../http/http";
import { MarkedCreate } from "./marked-create";
import { MarkedClient } from "./marked-client";
import type { ObjectClient, UpdateArguments } from "./object-client";
import { listRequest, pages } from "../http/pagination";
import { secondsText } from "../../schema/formats/time";
import { rotationDue, rotationTime } from "./renewal";

/** The ids of a resource's keys; undefined if there is none. */
interface Keys {
  readonly current?: string;
  readonly previous?: string;
}

export class RotatingClient implements ObjectClient {
  private readonly keys: MarkedClient;

  constructor(
    private readonly declaration: Declaration,
    private readonly keyDeclaration: Declaration,
    private readonly http: Http,
  ) {
    this.keys = new MarkedClient(keyDeclaration, http);
  }

  /** The id of the resource is that of its first key. */
  async create(args: Arguments, urn?: string): Promise<CreatedObject> {
    const created = await this.keys.create(args, urn);
    const answer = this.answer(created.id, created.answer, { current: created.id }, args);
    return { ...created, answer };
  }

  async read(id: string, prior: RecordedState): Promise<Answer | undefined> {
    const { current, previous } = keysIn(id, prior);
    const state = stateOfKeys(prior);
    const [key, old] = [await this.keyOf(current, state), await this.keyOf(previous, state)];
    if (key === undefined && old === undefined) return undefined;
    const left = { current: key ? current : undefined, previous: old ? previous : undefined };
    // The metadata of the previous key names its successor.
    const answer = key ?? { ...old, metadata: prior.outputs.metadata };
    return {
      ...this.answer(id, answer, left, argumentsFrom({}), prior.outputs.rotatedAt),
      rotates_after: prior.outputs.rotatesAfter,
    };
  }

  /** A rotation has no object of its own, so this reads its first key. */
  lookUp(id: string): Promise<Answer | undefined> {
    return this.read(id, noState);
  }

  async update(id: string, { changed, args, prior }: UpdateArguments): Promise<Answer> {
    const [keys, key] = [keysIn(id, prior), stateOfKeys(prior)];
    const held = await this.withoutStrays(id, keys);
    const due = rotationDue(this.declaration, prior, args, this.http.timing.now());
    if (due?.removes !== undefined) await this.keys.remove(due.removes, key);
    const previous = due?.removes === undefined ? keys.previous : undefined;
    const current =
      held.has(keys.current ?? "") || (await this.keyOf(keys.current, key)) ? keys.current : undefined;
    if (due?.creates || current === undefined) return this.rotated(id, args, { current, previous });
    const answer =
      Object.keys(changed).length > 0
        ? await this.keys.update(current, { changed, prior: key })
        : ((await this.keyOf(current, key)) ?? {});
    return this.answer(id, answer, { current, previous }, args, prior.outputs.rotatedAt);
  }

  async remove(id: string, prior: RecordedState): Promise<undefined> {
    const keys = keysIn(id, prior);
    await this.withoutStrays(id, keys);
    for (const key of [keys.previous, keys.current])
      if (key !== undefined) await this.keys.remove(key, stateOfKeys(prior));
    return undefined;
  }

  /** Creates the next key. The current one becomes the previous one. */
  private async rotated(id: string, args: Arguments, { current, previous }: Keys): Promise<Answer> {
    const predecessor = current ?? previous;
    const steps = this.keys.steps();
    const creation = new MarkedCreate(this.keyDeclaration, this.http, {
      ...steps,
      update: async (created, changed) => {
        if (predecessor !== undefined) await this.nameSuccessor(predecessor, created);
        return steps.update(created, changed);
      },
      // A key of the state that still has its mark, because its creation was not completed, stays valid.
      remove: async (key) => {
        if (key !== current && key !== previous) await steps.remove(key);
      },
    });
    const { id: created, answer, problem } = await creation.create(args, rotationOf(id));
    const rotated = this.answer(id, answer, { current: created, previous: predecessor }, args);
    if (problem === undefined) return rotated;
    throw new IncompleteError(problem.message, id, rotated);
  }

  /** Writes the id of the successor into the metadata of a key. A key that was deleted meanwhile is skipped. */
  private async nameSuccessor(predecessor: string, successor: string): Promise<void> {
    const changed = argumentsFrom({ metadata: successionMark(successor) });
    const named = this.keys.update(predecessor, { changed, prior: noState });
    await ifFound(named, (refusal) => proveAbsence(this.http, refusal, listRequest(this.keyDeclaration)));
  }

  private async keyOf(key: string | undefined, prior: RecordedState): Promise<Answer | undefined> {
    return key === undefined ? undefined : this.keys.read(key, prior);
  }

  /** Deletes the keys of earlier processes that the state does not know, and returns the ids of all others. */
  private async withoutStrays(id: string, { current, previous }: Keys): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    const strays = new Set<string>();
    const list = {
      ...listRequest(this.keyDeclaration),
      operation: `looking for the ${this.keyDeclaration.plural} of ${id}`,
    };
    for await (const page of pages(this.http, list)) {
      for (const key of page) {
        held.add(String(key.id));
        if (ownerInMark(key.metadata) === rotationOf(id)) strays.add(String(key.id));
        const successor = key.id === current ? successorInMark(key.metadata) : undefined;
        if (successor !== undefined) strays.add(successor);
      }
    }
    for (const stray of strays) {
      if (stray === current || stray === previous) continue;
      await this.keys.remove(stray, noState);
      held.delete(stray);
    }
    return held;
  }

  /** The resource in the form of an answer. `key`: the answer about its current key. */
  private answer(
    id: string,
    key: Answer,
    keys: Keys,
    args: Arguments,
    rotatedAt: unknown = key.created_at,
  ): Answer {
    const at = typeof rotatedAt === "string" ? rotatedAt : secondsText(this.http.timing.now());
    return {
      ...key,
      id,
      key_id: keys.current ?? null,
      previous_key_id: keys.previous ?? null,
      rotated_at: at,
      rotates_after: rotationTime(at, args),
    };
  }
}

/** The keys that the state knows. The first key has the id of the resource. */
function keysIn(id: string, { outputs }: RecordedState): Keys {
  const { keyId, previousKeyId, rotatedAt } = outputs;
  const current = keyId ?? (rotatedAt === undefined ? id : undefined);
  return { current: current as string | undefined, previous: previousKeyId as string | undefined };
}

/** What the state knows of both keys: neither was created later. */
function stateOfKeys({ outputs }: RecordedState): RecordedState {
  return { ...noState, outputs: outputsFrom({ createdAt: outputs.rotatedAt }) };
}

/** How the mark of a new key names the resource. */
function rotationOf(id: string): string {
  return `rotation of ${id}`;
}
