/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { connect } from "node:net";
import { harness } from "./support";

const start = harness();

describe("Faults", () => {
  test("a status fault replaces the response as often as the rule says", async () => {
    const { emulator, call } = await start({
      faults: {
        rules: [{ kind: "status", method: "post", path: "/ip_policies", times: 1, after: 1, retryAfter: 7 }],
      },
    });
    expect((await call("POST", "/ip_policies", {})).status).toBe(201);
    const struck = await call("POST", "/ip_policies", {});
    expect(struck).toMatchObject({ status: 503, body: { error_code: "ERR_INJECTED", status_code: 503 } });
    expect(struck.headers.get("retry-after")).toBe("7");
    expect((await call("POST", "/ip_policies", {})).status).toBe(201);
    expect(emulator.snapshot().ip_policies).toHaveLength(2);
    expect(emulator.requests.map(({ status, fault }) => [status, fault])).toEqual([
      [201, undefined],
      [503, "status"],
      [201, undefined],
    ]);
  });

  test("a status fault after the work leaves the object", async () => {
    const { emulator, call } = await start({
      faults: { rules: [{ kind: "status", status: 504, body: "", afterWork: true }] },
    });
    expect(await call("POST", "/ip_policies", {})).toMatchObject({ status: 504, body: undefined });
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });

  test("a connection dropped before the work leaves no object, one dropped after it leaves the object", async () => {
    const { emulator, call } = await start();
    for (const [kind, count] of [
      ["dropBefore", 0],
      ["dropAfter", 1],
    ] as const) {
      emulator.setFaults({ rules: [{ kind }] });
      await expect(call("POST", "/ip_policies", {})).rejects.toThrow();
      expect(emulator.snapshot().ip_policies).toHaveLength(count);
      expect(emulator.requests[emulator.requests.length - 1]).toMatchObject({ status: 0, fault: kind });
    }
    emulator.setFaults();
    expect((await call("GET", "/ip_policies")).status).toBe(200);
  });

  test("a truncated response fails while its body is read, after the work", async () => {
    const { emulator, call } = await start({ faults: { rules: [{ kind: "truncate" }] } });
    await expect(call("POST", "/ip_policies", { description: "d".repeat(200) })).rejects.toThrow();
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
    const id = String(emulator.snapshot().ip_policies?.[0]?.id);
    await expect(call("DELETE", `/ip_policies/${id}`)).rejects.toThrow();
    expect(emulator.snapshot().ip_policies).toHaveLength(0);
  });

  test.each(["dropBefore", "dropAfter", "hang", "truncate"] as const)(
    "%s closes the connection too where an earlier response of the connection is not finished",
    async (kind) => {
      const { emulator } = await start({
        faults: {
          rules: [
            { kind: "slow", path: "/ip_policies", delayMs: 500 },
            { kind, path: "/bot_users", ...(kind === "hang" && { delayMs: 5 }) },
          ],
        },
      });
      const { hostname, port } = new URL(emulator.baseUrl);
      const socket = connect(Number(port), hostname);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.resume().on("error", () => undefined); // a reset closes it too
      for (const path of ["/ip_policies", "/bot_users"]) {
        const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${emulator.apiKey}\r\nService-Version: 2`;
        socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
      }
      await closed;
      expect(emulator.requests.map(({ fault }) => fault)).toEqual(["slow", kind]);
    },
    10_000,
  );

  test("a hanging request gets no response before its connection closes", async () => {
    const { call } = await start({ faults: { rules: [{ kind: "hang", delayMs: 50 }] } });
    await expect(call("POST", "/ip_policies", {})).rejects.toThrow();
  });

  test("a client can abort a hanging request", async () => {
    const { emulator } = await start({ faults: { rules: [{ kind: "hang" }] } });
    await expect(
      fetch(`${emulator.baseUrl}/ip_policies`, { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow();
  });

  test("garbage, HTML, redirect and huge faults send what their names say", async () => {
    const { emulator, call } = await start();
    emulator.setFaults({ rules: [{ kind: "garbage", times: 1 }] });
    expect(await call("POST", "/ip_policies", {})).toMatchObject({
      status: 201,
      body: expect.stringContaining("garbage"),
    });
    emulator.setFaults({ rules: [{ kind: "html", times: 1 }] });
    const page = await call("GET", "/ip_policies");
    expect([page.status, page.headers.get("content-type"), page.body]).toEqual([
      502,
      "text/html",
      expect.stringContaining("<html>"),
    ]);
    emulator.setFaults({ rules: [{ kind: "redirect", location: "https://other.example/" }] });
    const moved = await call("GET", "/ip_policies");
    expect([moved.status, moved.headers.get("location")]).toEqual([307, "https://other.example/"]);
    emulator.setFaults({ rules: [{ kind: "huge", sizeBytes: 1_000_000 }] });
    const huge = await call("GET", "/ip_policies");
    expect(huge.body.filler.length).toBeGreaterThanOrEqual(1_000_000);
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });

  test("a slow response is complete", async () => {
    const { call } = await start({ faults: { rules: [{ kind: "slow", delayMs: 100 }] } });
    const before = Date.now();
    expect((await call("POST", "/ip_policies", { description: "d" })).body.description).toBe("d");
    expect(Date.now() - before).toBeGreaterThanOrEqual(90);
  });

  test("a path is a prefix of whole segments, an exact path or a glob", async () => {
    const { emulator, call } = await start();
    const struck = async (rule: object, path: string) => {
      emulator.setFaults({ rules: [{ kind: "status", status: 599, ...rule }] });
      return (await call("GET", path)).status === 599;
    };
    expect(await struck({ path: "/ip_policies" }, "/ip_policies/ipp_x")).toBe(true);
    expect(await struck({ path: "/ip_policies", exact: true }, "/ip_policies/ipp_x")).toBe(false);
    expect(await struck({ path: "/ip_policies", exact: true }, "/ip_policies?limit=1")).toBe(true);
    expect(await struck({ path: "/ip_polic" }, "/ip_policies")).toBe(false);
    expect(await struck({ path: "/backends/*" }, "/backends/weighted")).toBe(true);
    expect(await struck({ path: "/backends/*" }, "/backends/weighted/x")).toBe(false);
    expect(await struck({ path: "/backends/**" }, "/backends/weighted/x")).toBe(true);
  });

  test("the same seed selects the same requests", async () => {
    const { emulator, call } = await start();
    const run = async (seed: number) => {
      emulator.setFaults({ rules: [{ kind: "status", probability: 0.5, seed }] });
      const struck: boolean[] = [];
      for (let i = 0; i < 20; i++) struck.push((await call("GET", "/ip_policies")).status === 503);
      return struck;
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test("the error about an invalid plan names the field", async () => {
    await expect(start({ faults: { rules: [{ kind: "explode" as "hang" }] } })).rejects.toThrow(
      /^rules\.0\.kind: must be one of status, html, /,
    );
    const { emulator } = await start();
    expect(() => emulator.setFaults({ rules: [{ kind: "redirect" }] })).toThrow(/location/);
    expect(() => emulator.setFaults({ rules: [{ kind: "hang", tims: 1 } as never] })).toThrow(/tims/);
  });
});
