/** The account that a function reads: where its settings come from. */
import * as pulumi from "@pulumi/pulumi";
import type { ConfigSource } from "../provider/settings";
import { SettingsError } from "../provider/errors";
import { argumentsOf } from "../program/explicit-provider";
import type { Provider } from "../program/explicit-provider";
import { configKey } from "../settings";
import type { Settings } from "../settings";

/**
 * The account to read. Settings that are left out come from the stack's configuration, then from the environment, so
 * the same call works inside and outside of a Pulumi program.
 */
export interface AccountOptions {
  /** Settings that take precedence over all others. */
  settings?: Partial<Settings>;
  /**
   * An explicit provider, whose arguments replace the stack's configuration. Where a preview does not know them yet,
   * only the function's Output form works.
   */
  provider?: Provider;
}

/** The source of settings that a plain function reads before the environment. */
export async function sourceOf(options: AccountOptions): Promise<ConfigSource> {
  return source(options, (await valueOf(given(options))) ?? unknown());
}

/** The same for an Output form, which waits for unknown values. A secret setting makes no result a secret. */
export function sourceOutput(options: AccountOptions): pulumi.Output<ConfigSource> {
  return pulumi.unsecret(given(options)).apply((texts) => source(options, texts));
}

type Texts = Readonly<Record<string, string | undefined>>;

function source({ provider }: AccountOptions, texts: Texts): ConfigSource {
  const beside = provider ? () => undefined : (key: string) => pulumi.runtime.getConfig(key);
  return { get: (key) => texts[key] ?? beside(key) };
}

/** The settings of the function's options and of its Provider, by configuration key. */
function given({ settings, provider }: AccountOptions): pulumi.Output<Texts> {
  const plain = Object.entries({ ...settings })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [configKey(name as keyof Settings), String(value)]);
  const inputs = provider ? argumentsOf(provider) : pulumi.output<Texts>({});
  return inputs.apply((texts) => ({ ...texts, ...(Object.fromEntries(plain) as Texts) }));
}

/** The value of an Output; undefined where it is unknown. Pulumi's type declarations leave these members out. */
async function valueOf<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  const inner = output as unknown as { isKnown: Promise<boolean>; promise(): Promise<T> };
  return (await inner.isKnown) ? inner.promise() : undefined;
}

function unknown(): never {
  throw new SettingsError(
    "the arguments of the Provider are not known in this preview; use the function's Output form, or settings " +
      "that are known, such as a key from secret configuration",
  );
}
