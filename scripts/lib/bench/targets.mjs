/** The targets of the benchmark next to what was measured; `met` is undefined where nothing was. */
export function judge({ compared, limited, importing }) {
  const largest = compared.at(-1);
  const step = (name) => largest.steps.find((each) => each.name === name);
  const atMost = (what, limit, value, show) => ({
    what,
    target: `at most ${show(limit)}`,
    measured: value === undefined ? "not measured" : show(value),
    met: value === undefined ? undefined : value <= limit,
  });
  const ratio = (value) => `${value.toFixed(2)} ×`;
  const whole = (unit) => (value) => `${Math.round(value)} ${unit}`;
  return [
    ...["up", "preview", "destroy"].map((name) =>
      atMost(`${name} of ${largest.count} rules over the do-nothing provider`, 1.15, step(name).ratio, ratio),
    ),
    atMost(`refresh of ${largest.count} rules`, 30, step("refresh").requests, whole("requests")),
    {
      what: `creating ${limited?.count ?? 300} rules at ${limited?.perMinute ?? 120} requests per minute`,
      target: "no failure, at least 95 % of the allowed pace",
      measured: paceText(limited),
      met: limited?.create.pace === undefined ? undefined : limited.create.pace >= 0.95,
    },
    atMost("import of the package over @pulumi/pulumi's own", 60, importing.own, whole("ms")),
    atMost("`__provider` in every state", 1500, largest.sizes.providerBytes, whole("bytes")),
  ];
}

function paceText(limited) {
  if (limited === undefined) return "not measured";
  if (limited.create.pace === undefined) return "no failure; too few for a pace";
  return `no failure, ${(limited.create.pace * 100).toFixed(1)} %`;
}

export const verdict = ({ met }) => (met === undefined ? "–" : met ? "met" : "not met");
