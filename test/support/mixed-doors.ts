/** Previews and exports of dynamic resources as they are once every second resource is a native one. */
import { nativeTokenPrefix, tokenPrefix } from "../../src/program/shim";
import { nativeProviderType } from "../../src/provider/urn";
import { version } from "../../src/provider/version";

type Json = Record<string, unknown>;

interface State extends Json {
  type?: string;
  inputs?: Json;
  outputs?: Json;
}

const tokenText = tokenPrefix.replaceAll(/[/.]/g, "\\$&");
const urns = new RegExp(`urn:pulumi:[^"\\\\]*?${tokenText}[^"\\\\]+`, "g");

/** The text of a preview or an export. The first of its resources is a native one. */
export function mixed(text: string): string {
  const all = [...new Set(text.match(urns) ?? [])];
  const moved = new Set(all.filter((_, i) => i % 2 === 0));
  const value = JSON.parse(text) as {
    steps?: Json[];
    deployment?: { resources: (State & { urn: string })[] };
  };
  for (const step of value.steps ?? []) {
    if (!moved.has(String(step.urn))) continue;
    for (const state of [step.oldState, step.newState]) if (state) move(state as State);
  }
  for (const state of value.deployment?.resources ?? []) if (moved.has(state.urn)) move(state);
  return JSON.stringify(value).replaceAll(urns, (urn) =>
    moved.has(urn) ? urn.replace(tokenPrefix, nativeTokenPrefix) : urn,
  );
}

/** A text in which the URNs of both doors are those of one. */
export function ofOneDoor(text: string): string {
  return text.replaceAll(tokenPrefix, nativeTokenPrefix);
}

function move(state: State): void {
  if (!state.type?.startsWith(tokenPrefix)) return;
  state.type = state.type.replace(tokenPrefix, nativeTokenPrefix);
  state.provider = `urn:pulumi:test::p::${nativeProviderType}::default_${version.replaceAll(/\W/g, "_")}::id`;
  delete state.inputs?.__provider;
  delete state.outputs?.__provider;
}
