/**
 * The creation of objects with a secret that only the answer to the creation holds, such as an API key's token.
 *
 * Where that answer is lost, the secret is lost too, and the object must not stay in the account: it would be a key
 * that no one manages. So the object is created with a random mark in its metadata, which a second request replaces
 * with the metadata that the program wants. The object of a lost answer is found by its mark with certainty,
 * deleted, and created again. With the setting stampMetadata the mark names the resource too, so what an earlier process
 * created and did not finish is deleted as well.
 */
import type { Declaration } from "../../schema/declaration";
import { newCreationMark, ownerInMark } from "../../schema/metadata";
import { wireName } from "../../schema/field";
import { argumentsFrom } from "../../schema/values";
import type { Answer, Arguments } from "../../schema/values";
import { outputsOfCreation } from "../../schema/sealing";
import type { CreatedObject } from "./answers";
import { isLost, mayBeMade, UndecidedError } from "../errors";
import type { GatewayError } from "../errors";
import type { Http } from "../http/http";
import { secondLook } from "./lost-creates";
import { listRequest, pages } from "../http/pagination";
import type { Budget } from "../http/retry";
import { upAgain } from "../settings/broker-settings";

/** The requests of a creation, each sent until it is answered or its answer is lost. */
export interface CreationSteps {
  post(args: Arguments, budget: Budget): Promise<CreatedObject>;
  update(id: string, changed: Arguments): Promise<Answer>;
  remove(id: string): Promise<unknown>;
}

export class MarkedCreate {
  /** The marks of the requests whose answers were lost. */
  private readonly lostMarks = new Set<string>();

  constructor(
    private readonly declaration: Declaration,
    private readonly http: Http,
    private readonly steps: CreationSteps,
  ) {}

  /**
   * Creates the object. Throws an UndecidedError if an object of a lost answer may be left.
   * @param owner the name of the resource in the mark; undefined without the setting stampMetadata.
   */
  async create(args: Arguments, owner?: string): Promise<CreatedObject> {
    const budget = this.http.budget();
    for (;;) {
      const mark = newCreationMark(owner);
      try {
        const created = await this.steps.post({ ...args, metadata: mark }, budget);
        await this.removeLate(mark);
        return created.problem ? created : await this.finished(created, args);
      } catch (error) {
        if (!mayBeMade(error)) throw error;
        this.lostMarks.add(mark);
        const isOneEnough = await this.http.prepareSearch(error, budget);
        await this.removeLost(mark, error as GatewayError, isOneEnough);
        if (!isLost(error)) throw error;
        if (!isOneEnough) await this.http.pause(error, budget);
      }
    }
  }

  /** Replaces the mark. If that fails, the object is recorded with its secret, and the next up repairs it. */
  private async finished(created: CreatedObject, args: Arguments): Promise<CreatedObject> {
    try {
      const answer = await this.steps.update(created.id, argumentsFrom({ metadata: args.metadata ?? "" }));
      return { id: created.id, answer: { ...answer, ...this.secretsIn(created.answer) } };
    } catch (error) {
      return { ...created, problem: error as GatewayError };
    }
  }

  private secretsIn(answer: Answer): Answer {
    const { fields } = this.declaration;
    const names = outputsOfCreation(this.declaration).map((name) => wireName(name, fields[name]!));
    return Object.fromEntries(names.map((name) => [name, answer[name]]));
  }

  /** Deletes the object of a lost answer, if the service created it. */
  private async removeLost(mark: string, lost: GatewayError, isOneEnough: boolean): Promise<void> {
    if ((await this.removeMarked(mark, lost)) || isOneEnough) return;
    await this.http.pauseToLookAgain(secondLook);
    await this.removeMarked(mark, lost);
  }

  /**
   * Deletes objects that the service created after the search for them, because a gateway's 504 may come before the work
   * ends, and objects that a killed process created for the same resource.
   */
  private async removeLate(own: string): Promise<void> {
    const owner = ownerInMark(own);
    if (this.lostMarks.size === 0 && owner === undefined) return;
    const isLeft = (mark: string): boolean =>
      mark !== own && (this.lostMarks.has(mark) || (owner !== undefined && ownerInMark(mark) === owner));
    try {
      for (const id of await this.idsWith(isLeft)) await this.steps.remove(id);
    } catch (error) {
      const marks = [...this.lostMarks, ...(owner === undefined ? [] : [`… ${owner}`])].join(", ");
      this.http.report(
        `${(error as Error).message}. If one of the ${this.declaration.plural} has the metadata ${marks}, ` +
          `delete it: its creation was never answered`,
      );
    }
  }

  private async removeMarked(mark: string, lost: GatewayError): Promise<boolean> {
    const { noun, plural } = this.declaration;
    const ids = await this.idsWith((metadata) => metadata === mark).catch(({ message }: Error) => {
      throw new UndecidedError(
        `${lost.message}. It is not known whether it was created, because the search for it failed too: ` +
          `${message}. If one of the ${plural} has the metadata ${JSON.stringify(mark)}, ` +
          `delete it, and ${upAgain()}`,
      );
    });
    for (const id of ids) {
      await this.steps.remove(id).catch(({ message }: Error) => {
        throw new UndecidedError(
          `${lost.message}. The ${noun} ${id} was created, and its secret is lost. Deleting it failed: ` +
            `${message}. Delete it, and ${upAgain()}`,
        );
      });
    }
    return ids.length > 0;
  }

  private async idsWith(isMeant: (metadata: string) => boolean): Promise<string[]> {
    const { noun } = this.declaration;
    const list = {
      ...listRequest(this.declaration),
      operation: `searching for the ${noun} of an unanswered create`,
    };
    const ids: string[] = [];
    for await (const page of pages(this.http, list)) {
      for (const { id, metadata } of page) {
        if (typeof id === "string" && typeof metadata === "string" && isMeant(metadata)) ids.push(id);
      }
    }
    return ids;
  }
}
