/** Pulumi's engine, which started the plugin. */
import { connect } from "node:net";

/** How often the engine is looked for, in milliseconds. */
const interval = 2000;

const addressForm = /^(?:(.+):)?(\d+)$/;

/** The engine's address among the arguments of a plugin: the last one. The address of a collector of traces may stand before it. */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.findLast((each) => addressForm.test(each));
}

/**
 * Calls back, again and again, after the engine has ended. Pulumi starts the plugin in a shell, which outlives a killed
 * engine: only the address where the engine listens shows that it has ended. An address that
 * never answered is none.
 */
export function watchEngine(args: readonly string[], onEnd: () => void): void {
  const [, host, port] = addressForm.exec(engineAddress(args) ?? "") ?? [];
  if (port === undefined) return;
  let hasAnswered = false;
  const look = (): void => {
    const socket = connect({ host: host ?? "127.0.0.1", port: Number(port) });
    socket.unref();
    socket.on("connect", () => {
      hasAnswered = true;
      socket.destroy();
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (hasAnswered && code === "ECONNREFUSED") onEnd();
    });
  };
  look();
  setInterval(look, interval).unref();
}
