import * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { stampText } from "../schema/metadata";
import { environmentNames } from "../settings";
import { providerOf } from "./provider-of";

/** The arguments, with a stamp as metadata where the setting is on and the program sets no metadata. */
export function stamped(
  declaration: Declaration,
  name: string,
  args: Record<string, unknown>,
  opts: pulumi.CustomResourceOptions | undefined,
): Record<string, unknown> {
  const field = declaration.fields.metadata;
  const isFree =
    field !== undefined && field.presence !== "computed" && (args.metadata ?? undefined) === undefined;
  if (!isFree || !isEnabled(opts)) return args;
  return { ...args, metadata: stampText({ project: pulumi.getProject(), stack: pulumi.getStack(), name }) };
}

/** As in the plugin, the arguments of an explicit Provider replace the stack's configuration. */
function isEnabled(opts: pulumi.CustomResourceOptions | undefined): boolean {
  const provider = providerOf(opts);
  const own = provider
    ? (provider as { stampMetadata?: boolean }).stampMetadata
    : new pulumi.Config("tunnel-gateway").get("stampMetadata");
  return String(own ?? process.env[environmentNames.stampMetadata]) === "true";
}
