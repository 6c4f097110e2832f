import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.mjs";

const tokenOf = (type) => `pulumi-nodejs:dynamic/tunnel-gateway:${type}`;

export function urnOf(type, name) {
  return `urn:pulumi:bench::bench::${tokenOf(type)}::${name}`;
}

/** What tells that a state is of this package. */
export function kindOf(type) {
  return { custom: true, type: tokenOf(type) };
}

const state = readFileSync(join(root, "test/fixtures/states/0.1.0/state.json"), "utf8");
const written = JSON.parse(state).deployment.resources.find(({ inputs }) => inputs?.__provider).inputs
  .__provider;

/** The code in the states of version 0.1.0, which is longer than the code since then. */
export function codeOf(type) {
  return written.replace(/(?<=\{type: )"\w+"/, JSON.stringify(type));
}
