import { table } from "./table.mjs";
import { inMegabytes, inSeconds } from "./units.mjs";

/** What this package costs beside the package at an earlier commit, if `npm run bench` compared the two. */
export function earlierSection({ against, compared, sets, review, many, access, account, importing }) {
  if (against === undefined) return "";
  const rows = [
    ...compared.flatMap((each) => [...stepRows(each, "rules"), stateRow(each)]),
    ...sets.flatMap(setRows),
    ...(review ? wholeCommand(`review of ${review.count} rules`, review) : []),
    ...(many ? wholeCommand(`review of ${many.stacks} stacks`, many) : []),
    ...(access ? accessRows(access) : []),
    ...(account ? wholeCommand(`import of ${account.count} objects`, account) : []),
    row("import of the package", importing.own, importing.earlier.own, inMilliseconds),
  ];
  return `
Compared with the package at commit \`${against}\`, in turns; a ratio of times is the median of those of the turns:

${table(["", "This package", `At ${against}`, "Ratio"], rows, 1)}
`;
}

function stepRows({ count, steps }, what) {
  return steps.map(({ name, seconds, earlier }) =>
    row(`${count} ${what}: ${name}`, seconds, earlier.seconds, inSeconds, earlier.ratio),
  );
}

function stateRow({ count, sizes: { stateBytes, earlierStateBytes } }) {
  return row(`${count} rules: state of each resource`, stateBytes, earlierStateBytes, inBytes);
}

function setRows({ count, steps, stateBytes, earlierStateBytes, review }) {
  return [
    ...stepRows({ count, steps }, "rules as a set"),
    row(`${count} rules as a set: state`, stateBytes, earlierStateBytes, inBytes),
    ...wholeCommand(`${count} rules as a set: review`, review),
  ];
}

function accessRows({ count, tests, lines, earlier, ...own }) {
  const on = `on ${count} ranges`;
  return [
    row(`review ${on}`, own.plainSeconds, earlier.plainSeconds, inSeconds, earlier.plainRatio),
    row(`${tests} access tests ${on}`, own.testSeconds, earlier.testSeconds, inSeconds),
    row(
      `review ${on} with ${lines} log lines`,
      own.logSeconds,
      earlier.logSeconds,
      inSeconds,
      earlier.logRatio,
    ),
    row(`the same: memory`, own.logMemory, earlier.logMemory, inMegabytes),
  ];
}

/** The rows of a command that was measured as a whole. */
function wholeCommand(what, { seconds, memory, earlier }) {
  return [
    row(what, seconds, earlier.seconds, inSeconds, earlier.ratio),
    row(`${what}: memory`, memory, earlier.memory, inMegabytes),
  ];
}

function row(what, own, earlier, show, ratio = own / earlier) {
  return [what, show(own), show(earlier), ratio.toFixed(2)];
}

const inBytes = (bytes) => `${bytes} B`;
const inMilliseconds = (value) => `${value.toFixed(1)} ms`;
