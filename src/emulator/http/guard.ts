import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import type { MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import type { Env } from "./app";
import { errorResponse } from "./app";
import { CONTROL } from "./control";
import { HttpError } from "./errors";

/** Largest body of a request in bytes. */
const SERVICE_LIMIT = 8 * 1024 * 1024;
/** A seed may hold a whole account. */
const CONTROL_LIMIT = 256 * 1024 * 1024;

/** The address of the emulator, which decides who can reach it and by which names. */
export interface Place {
  /** Whether only this machine can reach it. */
  loopback: boolean;
  /** Whether a header Host names this emulator. */
  isOwn: (host: string) => boolean;
}

/** The place of an emulator that listens on this address or name. */
export async function placeOf(host: string): Promise<Place> {
  const given = host.toLowerCase();
  const { address } = await lookup(given);
  const loopback = ipaddr.process(address).range() === "loopback";
  const others = loopback ? ["127.0.0.1", "::1", address] : [hostname().toLowerCase()];
  const names = new Set(["localhost", given, ...others]);
  return {
    loopback,
    // Any port: a proxy or a container on this machine may use another one. A page with an IP address as host comes from that
    // address.
    isOwn: (header) => {
      const name = nameIn(header);
      return name !== undefined && (names.has(name) || (!loopback && ipaddr.isValid(name)));
    },
  };
}

function nameIn(header: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, "");
}

/**
 * Refuses requests whose Host is not this emulator. Otherwise a web page could resolve its own host name to this machine and read
 * the account as its own origin.
 */
export function checkHost({ isOwn }: Place): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!isOwn(c.req.header("host") ?? ""))
      return refuse(403, "ERR_HOST", "the header Host must be the address that the emulator listens on");
    return next();
  };
}

/**
 * Refuses requests from web pages: the required header makes a browser send a preflight request, which nothing here permits, and
 * a page sends its Origin. If other machines reach the address, the routes need the key too, because they show and clear the
 * account.
 */
export function checkControl({ loopback }: Place, apiKey: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.header("origin") !== undefined)
      return refuse(403, "ERR_ORIGIN", "the control routes accept no requests of web pages");
    if (c.req.header("emulator-control") !== "1")
      return refuse(403, "ERR_CONTROL_HEADER", "the control routes need the header Emulator-Control: 1");
    if (!loopback && c.req.header("authorization") !== `Bearer ${apiKey}`) {
      const rule = "on this address the control routes need the emulator's API key as a bearer token";
      return refuse(401, "ERR_AUTHENTICATION", rule);
    }
    return next();
  };
}

/** Refuses a body that is too large or does not state its size, before anything reads it. */
export function limitBody(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.header("transfer-encoding") !== undefined)
      return refuse(411, "ERR_BODY_SIZE", "a body needs the header Content-Length");
    const limit = c.req.path.startsWith(`${CONTROL}/`) ? CONTROL_LIMIT : SERVICE_LIMIT;
    if (Number(c.req.header("content-length") ?? 0) > limit)
      return refuse(413, "ERR_BODY_SIZE", `the body must not exceed ${limit} bytes`);
    return next();
  };
}

/** Ends the connection, so that the body is neither read nor taken for another request. */
function refuse(status: number, code: string, message: string): Response {
  return errorResponse(new HttpError(status, code, message, { Connection: "close" }));
}
