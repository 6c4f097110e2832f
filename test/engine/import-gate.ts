/** Holds an import still while Pulumi is at work, so that it can be interrupted at a known point. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "../support/engine";
import { baseEnv } from "../support/pulumi-command";

/** Code of the plugin's process: each check beyond the first ones waits until the gate's file is gone. */
const script = (file: string, passing: number): string => `
  if (process.argv.some((argument) => argument.includes("dynamic-provider"))) {
    const { existsSync, writeFileSync } = require("node:fs");
    const Module = require("node:module");
    const { setTimeout: sleep } = require("node:timers/promises");
    const { _load: load } = Module;
    let checks = 0;
    const gated = (hook) => async (...values) => {
      if (++checks > ${passing}) {
        writeFileSync(${JSON.stringify(`${file}.reached`)}, "");
        while (existsSync(${JSON.stringify(file)})) await sleep(20);
      }
      return hook(...values);
    };
    Module._load = function (request, ...rest) {
      const loaded = load.call(this, request, ...rest);
      if (request !== "pulumi-tunnel-gateway/provider") return loaded;
      const hooks = (type) => {
        const own = loaded.hooks(type);
        return { ...own, check: gated(own.check) };
      };
      return { ...loaded, hooks };
    };
  }
`;

export interface Gate {
  /** For the environment of the import. */
  readonly env: Readonly<Record<string, string>>;
  open(): void;
  /** Whether the import waits at the gate. */
  isReached(): boolean;
}

/** A closed gate, through which `pulumi import` gets this many resources. */
export function closedGate({ backend }: Stack, passing: number): Gate {
  const [file, code] = [join(backend, "gate"), join(backend, "gate.cjs")];
  writeFileSync(file, "");
  rmSync(`${file}.reached`, { force: true });
  writeFileSync(code, script(file, passing));
  return {
    // One after the other, so that what is behind the gate does not hold up what passed it.
    env: { NODE_OPTIONS: `${baseEnv().NODE_OPTIONS ?? ""} --require ${code}`, PULUMI_PARALLEL: "1" },
    open: () => {
      if (existsSync(file)) rmSync(file);
    },
    isReached: () => existsSync(`${file}.reached`),
  };
}
