/** Explicit providers: their class, and what resources and functions read of them. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { missingArgument } from "../provider/settings/read-settings";
import { settingNames } from "../provider/settings/settings";
import type { Settings } from "../provider/settings/settings";
import { unknownArguments } from "../provider/settings/unknown-settings";
import { quote } from "../schema/text/phrase";
import type { Problem } from "../schema/validate";
import { doorOf, dynamicDoor } from "./door";
import type { Door } from "./door";
import { programError, report } from "./program-errors";
import { problemOfSetting } from "./setting-warnings";

/** The arguments of a {@link Provider}: the settings of one account. Each defaults to its environment variable. */
export interface ProviderArgs {
  /** The token of an API key, kept as a secret. Default: the environment's TUNNEL_GATEWAY_API_KEY. */
  apiKey?: pulumi.Input<string>;
  /**
   * The URL of the API, with its path prefix. https, or http on a loopback host. Default: the environment's
   * TUNNEL_GATEWAY_BASE_URL.
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * Whether to update objects in place where the specification shows no update, instead of replacing them. Default:
   * the environment's TUNNEL_GATEWAY_PATCH_UNDOCUMENTED, else false.
   */
  patchUndocumented?: pulumi.Input<boolean>;
  /**
   * The timeout of one request, in seconds, 1 to 3600. Default: the environment's
   * TUNNEL_GATEWAY_REQUEST_TIMEOUT, else 60.
   */
  requestTimeout?: pulumi.Input<number>;
  /**
   * The timeout of one operation with all its attempts and the pauses between them, in seconds, 1 to 86400.
   * Waiting for the rate limit does not count. A wait that the service asks for may take as long again, plus a minute.
   * Default: the environment's TUNNEL_GATEWAY_RETRY_TIMEOUT, else 300.
   */
  retryTimeout?: pulumi.Input<number>;
  /**
   * The timeout of one list with all its pages, in seconds, 1 to 86400. Default: the environment's
   * TUNNEL_GATEWAY_LIST_TIMEOUT, else 3600.
   */
  listTimeout?: pulumi.Input<number>;
  /**
   * The maximum number of objects in one list, 1 to 100000000. A longer list is an error. Default: the environment's
   * TUNNEL_GATEWAY_LIST_OBJECTS, else 250000.
   */
  listObjects?: pulumi.Input<number>;
  /**
   * The maximum size of one list with all its pages, in MiB, 1 to 65536. A larger list is an error. Default: the
   * environment's TUNNEL_GATEWAY_LIST_MEBIBYTES, else 512.
   */
  listMebibytes?: pulumi.Input<number>;
  /**
   * The maximum number of requests in any minute, 1 to 100000. Each provider and each Pulumi process counts its own
   * requests. Default: the environment's TUNNEL_GATEWAY_REQUESTS_PER_MINUTE, else as many as the service accepts.
   */
  requestsPerMinute?: pulumi.Input<number>;
  /**
   * Whether to set the metadata of an object to `{"project":…,"stack":…,"name":…}` of its resource, if the program does
   * not set it. The metadata then identifies the owner of the object. Existing objects are updated in place; an object
   * that would have to be replaced stays unchanged. Default: the environment's TUNNEL_GATEWAY_STAMP_METADATA, else false.
   * @remarks Not an Input, because the program itself reads it.
   */
  stampMetadata?: boolean;
}

/**
 * An explicit provider: another account, or a key that is another resource's output. It reads its arguments
 * and the environment, and never the stack's configuration.
 *
 * ## Example: a second account
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { IpPolicy, Provider } from "pulumi-tunnel-gateway";
 *
 * const config = new pulumi.Config();
 * const partner = new Provider("partner", {
 *   apiKey: config.requireSecret("partnerApiKey"),
 *   baseUrl: config.require("partnerBaseUrl"),
 * });
 * new IpPolicy("partner-office", {}, { provider: partner });
 * ```
 *
 * While the key is an output that a preview does not know yet, Pulumi cannot check or show the resources of the
 * provider; a key from secret configuration is known in every preview.
 */
export class Provider extends sdk.ProviderResource {
  /** Whether its resources' objects are stamped; undefined if the environment decides. */
  readonly stampMetadata: boolean | undefined;

  /**
   * @param name the resource's name in the program.
   * @param args the settings of the account.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    refuseHiddenName(name);
    const at = new Error();
    const texts = Object.fromEntries(
      Object.entries({ ...args }).map(([setting, value]) => {
        const text = asText(value, setting, (problems) => report("Provider", name, problems, at));
        return [setting, setting === "apiKey" ? sdk.secret(text) : text];
      }),
    );
    const given = Object.keys(texts).filter((setting) => texts[setting] !== undefined);
    // Only the engine knows what its mapped variables hold.
    const isMapped = opts?.envVarMappings !== undefined;
    const ofEnvironment = isMapped ? [] : settingNames.filter((setting) => !given.includes(setting));
    const problems = [
      ...unknownArguments(given),
      ...ofEnvironment.flatMap((setting) => problemOf(setting, undefined)),
    ];
    const invalid = problems.length > 0 ? report("Provider", name, problems, at) : {};
    const door = doorOf(new.target);
    const aliases = door.aliases(`pulumi:providers:${dynamicDoor.package}`, opts?.aliases);
    super(
      door.package,
      name,
      { ...door.settings(name, texts), ...invalid },
      { ...opts, ...(aliases && { aliases }) },
    );
    this.stampMetadata = args.stampMetadata;
    // Functions use the provider's settings in the program; neither the state nor a closure is to hold them.
    Object.defineProperty(this, argumentsKey, {
      value: sdk.output(dynamicDoor.settings(name, texts)),
      enumerable: false,
    });
  }
}

/** Any copy of this package finds the arguments. */
const argumentsKey = Symbol.for("pulumi-tunnel-gateway/provider-arguments");

/** What a Provider of this program was given, by configuration key. */
export function argumentsOf(provider: Provider): pulumi.Output<Record<string, string | undefined>> {
  const held = (provider as { [argumentsKey]?: pulumi.Output<Record<string, string>> })[argumentsKey];
  if (held === undefined) throw new TypeError("provider: must be a Provider of pulumi-tunnel-gateway");
  return held;
}

/** The value as text, as plugins get their configuration. A wrong value is refused and not passed on. */
function asText(
  value: pulumi.Input<string | number | boolean> | undefined,
  setting: string,
  refuse: (problems: readonly Problem[]) => { __invalid: Promise<never> },
): pulumi.Input<string> | undefined {
  if (value === undefined) return undefined;
  const given: pulumi.Output<string | number | boolean | null | undefined> = sdk.output(
    value as pulumi.Input<string>,
  );
  return given.apply((known): pulumi.Output<string> => {
    // Without an error the environment's value would apply, which may belong to another account.
    const problems =
      known === undefined || known === null
        ? [{ path: setting, clause: withoutValue }]
        : problemOf(setting as keyof Settings, String(known));
    return sdk.output(problems.length === 0 ? String(known) : refuse(problems).__invalid);
  });
}

const withoutValue =
  "is an Output without a value; give it a value, or leave it out to use that of the environment";

function problemOf(setting: keyof Settings, text: string | undefined): Problem[] {
  return problemOfSetting(setting, { text, key: setting, missing: missingArgument });
}

/** Refuses a name that Pulumi uses for default providers: no preview would show its arguments or their changes. */
export function refuseHiddenName(name: string): void {
  if (!name.startsWith("default")) return;
  throw programError(
    `the name of the Provider ${quote(name)} begins with "default": Pulumi shows nothing of such a provider in a preview. ` +
      "Give it another name, with the option aliases if the stack has it already",
  );
}

/** The explicit provider of a resource with the options, which may be that of its parent; undefined for the default one. */
export function providerOf(
  { tokenPrefix }: Door,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.ProviderResource | undefined {
  return opts?.provider ?? opts?.parent?.getProvider(`${tokenPrefix}Resource`);
}

/** The name in the program of an explicit provider; empty for the default one. */
export function nameOfProvider(provider: pulumi.ProviderResource | undefined): string {
  return (provider as { __name?: string } | undefined)?.__name ?? "";
}
