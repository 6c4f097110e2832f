/** Every declaration, by its type. */
import type { Declaration } from "../declaration/collection";
import { apiKey } from "./api-key";
import { ipPolicy } from "./ip-policy";
import { ipPolicyRule } from "./ip-policy-rule";

export const declarations: readonly Declaration[] = [apiKey, ipPolicy, ipPolicyRule];

/** The declaration of a type; a type that a state names and this version does not know is an error. */
export function declarationOf(type: string): Declaration {
  const found = declarations.find((declaration) => declaration.type === type);
  if (!found) throw new Error(`this version of pulumi-tunnel-gateway knows no resource type ${type}`);
  return found;
}
