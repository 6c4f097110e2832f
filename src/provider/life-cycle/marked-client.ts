/** The objects of a collection with a secret that only the answer to their creation holds. Some are sealed before anything sees them. */
import { wireName } from "../../schema/field";
import { creationOwner } from "../../schema/metadata";
import { noState } from "../../schema/recorded-state";
import { isHiddenSecret, secretsOfCreation } from "../../schema/secrets";
import type { Answer, Arguments } from "../../schema/values";
import type { Budget } from "../http/retry";
import { noteCreation } from "./absence";
import type { CreatedObject } from "./answers";
import { CollectionClient } from "./collection-client";
import { MarkedCreate } from "./marked-create";
import type { CreationSteps } from "./marked-create";
import { sealFor } from "./seal";

export class MarkedClient extends CollectionClient {
  /** The requests of a creation with a mark. */
  steps(): CreationSteps {
    return {
      post: (marked, budget) => this.post(marked, budget),
      update: (id, changed) => this.update(id, { changed, prior: noState }),
      remove: (id) => {
        // The mark proves that this creation did not finish.
        noteCreation(this.http, this.address(id));
        return this.remove(id, noState);
      },
    };
  }

  protected override createOnce(args: Arguments, urn?: string): Promise<CreatedObject> {
    const creation = new MarkedCreate(this.declaration, this.http, this.steps());
    return creation.create(args, creationOwner(args.metadata, urn));
  }

  protected override async post(args: Arguments, budget: Budget): Promise<CreatedObject> {
    const seal = await sealFor(this.declaration, args);
    const created = await super.post(args, budget);
    return { ...created, answer: seal(created.answer) };
  }

  protected override created(answer: Answer): CreatedObject {
    const { fields } = this.declaration;
    const names = secretsOfCreation(fields).map((name) => wireName(name, fields[name]!));
    const missing = names.find((name) => isHiddenSecret(answer[name]));
    return super.created(
      answer,
      this.validator(answer) ?? (missing === undefined ? undefined : `the member ${missing} is missing`),
    );
  }
}
