/** The targets of the benchmark and the measured values; `met` is undefined if nothing was measured. */
export function assess({ compared, sets, limited, review, access, account, importing }) {
  // The counts differ from run to run, and the ratios grow with the count.
  const measured = compared.find(({ count }) => count === 300) ?? compared.at(-1);
  const step = (name) => measured.steps.find((each) => each.name === name);
  const atMost = (what, limit, value, show) => ({
    what,
    target: `at most ${show(limit)}`,
    measured: value === undefined ? "not measured" : show(value),
    met: value === undefined ? undefined : value <= limit,
  });
  const ratio = (value) => `${value.toFixed(2)} ×`;
  const whole = (unit) => (value) => `${Math.round(value)} ${unit}`;
  return [
    ...["up", "update", "destroy", "preview"].map((name) =>
      atMost(
        `${name} of ${measured.count} rules over the do-nothing provider`,
        name === "preview" ? 1.05 : 0.85,
        step(name).other.ratio,
        ratio,
      ),
    ),
    atMost(
      `state of ${measured.count} rules, of each resource`,
      2800,
      measured.sizes.stateBytes,
      whole("bytes"),
    ),
    atMost(`refresh of ${measured.count} rules`, 30, step("refresh").requests, whole("requests")),
    {
      what: `creating ${limited?.count ?? 300} rules at ${limited?.perMinute ?? 120} requests per minute`,
      target: "no failure, at least 95 % of the allowed pace",
      measured: paceText(limited),
      met: limited?.create.pace === undefined ? undefined : limited.create.pace >= 0.95,
    },
    ...sets.flatMap((set) => setTargets(set, atMost)),
    ...(review === undefined ? [] : reviewTargets(review, atMost)),
    ...(access === undefined ? [] : accessTargets(access, atMost)),
    ...(account === undefined ? [] : accountTargets(account, atMost)),
    atMost("import of the package over @pulumi/pulumi's own", 60, importing.own, whole("ms")),
    atMost("`__provider` in every state", 300, measured.sizes.providerBytes, whole("bytes")),
  ];
}

/** A set of 1,000 rules measures the time of an up, a set of 10,000 measures sizes. */
function setTargets({ count, steps, stateBytes }, atMost) {
  const step = (name) => steps.find((each) => each.name === name);
  const seconds = (value) => `${value.toFixed(2)} s`;
  const megabytes = (value) => `${(value / 1e6).toFixed(2)} MB`;
  const what = (text) => `${count.toLocaleString("en-US")} rules as a set: ${text}`;
  const memory = Math.max(...steps.map((each) => each.memory ?? 0));
  const pages = count / 100;
  return [
    atMost(
      what("preview over that of a program without entries"),
      1.3,
      step("preview").empty.ratio,
      (value) => `${value.toFixed(2)} ×`,
    ),
    ...(count > 1000
      ? []
      : [atMost(what("up"), 2 * step("preview").seconds + 1, step("up").seconds, seconds)]),
    atMost(
      what("refresh"),
      Math.ceil(pages * 1.1),
      step("refresh").requests,
      (value) => `${Math.round(value)} requests`,
    ),
    atMost(what("state"), count * 150, stateBytes, megabytes),
    atMost(what("memory of the plugin"), 300e6, memory === 0 ? undefined : memory, megabytes),
  ];
}

function reviewTargets({ count, seconds, memory }, atMost) {
  const what = `review of ${count.toLocaleString("en-US")} rules against as many`;
  return [
    atMost(`${what}: time`, 3, seconds, (value) => `${value.toFixed(2)} s`),
    atMost(`${what}: memory`, 300e6, memory, (value) => `${Math.round(value / 1e6)} MB`),
  ];
}

function accessTargets({ count, tests, lines, testSeconds, logSeconds, logMemory }, atMost) {
  const [ranges, all, log] = [count, tests, lines].map((number) => number.toLocaleString("en-US"));
  const seconds = (value) => `${value.toFixed(2)} s`;
  return [
    atMost(`${all} access tests on ${ranges} ranges`, 1, testSeconds, seconds),
    atMost(`review with a log of ${log} lines against ${ranges} ranges: time`, 4, logSeconds, seconds),
    atMost(`the same: memory`, 300e6, logMemory, (value) => `${Math.round(value / 1e6)} MB`),
  ];
}

/** Every page is requested once by the reading, and once by the check after the import. */
function accountTargets({ count, pages, requests, seconds }, atMost) {
  const what = `import of ${count.toLocaleString("en-US")} objects`;
  return [
    atMost(`${what}, with its preview`, 20, seconds, (value) => `${value.toFixed(1)} s`),
    atMost(`${what}, and the check after it`, 2 * pages, requests, (value) => `${value} requests`),
  ];
}

function paceText(limited) {
  if (limited === undefined) return "not measured";
  if (limited.create.pace === undefined) return "no failure; too few for a pace";
  return `no failure, ${(limited.create.pace * 100).toFixed(1)} %`;
}

export const verdict = ({ met }) => (met === undefined ? "–" : met ? "met" : "not met");
