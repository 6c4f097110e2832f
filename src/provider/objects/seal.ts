/** Seals the secret of a creation to the public key that the program gives, before anything else sees the answer. */
import type { Declaration } from "../../schema/declaration";
import { wireName } from "../../schema/field";
import type { Answer, Arguments } from "../../schema/values";
import { GatewayError } from "../errors";
import { sealedBoxFor } from "./sealed-box";

/** The answer to a creation with the sealed secret in the place of the secret. */
export type Seal = (answer: Answer) => Answer;

/**
 * How the answer to a creation with these arguments is sealed. It tries the key, so it comes before the creation: what fails
 * afterwards would lose the secret.
 */
export async function sealFor({ seals, fields, noun }: Declaration, args: Arguments): Promise<Seal> {
  const to = seals && args[seals.to];
  if (typeof to !== "string") return (answer) => answer;
  const [secret, sealed] = [seals!.secret, seals!.as].map((name) => wireName(name, fields[name]!));
  const seal = await sealedBoxFor(Buffer.from(to, "base64")).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError(
      `the ${noun} was not created, because its ${seals!.secret} cannot be sealed to ${seals!.to}: ${reason}. ` +
        "Check the key and that the package is installed with its dependencies",
    );
  });
  return ({ [secret!]: open, ...answer }) =>
    typeof open === "string" ? { ...answer, [sealed!]: seal(open) } : answer;
}
