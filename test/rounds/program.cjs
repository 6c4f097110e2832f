/** The program of a world: it declares the resources of a list, in which `@name` stands for the id of another one. */
module.exports = function declareWorld({ resources, lookUps }, gateway, pulumi) {
  const made = {};
  const isReference = (text) => typeof text === "string" && text.startsWith("@");
  // An access list is meant by its policy.
  const madeId = ({ id, policyId }) => policyId ?? id;
  const idOf = (text) => (isReference(text) ? madeId(made[text.slice(1)]) : text);
  function filled(value) {
    if (typeof value !== "object" || value === null) return idOf(value);
    if (Array.isArray(value)) return value.map(filled);
    const entries = Object.entries(value).map(([key, item]) => [key, filled(item)]);
    if (!entries.some(([key]) => isReference(key))) return Object.fromEntries(entries);
    // No Output can be a key.
    return pulumi
      .all(entries.map(([key]) => idOf(key)))
      .apply((keys) => Object.fromEntries(entries.map(([, item], i) => [keys[i], item])));
  }
  // One with the settings of the stack.
  const config = new pulumi.Config("tunnel-gateway");
  const providers = {};
  const settings = () => ({
    apiKey: config.requireSecret("apiKey"),
    baseUrl: config.require("baseUrl"),
    stampMetadata: config.getBoolean("stampMetadata"),
  });
  const explicitProvider = (name) => (providers[name] ??= new gateway.Provider(name, settings()));
  for (const { name, type, args, opts = {} } of resources) {
    const dependsOn = (opts.dependsOn ?? []).map((other) => made[other]);
    const provider = opts.provider && explicitProvider(opts.provider);
    made[name] = new gateway[type](name, filled(args), { ...opts, dependsOn, provider });
  }
  for (const { name, type, id } of lookUps) made[name] = gateway[type].get(name, id);
};
