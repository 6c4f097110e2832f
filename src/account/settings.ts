/** Whose account a function reads: the settings that it works with, wherever they come from. */
import * as pulumi from "@pulumi/pulumi";
import type { ConfigSource } from "../provider/settings";
import { SettingsError } from "../provider/errors";
import { argumentsOf } from "./provider";
import type { Provider } from "./provider";
import { configKey } from "../settings";
import type { Settings } from "../settings";

/**
 * Whose account to work with. What is left out comes from the stack's configuration and then from the
 * environment, so that the same call works in a Pulumi program and outside of any.
 */
export interface AccountOptions {
  /** Settings that go before all others. */
  settings?: Partial<Settings>;
  /**
   * An explicit provider, whose arguments take the place of the stack's configuration. In a preview they may
   * not be known yet: then only the function's Output form works.
   */
  provider?: Provider;
}

/** Where a plain function looks settings up before it looks into the environment. */
export async function sourceOf(options: AccountOptions): Promise<ConfigSource> {
  return source(options, (await valueOf(given(options))) ?? unknown());
}

/** The same for an Output form, which waits for what is not known yet. It makes no result a secret. */
export function sourceOutput(options: AccountOptions): pulumi.Output<ConfigSource> {
  return pulumi.unsecret(given(options)).apply((texts) => source(options, texts));
}

type Texts = Readonly<Record<string, string | undefined>>;

function source({ provider }: AccountOptions, texts: Texts): ConfigSource {
  const beside = provider ? () => undefined : (key: string) => pulumi.runtime.getConfig(key);
  return { get: (key) => texts[key] ?? beside(key) };
}

/** What was given to the function or to its Provider, by configuration key. */
function given({ settings, provider }: AccountOptions): pulumi.Output<Texts> {
  const plain = Object.entries({ ...settings })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [configKey(name as keyof Settings), String(value)]);
  const inputs = provider ? argumentsOf(provider) : pulumi.output<Texts>({});
  return inputs.apply((texts) => ({ ...texts, ...(Object.fromEntries(plain) as Texts) }));
}

/** The value of an Output, or undefined where it is not known. Pulumi's own declarations leave these out. */
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
