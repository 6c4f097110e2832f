import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { measured, repeatedly } from "./review.mjs";
import { codeOf, kindOf, urnOf } from "./states.mjs";

/** Ranges that do not touch. */
const range = (i) => `10.${(i >> 7) & 255}.${(i & 127) * 2}.0/${24 + (i >> 15)}`;

/**
 * What 1,000 access tests and a log of a million lines cost on an edge with as many ranges: the seconds of the
 * evaluation of the tests, those of the whole review with the log less those of it without, and the peak of its memory.
 */
export async function accessCost(commands, folder, count, runs) {
  const [tests, lines] = [1_000, 1_000_000];
  const [preview, config, log] = ["access.json", "tests.json", "access.log"].map((name) =>
    join(folder, name),
  );
  writeFileSync(preview, previewOf(count));
  writeFileSync(config, JSON.stringify({ accessTests: testsOf(tests, count) }));
  await pipeline(Readable.from(logOf(lines)), createWriteStream(log));
  const run = (...args) =>
    repeatedly(runs, commands, (cli) =>
      measured(cli, ["review", preview, "--output", "json", "--fail-on", "never", ...args]),
    );
  const plain = await run();
  const tested = await run("--config", config);
  const clients = await run("--clients", log);
  if (JSON.parse(tested.stdout).accessTests !== tests)
    throw new Error("The review evaluated no access tests");
  if (JSON.parse(clients.stdout).clients.length !== 1) throw new Error("The review found no clients");
  for (const file of [preview, config, log]) rmSync(file);
  return {
    ...{ count, tests, lines },
    ...costsOf(plain, tested, clients),
    ...(commands.earlier && {
      earlier: {
        ...costsOf(plain.earlier, tested.earlier, clients.earlier),
        plainRatio: plain.earlier.ratio,
        logRatio: clients.earlier.ratio,
      },
    }),
  };
}

function costsOf(plain, tested, clients) {
  return {
    plainSeconds: plain.seconds,
    testSeconds: Math.max(0, tested.seconds - plain.seconds),
    logSeconds: clients.seconds,
    logMemory: clients.memory,
  };
}

function previewOf(count) {
  const rules = (from) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [range(i + from), "allow"]));
  const state = (type, id, inputs, propertyDependencies = {}) => ({
    ...kindOf(type),
    id,
    inputs: { ...inputs, __provider: codeOf(type) },
    outputs: { ...inputs, __args: Object.keys(inputs) },
    propertyDependencies,
  });
  const set = (from) =>
    state(
      "IpPolicyRuleSet",
      "ipp_1",
      { ipPolicyId: "ipp_1", rules: rules(from) },
      { ipPolicyId: [urnOf("IpPolicy", "office")] },
    );
  const [policy, edge] = [
    state("IpPolicy", "ipp_1", {}),
    state(
      "TcpEdge",
      "edgtcp_1",
      { ipRestriction: { ipPolicyIds: ["ipp_1"] } },
      { ipRestriction: [urnOf("IpPolicy", "office")] },
    ),
  ];
  const steps = [
    { op: "same", urn: urnOf("IpPolicy", "office"), oldState: policy, newState: policy },
    {
      op: "update",
      urn: urnOf("IpPolicyRuleSet", "office"),
      oldState: set(0),
      newState: set(Math.round(count / 10)),
    },
    { op: "same", urn: urnOf("TcpEdge", "database"), oldState: edge, newState: edge },
  ];
  return JSON.stringify({ steps, changeSummary: {} });
}

/** Tests of single ranges and of everything; every tenth fails. */
function testsOf(tests, count) {
  const all = Array.from({ length: 256 }, (_, i) => `10.${i}.0.0/16`);
  return Array.from({ length: tests }, (_, i) => ({
    resource: "TcpEdge database",
    allowed: [range(i % 10 === 0 ? 0 : Math.round(count / 10) + (i % Math.round(count / 2)))],
    notAllowed: [`192.0.2.${i % 256}`],
    onlyFrom: all,
  }));
}

function* logOf(lines) {
  let chunk = "";
  for (let i = 0; i < lines; i++) {
    // Half of the clients come once.
    const host = i % 2 === 0 ? i * 37 : i % 5000;
    chunk += `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255} - - [21/Nov/2026:10:11:12 +0000] "GET /orders/${i} HTTP/1.1" 200 512 "-" "curl/8.5.0"\n`;
    if (chunk.length > 65_536) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk;
}
