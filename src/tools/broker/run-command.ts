/** Runs the command of a deployment, with the broker in its environment. */
import { spawn } from "node:child_process";
import { GatewayError } from "../../provider/errors";
import { brokerVariable } from "../../provider/settings/broker-settings";
import type { BrokerSettings } from "../../provider/settings/broker-settings";
import { interruptSignals } from "../stack/pulumi";

/** The exit code; 128 or more if a signal ended the command. Throws a GatewayError if the command cannot be started. */
export function runCommand([name, ...args]: readonly string[], broker: BrokerSettings): Promise<number> {
  const child = spawn(name!, args, {
    stdio: "inherit",
    env: { ...process.env, [brokerVariable]: JSON.stringify(broker) },
  });
  // The terminal interrupts the command too; it needs this process to finish its work.
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of interruptSignals) process.on(signal, forward);
  return new Promise<number>((ended, failed) => {
    child.on("error", (error: NodeJS.ErrnoException) =>
      failed(
        new GatewayError(
          `${name} cannot be started (${error.code ?? error.message}): name the command after --`,
        ),
      ),
    );
    child.on("close", (code) => ended(code ?? 130));
  }).finally(() => {
    for (const signal of interruptSignals) process.off(signal, forward);
  });
}
