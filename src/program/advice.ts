/** Warnings about arguments that are valid but look wrong. They do not stop the program. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { isAbsent } from "../schema/unknown";
import { adviceOfRules, adviceOn, mayAdvise, problemText } from "../schema/validate";

/** The member of an Output that Pulumi does not publish: the value, undefined if it stays unknown. */
interface Awaitable {
  promise(): Promise<unknown>;
}

/**
 * Warns on the resource, once in a run of the program, also about values that become known after its construction. A
 * value that stays unknown in a preview gets its warnings in the update.
 */
export function warnOf(
  resource: pulumi.Resource,
  { fields, rules }: Pick<Declaration, "fields" | "rules">,
  args: Json,
): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = args[name];
    if (isAbsent(value) || !mayAdvise(field)) continue;
    warnLater(resource, value, (known) => adviceOn(field, known, name).map(problemText));
  }
  for (const rule of rules.filter(({ advisory }) => advisory)) {
    const members = Object.fromEntries(rule.members.map((name) => [name, args[name]]));
    warnLater(resource, members, (known) => adviceOfRules([rule], known).map(problemText));
  }
}

/** Warns on the resource as soon as it is registered and the value is known. */
export function warnLater<T>(
  resource: pulumi.Resource,
  value: pulumi.Input<T>,
  textsOf: (known: pulumi.Unwrap<T>) => readonly string[],
): void {
  // Pulumi logs in order, so a log line that waits for the URN of a resource that is never registered would hold
  // back all later ones, the error about the wrong arguments included.
  const warned = sdk.all([resource.urn, value]).apply(([, known]) => {
    for (const text of textsOf(known)) void sdk.log.warn(text, resource);
  });
  // The program may end as soon as the resource is registered, which is before the line above.
  const finish = sdk.rpcKeepAlive();
  void (warned as unknown as Awaitable).promise().then(finish, finish);
}
