import { asRatio, inMegabytes, inPercent, inSeconds, whole } from "./units.mjs";

/** The targets of the benchmark and the measured values; `met` is undefined if nothing was measured. */
export function assess({ compared, sets, limited, review, many, access, account, importing }) {
  // The counts differ from run to run, and the ratios grow with the count.
  const measured = compared.find(({ count }) => count === 300) ?? compared.at(-1);
  const step = (name) => measured.steps.find((each) => each.name === name);
  return [
    ...["up", "update", "destroy", "preview"].map((name) =>
      atMost(
        `${name} of ${measured.count} rules over the do-nothing provider`,
        name === "preview" ? 1.05 : 0.85,
        step(name).other.ratio,
        asRatio,
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
    ...sets.flatMap((set) => setTargets(set)),
    ...(review === undefined ? [] : reviewTargets(review)),
    ...(many === undefined ? [] : manyTargets(many)),
    ...(access === undefined ? [] : accessTargets(access)),
    ...(account === undefined ? [] : accountTargets(account)),
    atMost("import of the package over @pulumi/pulumi's own", 60, importing.own, whole("ms")),
    atMost("`__provider` in every state", 300, measured.sizes.providerBytes, whole("bytes")),
  ];
}

/** What this package may cost in the preview of a small stack. */
export function smallTargets(small) {
  const { count, deployed, created } = small;
  const what = `preview of ${count} resources`;
  return [
    atMost(`${what}, new, over as many that do nothing`, 1.05, created.dynamic / created.nothing, asRatio),
    atMost(`${what}, deployed, over the same`, 1.05, deployed.dynamic / deployed.nothing, asRatio),
    atMost(`${what}, this package's own part`, 200, ownPart(small).dynamic, whole("ms")),
  ];
}

/** Milliseconds of what is this package's in the preview of a small stack, by door. */
export function ownPart({ start, program, plugin }) {
  return {
    native: start.native.listens + program.native.own + plugin.hooks,
    dynamic: program.dynamic.own + plugin.load + plugin.hooks,
  };
}

/** What the native door may cost beside the dynamic one. */
export function doorsTargets({ small, large }) {
  const ratioOf = ({ steps }, name) => steps.find((each) => each.name === name).dynamic.ratio;
  const over = "native over dynamic";
  return [
    ...["up", "update", "destroy", "refresh"].map((name) =>
      atMost(`${name} of ${large.count} rules, ${over}`, 1, ratioOf(large, name), asRatio),
    ),
    atMost(`preview of ${small.count} rules, ${over}`, 1, ratioOf(small, "preview"), asRatio),
    atMost(
      `state of ${large.count} rules, ${over}`,
      0.75,
      large.stateBytes / large.dynamicStateBytes,
      inPercent,
    ),
  ];
}

function atMost(what, limit, value, show) {
  return {
    what,
    target: `at most ${show(limit)}`,
    measured: value === undefined ? "not measured" : show(value),
    met: value === undefined ? undefined : value <= limit,
  };
}

/** A set of 1,000 rules measures the time of an up, a set of 10,000 measures sizes. */
function setTargets({ count, steps, stateBytes }) {
  const step = (name) => steps.find((each) => each.name === name);
  const what = (text) => `${count.toLocaleString("en-US")} rules as a set: ${text}`;
  const memory = Math.max(...steps.map((each) => each.memory ?? 0));
  const pages = count / 100;
  return [
    atMost(what("preview over that of a program without entries"), 1.3, step("preview").empty.ratio, asRatio),
    ...(count > 1000
      ? []
      : [atMost(what("up"), 2 * step("preview").seconds + 1, step("up").seconds, inSeconds)]),
    atMost(what("refresh"), Math.ceil(pages * 1.1), step("refresh").requests, whole("requests")),
    atMost(what("state"), count * 150, stateBytes, (value) => `${(value / 1e6).toFixed(2)} MB`),
    atMost(what("memory of the plugin"), 300e6, memory === 0 ? undefined : memory, inMegabytes),
  ];
}

function reviewTargets({ count, seconds, memory }) {
  const what = `review of ${count.toLocaleString("en-US")} rules against as many`;
  return [
    atMost(`${what}: time`, 3, seconds, inSeconds),
    atMost(`${what}: memory`, 1e9, memory, inMegabytes),
  ];
}

function manyTargets({ stacks, resources, seconds, memory }) {
  const what = `one review of ${stacks} previews of ${resources} resources`;
  return [
    atMost(`${what}: time`, 5, seconds, inSeconds),
    atMost(`${what}: memory`, 1e9, memory, inMegabytes),
  ];
}

function accessTargets({ count, tests, lines, testSeconds, logSeconds, logMemory }) {
  const [ranges, all, log] = [count, tests, lines].map((number) => number.toLocaleString("en-US"));
  return [
    atMost(`${all} access tests on ${ranges} ranges`, 1, testSeconds, inSeconds),
    atMost(`review with a log of ${log} lines against ${ranges} ranges: time`, 4, logSeconds, inSeconds),
    atMost(`the same: memory`, 1e9, logMemory, inMegabytes),
  ];
}

/** Every page is requested once by the reading, and once by the check after the import. */
function accountTargets({ count, pages, requests, seconds }) {
  const what = `import of ${count.toLocaleString("en-US")} objects`;
  return [
    atMost(`${what}, with its preview`, 20, seconds, inSeconds),
    atMost(`${what}, and the check after it`, 2 * pages, requests, whole("requests")),
  ];
}

function paceText(limited) {
  if (limited === undefined) return "not measured";
  if (limited.create.pace === undefined) return "no failure; too few for a pace";
  return `no failure, ${inPercent(limited.create.pace)}`;
}

export const verdict = ({ met }) => (met === undefined ? "–" : met ? "met" : "not met");
