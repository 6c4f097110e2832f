/**
 * The report of `import --adopt`: which object belongs to which resource, which pairs are ambiguous, and which resources are new.
 */
import { objectLabel } from "../../inventory/label";
import type { AccountObject } from "../../inventory/account-contents";
import { paragraph, textTable } from "../../output/document";
import type { DocumentBlock } from "../../output/document";
import { counted, firstOf, most10 } from "../../../schema/text/phrase";
import { secretsOfCreation } from "../../../schema/secrets";
import type { AdoptedPair } from "./adopt-file";
import type { Outcome } from "./pairing";
import type { PlannedCreate } from "./planned";

/** @param left the objects of the account that belong to no resource. */
export function adoptionBlocks(
  pairs: readonly AdoptedPair[],
  outcomes: readonly Outcome[],
  left: readonly AccountObject[],
): DocumentBlock[] {
  const ambiguous = outcomes.filter((each) => each.kind === "ambiguous");
  const fresh = outcomes.filter(({ kind }) => kind === "new");
  const tokens = pairs.filter(({ create }) => secretsOfCreation(create.declaration.fields).length > 0);
  return [
    ...(pairs.length > 0
      ? [textTable(["resource", "id", "object", "known by", "the next up"], pairs.map(rowOf), "pair")]
      : []),
    ...ambiguous.map(({ create, objects }) =>
      paragraph(
        `${named(create)} is not adopted, because several objects may be its own: ${objectsText(objects)}. Import the right one with ` +
          `"npx pulumi-tunnel-gateway import ${create.declaration.type} ${create.name} <id>"; otherwise the next up creates another one.`,
      ),
    ),
    ...outcomes
      .filter(({ kind }) => kind === "rotates")
      .map(({ create }) =>
        paragraph(
          `${named(create)} is not adopted, because the token of its key is lost with the state. The next up creates a new key; ` +
            "delete the old one when nobody uses it any more.",
        ),
      ),
    ...(tokens.length > 0
      ? [
          paragraph(
            `The token is not known of ${firstOf(
              tokens.map(({ create }) => named(create)),
              most10,
            )}: the service shows it only once. ` +
              "A program that uses the token fails until the key is replaced.",
          ),
        ]
      : []),
    ...(fresh.length > 0
      ? [
          paragraph(
            `New, so the next up creates ${counted(fresh.length, "object")}: ` +
              `${firstOf(
                fresh.map(({ create }) => named(create)),
                most10,
              )}.`,
          ),
        ]
      : []),
    ...(left.length > 0
      ? [
          paragraph(
            `Of no resource of the program: ${counted(left.length, "object")}. "npx pulumi-tunnel-gateway orphans --stack <name>" lists them after the import.`,
          ),
        ]
      : []),
  ];
}

function rowOf({ create, object, by, changes }: AdoptedPair): string[] {
  const paths = firstOf(
    changes.map(({ path }) => path),
    most10,
  );
  const next =
    changes.length === 0
      ? "no change"
      : `${changes.some(({ replaces }) => replaces) ? "replaces it" : "updates it"}: ${paths}`;
  return [named(create), object.id, objectLabel(object) ?? "", by, next];
}

function named({ declaration, name }: PlannedCreate): string {
  return `${declaration.type} ${name}`;
}

function objectsText(objects: readonly AccountObject[]): string {
  const texts = objects.map((object) => {
    const label = objectLabel(object);
    return label === undefined ? object.id : `${object.id} (${label})`;
  });
  return firstOf(texts, most10);
}
