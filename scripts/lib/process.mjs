import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter } from "node:path";

/**
 * Runs a command in the foreground and resolves with its exit code (128 + n for a signal, 127 if it does not exist).
 *
 * Ctrl-C reaches the child from the terminal, as one process group: the parent waits for the child to end by itself.
 * The signals of `forward` also go to the child when they are sent to this process alone.
 */
export function run(command, args, { cwd, env = process.env, forward = ["SIGTERM"] } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: "inherit", shell: needsShell(command) });
    const listeners = {
      SIGINT: () => forward.includes("SIGINT") && child.kill("SIGINT"),
      SIGTERM: () => forward.includes("SIGTERM") && child.kill("SIGTERM"),
      exit: () => child.kill("SIGTERM"),
    };
    for (const [name, listener] of Object.entries(listeners)) process.on(name, listener);
    const end = (code) => {
      for (const [name, listener] of Object.entries(listeners)) process.off(name, listener);
      done(code);
    };
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      end(127);
    });
    child.on("close", (code, signal) => end(signal ? 128 + constants.signals[signal] : code));
  });
}

/** Runs a command and collects its output. Kills it with all its children after the timeout. */
export function capture(command, args, { cwd, env = process.env, timeoutMs, onOutput } = {}) {
  return new Promise((done) => {
    const detached = process.platform !== "win32"; // an own process group, so that a kill reaches the children too
    const child = spawn(command, args, {
      cwd,
      env,
      detached,
      stdio: ["ignore", "pipe", "pipe"],
      shell: needsShell(command),
    });
    const result = { code: 127, stdout: "", stderr: "", timedOut: false };
    const kill = () => killGroup(child, detached);
    const timer = timeoutMs && setTimeout(() => ((result.timedOut = true), kill()), timeoutMs);
    process.prependOnceListener("exit", kill); // before any handler that removes the files it works on
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        result[name] += text;
        onOutput?.(text, name);
      });
    }
    const end = (code) => {
      clearTimeout(timer);
      process.off("exit", kill);
      done({ ...result, code });
    };
    child.on("error", (error) => {
      result.stderr += error.message;
      end(127);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/** PATH with these folders first. */
export function withPath(folders, env = process.env) {
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH"; // Windows writes Path
  return { ...env, [key]: [...folders, env[key] ?? ""].join(delimiter) };
}

function killGroup(child, detached) {
  try {
    if (detached && child.pid) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // it has ended already
  }
}

/** npm and the commands in node_modules/.bin are .cmd files on Windows, which only a shell starts. */
function needsShell(command) {
  return process.platform === "win32" && !command.endsWith(".exe");
}
