/** What somebody who knows the broker sends it, writes into its files, or has the service answer. */
import { once } from "node:events";
import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { isRecord } from "../../../src/schema/unknown";
import type { Approval, ApprovedStep, ApprovedWrite } from "../../../src/tools/approval/approval";
import { WriteLog } from "../../../src/tools/approval/write-log";
import { Broker } from "../../../src/tools/broker/broker";
import { accountsWith } from "../../../src/tools/broker/keys";
import { everyWrite } from "../../../src/tools/broker/permits";
import { brokersForTests, noAccount } from "./brokers";

const { emulator, logFile, log, brokerWith, permitsOf } = brokersForTests();

const step = (...writes: ApprovedWrite[]): ApprovedStep => ({ urn: "u", after: [], isLate: false, writes });

function approvalOf(...steps: ApprovedStep[]): Approval {
  const { baseUrl } = emulator;
  return { approval: 3, version: "", stack: "s", project: "p", baseUrls: [baseUrl], steps };
}

const created = (description: string): ApprovedWrite => ({
  ...{ method: "POST", path: "/ip_policies", body: { description } },
});

interface Raw {
  readonly method?: string;
  /** Below the base URL; a whole request target where it begins with "=". */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends the bytes of requests, and resolves with all that comes back. */
async function sent({ settings }: Broker, ...requests: readonly Raw[]): Promise<string> {
  const { hostname, port, host } = new URL(settings.url);
  const prefix = new URL(emulator.baseUrl).pathname.replace(/\/$/, "");
  const socket = connect(Number(port), hostname);
  requests.forEach(({ method = "POST", path = "/ip_policies", headers, body = "" }, i) => {
    const bytes = Buffer.from(body);
    const all = {
      ...{
        Host: host,
        Authorization: `Bearer ${settings.token}`,
        "Tunnel-Gateway-Base-Url": emulator.baseUrl,
      },
      ...(bytes.length > 0 && { "Content-Length": String(bytes.length) }),
      ...(i === requests.length - 1 && { Connection: "close" }),
      ...headers,
    };
    const target = path.startsWith("=") ? path.slice(1) : prefix + path;
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
    socket.write(bytes);
  });
  return textOf(socket);
}

const statuses = (answers: string) =>
  [...answers.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, code]) => Number(code));
const writes = () => emulator.requests.filter(({ method }) => method !== "GET");
const office = '{"description":"office"}';

it.each<[string, Raw, number]>([
  ["a slash at the end", { path: "/ip_policies/" }, 403],
  ["two slashes", { path: "//ip_policies" }, 403],
  ["parameters of a segment", { path: "/ip_policies;v=1" }, 403],
  ["capitals", { path: "/IP_POLICIES" }, 403],
  ["encoded letters", { path: "/ip%5fpolicies" }, 403],
  ["a query", { path: "/ip_policies?id=ipp_1" }, 403],
  ["a fragment", { path: "/ip_policies#x" }, 403],
  ["a step up", { path: "/x/../ip_policies" }, 403],
  ["an encoded step up", { path: "/x%2F..%2Fip_policies" }, 403],
  ["backslashes", { path: "/x\\..\\ip_policies" }, 403],
  ["the address of another server", { path: "=http://evil.example/ip_policies" }, 403],
  ["nothing but an asterisk", { path: "=*" }, 403],
  ["another host", { headers: { Host: "evil.example" } }, 401],
  ["another account", { headers: { "Tunnel-Gateway-Base-Url": "https://evil.example" } }, 403],
  ["two accounts", { headers: { "Tunnel-Gateway-Base-Url": "https://a.example, https://b.example" } }, 403],
  ["the method TRACE, which repeats the key,", { method: "TRACE" }, 403],
  ["the method HEAD", { method: "HEAD", body: "" }, 403],
  ["the method PURGE", { method: "PURGE" }, 403],
  ["CONNECT", { method: "CONNECT", path: "=evil.example:443", body: "" }, NaN],
  ["both ways to say how long it is", { headers: { "Transfer-Encoding": "chunked" } }, 400],
  ["two lengths", { headers: { "content-length": "3" } }, 400],
  ["an encoding that nobody has", { headers: { "Transfer-Encoding": "xchunked" } }, 400],
  ["an expectation", { headers: { Expect: "something" } }, 417],
  ["a mark at its beginning", { body: `\uFEFF${office}` }, 403],
  [
    "a compressed body",
    { body: Buffer.from([0x1f, 0x8b, 8, 0]), headers: { "Content-Encoding": "gzip" } },
    403,
  ],
  ["more after the body", { body: `${office} {}` }, 403],
  ["a list around it", { body: `[${office}]` }, 403],
  ["__proto__", { body: '{"description":"office","__proto__":{"metadata":"x"}}' }, 403],
  ["a member twice, the last one another", { body: '{"description":"office","description":"evil"}' }, 403],
  [
    "a halved character",
    { body: Buffer.concat([Buffer.from('{"description":"office'), Buffer.from([0xc3, 0x22, 0x7d])]) },
    403,
  ],
])("refuses an approved write with %s", async (_, raw, status) => {
  const broker = await brokerWith(permitsOf(approvalOf(step(created("office")))));
  const answers = await sent(broker, { body: office, ...raw });
  expect(statuses(answers)[0]).toEqual(Number.isNaN(status) ? undefined : status);
  expect(writes()).toEqual([]);
});

it.each<[string, Raw]>([
  ["other white space and escapes", { body: ' { "\\u0064escription" : "\\u006fffice" } ' }],
  ["a member twice, the last one approved", { body: '{"description":"evil","description":"office"}' }],
  [
    "headers that override the method",
    { headers: { "X-HTTP-Method-Override": "DELETE", "X-Method-Override": "PUT" } },
  ],
  [
    "headers of another server",
    { headers: { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" } },
  ],
  ["another type of the body", { headers: { "Content-Type": "application/x-www-form-urlencoded" } }],
  ["an upgrade of the connection", { headers: { Upgrade: "h2c", Connection: "close, Upgrade" } }],
])("sends an approved write as it was approved, whatever else the program adds: %s", async (_, raw) => {
  const broker = await brokerWith(permitsOf(approvalOf(step(created("office")))));
  expect(statuses(await sent(broker, { body: office, ...raw }))).toEqual([201]);
  expect(writes()).toMatchObject([{ method: "POST", path: "/ip_policies", body: { description: "office" } }]);
  const names = Object.keys(writes()[0]!.headers).filter((name) =>
    /override|forwarded|upgrade|gateway/.test(name),
  );
  expect([names, writes()[0]!.headers["content-type"]]).toEqual([[], "application/json"]);
});

it("sends one of two equal writes that come at once on one connection", async () => {
  const broker = await brokerWith(permitsOf(approvalOf(step(created("office")))));
  const answers = await sent(broker, { body: office }, { body: office });
  // Of the other one, the first has an answer or none yet.
  const [made, other] = statuses(answers).sort();
  expect([made, [403, 503].includes(other!)]).toEqual([201, true]);
  expect(writes()).toHaveLength(1);
});

it("refuses what follows a read on its connection, as a request of its own", async () => {
  const broker = await brokerWith(permitsOf(approvalOf(step(created("office")))));
  const answers = await sent(broker, { method: "GET" }, { method: "DELETE", path: "/ip_policies/ipp_1" });
  expect([statuses(answers), writes()]).toEqual([[200, 403], []]);
});

it("lets the program repeat later what has no answer yet, which is no refusal", async () => {
  const underWay = { refused: "it was sent", isUnderWay: true };
  log.begin({ reason: "a test" });
  const broker = await brokerWith({ ...everyWrite, permitFor: () => Promise.resolve(underWay) });
  expect([statuses(await sent(broker, { body: office })), broker.refused]).toEqual([[503], []]);
});

it("keeps nothing of a body without an end", async () => {
  const broker = await brokerWith(permitsOf(approvalOf(step(created("office")))));
  const answers = await sent(broker, { body: `{"description":"${"x".repeat(64 * 1024 * 1024)}"}` });
  expect([statuses(answers), broker.refused]).toEqual([[403], ["the body is too long"]]);
});

it("keeps the order of writes at one address in a step, so that the last one is the approved one", async () => {
  const id = String((await emulator.seed({ ip_policies: [{ description: "a" }] })).ip_policies![0]!.id);
  const patch = (description: string): ApprovedWrite => ({
    ...{ method: "PATCH", path: `/ip_policies/${id}`, body: { description } },
  });
  const broker = await brokerWith(permitsOf(approvalOf(step(patch("open"), patch("closed")))));
  const send = async (description: string) =>
    statuses(
      await sent(broker, {
        method: "PATCH",
        path: `/ip_policies/${id}`,
        body: JSON.stringify({ description }),
      }),
    )[0];
  expect([await send("closed"), await send("open"), await send("closed"), await send("open")]).toEqual([
    403, 200, 200, 403,
  ]);
  expect(emulator.snapshot().ip_policies).toMatchObject([{ description: "closed" }]);
});

describe("what the answers of a service can do", () => {
  it.each([
    ["its body", (key: string) => ({ text: JSON.stringify({ ip_policies: [{ description: key }] }) })],
    ["its body, which is no JSON", (key: string) => ({ status: 500, text: `<h1>Bearer ${key}</h1>` })],
    ["a header", (key: string) => ({ headers: { "content-type": `text/plain; x=${key}` }, text: "{}" })],
    ["a redirect", (key: string) => ({ status: 307, headers: { location: `/${key}` }, text: key })],
  ])("the program does not learn the key from %s", async (_, answer) => {
    const apiKey = "the-key-that-only-the-broker-has";
    const {
      status = 200,
      headers = {},
      text,
    } = answer(apiKey) as { status?: number; headers?: object; text: string };
    const server = createServer((_request, response) => response.writeHead(status, { ...headers }).end(text));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { default: "the-key-of-another-account", own: new Map([[baseUrl, apiKey]]) };
    const accounts = accountsWith(["https://other.example", baseUrl], keys);
    const broker = await Broker.start({ accounts, permits: everyWrite, log });
    try {
      const answers = await sent(broker, {
        method: "GET",
        path: "=/ip_policies",
        headers: { "Tunnel-Gateway-Base-Url": baseUrl },
      });
      expect(statuses(answers)).toEqual([status]);
      expect(answers).not.toContain(apiKey);
    } finally {
      await broker.close();
      server.close();
    }
  });

  it.each([
    ["says 429, after which nothing was made", { kind: "status", status: 429 } as const, 403],
    ["is lost", { kind: "status", status: 502, afterWork: true } as const, 200],
  ])(
    "an object of equal values counts as the approved one only where the answer %s",
    async (_, fault, status) => {
      const change: ApprovedWrite = {
        method: "PATCH",
        path: "/ip_policies/{0}",
        body: { description: "new" },
      };
      const broker = await brokerWith(permitsOf(approvalOf(step(created("office")), step(change))));
      emulator.setFaults({ rules: [{ ...fault, method: "POST", times: 1 }] });
      await sent(broker, { body: office });
      if (fault.status === 429) await emulator.seed({ ip_policies: [{ description: "office" }] });
      const path = `/ip_policies/${String(emulator.snapshot().ip_policies![0]!.id)}`;
      const answers = await sent(broker, { method: "PATCH", path, body: '{"description":"new"}' });
      expect(statuses(answers)).toEqual([status]);
    },
  );

  it.each([
    ["an answer without JSON names no object", "garbage"],
    ["no answer says nothing", "dropAfter"],
  ] as const)(
    "%s, so the write counts as lost, also where nothing can be read at the end",
    async (_, kind) => {
      const permits = permitsOf(approvalOf(step(created("office"))));
      const broker = await brokerWith(permits);
      emulator.setFaults({
        rules: [
          { kind, method: "POST", times: 1 },
          { kind: "status", status: 403, method: "GET" },
        ],
      });
      await sent(broker, { body: office });
      await broker.settle();
      expect(permits.writes.lost).toMatchObject([{ position: 0 }]);
    },
  );

  it("a refusal without JSON is an answer, so the write was not done", async () => {
    const permits = permitsOf(approvalOf(step(created("office"))));
    const broker = await brokerWith(permits);
    emulator.setFaults({ rules: [{ kind: "html", status: 403, method: "POST", times: 1 }] });
    await sent(broker, { body: office });
    expect([permits.writes.lost, permits.left]).toEqual([[], ["POST /ip_policies of u"]]);
  });
});

describe("the mark of a creation", () => {
  const mark = "pulumi-tunnel-gateway creation f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

  it.each<[string, { readonly other?: string; readonly query?: string; readonly owner?: string }]>([
    ["that another deployment is creating", { other: mark }],
    [
      "that another deployment is creating for a resource of its own",
      { other: `${mark} {"urn":"other"}`, owner: ' {"urn":"u"}' },
    ],
    ["that the program has made", {}],
    ["that the program has made for a resource of the approval", { owner: ' {"urn":"u"}' }],
    ["that the program has made, under another spelling", { query: "?x=1" }],
  ])("does not let the program delete a key %s", async (_, { other, query = "", owner = "" }) => {
    const body = (text: string) => ({ description: "ci", metadata: `${text}${owner}` });
    const key: ApprovedWrite = {
      ...{ method: "POST", path: "/api_keys", body: body("pulumi-tunnel-gateway creation -") },
    };
    const broker = await brokerWith(permitsOf(approvalOf(step(key))));
    if (other) await emulator.seed({ api_keys: [{ description: "other", metadata: other }] });
    const raw = { path: "/api_keys", body: JSON.stringify(body(mark)) };
    expect(statuses(await sent(broker, raw))).toEqual([201]);
    const path = `/api_keys/${String(emulator.snapshot().api_keys![0]!.id)}${query}`;
    expect(statuses(await sent(broker, { method: "DELETE", path }))).toEqual([403]);
    // Neither in the next deployment with the log.
    const next = await brokerWith(permitsOf(approvalOf(step(key))));
    expect(statuses(await sent(next, { method: "DELETE", path }))).toEqual([403]);
  });
});

describe("the log, which the program or the repository may have written,", () => {
  const change: ApprovedWrite = { method: "PATCH", path: "/ip_policies/{0}", body: { description: "new" } };
  const approval = () => approvalOf(step(created("office")), step(change));
  const said = { event: "answered", method: "POST", path: "/ip_policies", position: 0, status: 201 } as const;
  const lines = () => readFileSync(logFile, "utf8").trimEnd().split("\n");
  const refusal = /was not written by a deployment with this key/;

  it.each<[string, () => void]>([
    [
      "a line without a seal that the key makes",
      () => new WriteLog(logFile, "a guess").add({ ...said, id: "ipp_1" }),
    ],
    [
      "a line that an emergency could have written",
      () => {
        const [begin = ""] = lines();
        new WriteLog(logFile, "a guess").begin({ reason: "x" });
        writeFileSync(logFile, `${lines().slice(-1).join("")}\n${begin}\n`);
        appendFileSync(logFile, `${JSON.stringify({ ...said, time: new Date().toISOString(), seal: "" })}\n`);
      },
    ],
    [
      "another id in a line of the broker",
      () => writeFileSync(logFile, readFileSync(logFile, "utf8").replace(/"id":"\w+"/, '"id":"ipp_1"')),
    ],
    [
      "lines in another order",
      () => writeFileSync(logFile, `${[lines()[0], ...lines().slice(1).reverse()].join("\n")}\n`),
    ],
    ["without its middle", () => writeFileSync(logFile, `${lines().toSpliced(1, 1).join("\n")}\n`)],
  ])("says nothing with %s", async (_, change) => {
    expect(statuses(await sent(await brokerWith(permitsOf(approval())), { body: office }))).toEqual([201]);
    expect(() => log.sentOf(approval())).not.toThrow();
    change();
    expect(() => log.sentOf(approval())).toThrow(refusal);
  });

  it("lets no write pass once something else has changed it", async () => {
    const broker = await brokerWith(permitsOf(approval()));
    appendFileSync(logFile, "\n");
    expect(statuses(await sent(broker, { body: office }))).toEqual([403]);
    expect([writes(), broker.refused]).toEqual([
      [],
      ["something has changed the log of writes, so no more writes can be recorded"],
    ]);
  });

  it("is no link to another file", () => {
    const target = `${logFile}.target`;
    writeFileSync(target, "");
    symlinkSync(target, logFile);
    expect(() => permitsOf(approval())).toThrow(
      `${logFile} is not a file of its own: name another one with --log`,
    );
    rmSync(logFile);
    expect(readFileSync(target, "utf8")).toBe("");
  });
});

it("counts a value only as the id of what was made, whatever words the service has for ids", async () => {
  const change: ApprovedWrite = {
    ...{ method: "PATCH", path: "/ip_policies/{0}", body: { description: null } },
    holes: [{ at: "/description", text: ["of ", 0] }],
  };
  const permits = permitsOf(approvalOf(step(created("office")), step(change)));
  const first = await permits.permitFor(
    { baseUrl: emulator.baseUrl, method: "POST", path: "/ip_policies", body: { description: "office" } },
    noAccount,
  );
  if ("answered" in first) first.answered(201, "__proto__");
  const sends = (id: string) =>
    permits.permitFor(
      {
        baseUrl: emulator.baseUrl,
        method: "PATCH",
        path: `/ip_policies/${id}`,
        body: { description: `of ${id}` },
      },
      noAccount,
    );
  for (const id of ["constructor", "", "{0}", "0", "__proto__x"])
    expect(await sends(id)).toHaveProperty("refused");
  expect(isRecord(await sends("__proto__"))).toBe(true);
  expect(permits.left).toHaveLength(1);
});
