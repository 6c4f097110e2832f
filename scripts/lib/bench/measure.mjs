import { Life, stepNames } from "./life.mjs";
import {
  doNothingProgram,
  doNothingSetProgram,
  gatewayProgram,
  setProgram,
  smallestProgram,
} from "./programs.mjs";
import { setReviewCost } from "./review.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { median } from "./statistics.mjs";

/**
 * Measures this package and its baselines, programs of a provider that does nothing, in turns, step by step, `runs` times.
 * Every second run reverses the order.
 */
export async function inTurns(bench, { programs, what, runs }, note) {
  const all = [];
  for (let run = 0; run < runs; run++) {
    const services = [];
    try {
      const lives = {};
      for (const [name, { program, count, project = bench.nothing, isDeployed = false }] of Object.entries(
        programs,
      )) {
        const service = isDeployed ? await startService(bench.gateway) : undefined;
        if (service !== undefined) services.push(service);
        const stack = await makeStack(bench.cli, project, service);
        lives[name] = new Life(stack, program, count, service);
      }
      const order = Object.values(lives);
      if (run % 2 === 1) order.reverse();
      for (const name of stepNames) {
        note(`${what}, run ${run + 1} of ${runs}: ${name}`);
        for (const life of order) await life.step(name);
      }
      all.push(lives);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  }
  return all;
}

/**
 * Rules as resources, compared with as many resources of two providers that do nothing, and with the package as it was at
 * an earlier commit where one is given.
 */
export async function compareAtOnce(bench, count, runs, note) {
  const deployed = { program: gatewayProgram, count, isDeployed: true };
  const how = {
    programs: {
      own: { ...deployed, project: bench.gateway },
      other: { program: doNothingProgram, count },
      smallest: { program: smallestProgram, count },
      ...(bench.earlier === undefined ? {} : { earlier: { ...deployed, project: bench.earlier } }),
    },
    what: `${count} rules`,
    runs,
  };
  const all = await inTurns(bench, how, note);
  return { count, latencyMs: 0, steps: stepsOf(all), sizes: sizesOf(all[0], count) };
}

/** This package alone with a slow service. */
export async function withLatency(bench, count, latencyMs, note) {
  const service = await startService(bench.gateway, { latencyMs });
  try {
    const own = new Life(await makeStack(bench.cli, bench.gateway, service), gatewayProgram, count, service);
    for (const name of stepNames) {
      note(`${count} rules at ${latencyMs} ms: ${name}`);
      await own.step(name);
    }
    return { count, latencyMs, steps: stepsOf([{ own }]) };
  } finally {
    await service.stop();
  }
}

/**
 * Rules as one set, compared with the same entries of a provider that does nothing, and with a program without entries,
 * which is the least that a step costs, and with the package as it was at an earlier commit where one is given.
 */
export async function asSet(bench, count, runs, note) {
  const deployed = { program: setProgram, count, isDeployed: true };
  const how = {
    programs: {
      own: { ...deployed, project: bench.gateway },
      other: { program: doNothingSetProgram, count },
      empty: { program: doNothingProgram, count: 0 },
      ...(bench.earlier === undefined ? {} : { earlier: { ...deployed, project: bench.earlier } }),
    },
    what: `${count} rules as a set`,
    runs,
  };
  const all = await inTurns(bench, how, note);
  note(`${count} rules as a set: review`);
  const review = await setReviewCost(bench, count, runs);
  const { own, earlier } = all[0];
  return {
    ...{ count, steps: stepsOf(all), stateBytes: own.state.length, review },
    ...(earlier && { earlierStateBytes: earlier.state.length }),
  };
}

export function stepsOf(all) {
  return stepNames.map((name) => {
    const own = all.map((lives) => lives.own.steps[name]);
    const step = {
      name,
      seconds: median(own.map(({ seconds }) => seconds)),
      requests: Math.max(...own.map(({ requests }) => requests)),
      memory: largest(own),
    };
    for (const baseline of Object.keys(all[0]).filter((each) => each !== "own")) {
      const others = all.map((lives) => lives[baseline].steps[name]);
      step[baseline] = {
        seconds: median(others.map(({ seconds }) => seconds)),
        ratio: median(own.map(({ seconds }, i) => seconds / others[i].seconds)),
        memory: largest(others),
      };
    }
    return step;
  });
}

function largest(steps) {
  const peaks = steps.map(({ memory }) => memory).filter((memory) => memory !== undefined);
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}

/** What the state holds before it is destroyed, per resource. */
function sizesOf({ own, other, smallest, earlier }, count) {
  return {
    earlierStateBytes: earlier && Math.round(earlier.state.length / (count + 1)),
    stateBytes: Math.round(own.state.length / (count + 1)),
    otherStateBytes: Math.round(other.state.length / (count + 1)),
    smallestStateBytes: Math.round(smallest.state.length / (count + 1)),
    providerBytes: largestProvider(own.state),
    otherProviderBytes: largestProvider(other.state),
    smallestProviderBytes: largestProvider(smallest.state),
  };
}

function largestProvider(state) {
  const { resources } = JSON.parse(state).checkpoint.latest;
  return Math.max(...resources.map(({ outputs }) => (outputs?.__provider ?? "").length));
}
