/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read member by member, as they come */
import type { Emulator, EmulatorOptions } from "../../src/emulator";
import { emulators } from "../support/emulators";

interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** A client that sends the headers that every request needs; a test can override them. */
export function client(emulator: Emulator, token = emulator.apiKey): Call {
  return async (method, path, body, headers = {}) => {
    const url = /^https?:/.test(path) ? path : emulator.baseUrl + path;
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        "Service-Version": "2",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : json(text) };
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Starts emulators, each with a client. Each is closed after the test that started it. */
export function harness(): (options?: EmulatorOptions) => Promise<{ emulator: Emulator; call: Call }> {
  const start = emulators();
  return async (options) => {
    const emulator = await start(options);
    return { emulator, call: client(emulator) };
  };
}
