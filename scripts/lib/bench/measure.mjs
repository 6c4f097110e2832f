import { Life, stepNames } from "./life.mjs";
import { doNothingProgram, gatewayProgram, setProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { median } from "./statistics.mjs";

/** Measures both providers in turns, step by step, `runs` times. In every other run the other one starts. */
async function inTurns(bench, { program, count, otherCount, what, runs }, note) {
  const all = [];
  for (let run = 0; run < runs; run++) {
    const service = await startService(bench.gateway, {});
    try {
      const own = new Life(await makeStack(bench.cli, bench.gateway, service.env), program, count, service);
      const other = new Life(await makeStack(bench.cli, bench.nothing, {}), doNothingProgram, otherCount);
      for (const name of stepNames) {
        note(`${what}, run ${run + 1} of ${runs}: ${name}`);
        for (const life of run % 2 === 0 ? [own, other] : [other, own]) await life.step(name);
      }
      all.push({ own, other });
    } finally {
      await service.stop();
    }
  }
  return all;
}

/** Rules as resources, compared with as many resources of a provider that does nothing. */
export async function compareAtOnce(bench, count, runs, note) {
  const how = { program: gatewayProgram, count, otherCount: count, what: `${count} rules`, runs };
  const all = await inTurns(bench, how, note);
  return { count, latencyMs: 0, steps: stepsOf(all), sizes: sizesOf(all[0], count) };
}

/** This package alone with a slow service. */
export async function withLatency(bench, count, latencyMs, note) {
  const service = await startService(bench.gateway, { latencyMs });
  try {
    const own = new Life(
      await makeStack(bench.cli, bench.gateway, service.env),
      gatewayProgram,
      count,
      service,
    );
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
 * Rules as one set, compared with a program with one resource of a provider that does nothing, which is the least
 * that a preview costs.
 */
export async function asSet(bench, count, runs, note) {
  const how = { program: setProgram, count, otherCount: 0, what: `${count} rules as a set`, runs };
  const all = await inTurns(bench, how, note);
  return { count, steps: stepsOf(all), stateBytes: all[0].own.state.length };
}

function stepsOf(all) {
  return stepNames.map((name) => {
    const own = all.map((each) => each.own.steps[name]);
    const other = all.map((each) => each.other?.steps[name]);
    const isCompared = other[0] !== undefined;
    return {
      name,
      seconds: median(own.map(({ seconds }) => seconds)),
      requests: Math.max(...own.map(({ requests }) => requests)),
      memory: largest(own),
      ...(isCompared && {
        otherSeconds: median(other.map(({ seconds }) => seconds)),
        ratio: median(own.map(({ seconds }, i) => seconds / other[i].seconds)),
        otherMemory: largest(other),
      }),
    };
  });
}

function largest(steps) {
  const peaks = steps.map(({ memory }) => memory).filter((memory) => memory !== undefined);
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}

/** What the state holds before it is destroyed, per resource. */
function sizesOf({ own, other }, count) {
  return {
    stateBytes: Math.round(own.state.length / (count + 1)),
    otherStateBytes: Math.round(other.state.length / (count + 1)),
    providerBytes: largestProvider(own.state),
    otherProviderBytes: largestProvider(other.state),
  };
}

function largestProvider(state) {
  const { resources } = JSON.parse(state).checkpoint.latest;
  return Math.max(...resources.map(({ outputs }) => (outputs?.__provider ?? "").length));
}
