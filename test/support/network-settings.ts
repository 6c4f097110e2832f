/**
 * The variables by which npm, Yarn, pnpm and Node reach a registry. Other settings of npm stay out: what a lock file
 * contains, for example, must not depend on the machine.
 */
const names = [
  /^\w+_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|NODE_USE_SYSTEM_CA|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  /^p?npm_config_(.*registry|proxy|https[-_]proxy|noproxy|ca|cafile|cert|key|strict[-_]ssl|\/\/.+)$/i,
  /^yarn_.+$/i,
];

/** Tests serve on these hosts; requests to them go around every proxy. */
const thisMachine = ["127.0.0.1", "localhost", "::1"];

/**
 * The settings of an environment that npm needs where its registry is behind a proxy or has a company's certificate.
 * Every environment that a test builds from nothing contains them.
 */
export function networkSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const isSetting = (entry: [string, string | undefined]): entry is [string, string] =>
    names.some((name) => name.test(entry[0])) && entry[1] !== undefined;
  const direct = [env.NO_PROXY ?? env.no_proxy, ...thisMachine].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(Object.entries(env).filter(isSetting)),
    NO_PROXY: direct,
    no_proxy: direct,
  };
}

/** Removes the proxy settings of the machine, for a test that has a proxy of its own. */
export const withoutProxy: Readonly<Record<string, undefined>> = Object.fromEntries(
  ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [
    [name, undefined],
    [name.toUpperCase(), undefined],
  ]),
);
