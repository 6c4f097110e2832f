/** The keys of a broker, its log, and the command that it runs. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Approval } from "../../../src/tools/approval/approval";
import { Broker } from "../../../src/tools/broker/broker";
import { accountsWith, keyIn, sealOf } from "../../../src/tools/broker/keys";
import { WriteLog } from "../../../src/tools/approval/write-log";
import { runCommandLine } from "../../support/command-line";
import { filesIn, temporaryFolder } from "../../support/folders";

const folder = temporaryFolder("keys");
const file = filesIn(folder);
const [one, two] = ["https://one.example.com", "https://two.example.com"] as const;

describe("the keys of a broker", () => {
  it("are those of the accounts, one of which may have the default", () => {
    const keys = { default: "key-1", own: new Map([[two as string, "key-2"]]) };
    expect(accountsWith([one, two], keys)).toMatchObject([
      { baseUrl: one, apiKey: "key-1", requestTimeout: 600 },
      { baseUrl: two, apiKey: "key-2", requestTimeout: 600 },
    ]);
  });

  it("are never guessed", () => {
    expect(() => accountsWith([one, two], { default: "key", own: new Map() })).toThrow(
      `name the key of each with --key-file <base URL>=<file>: "${one}" and "${two}"`,
    );
    expect(() => accountsWith([one], { default: undefined, own: new Map() })).toThrow(
      "TUNNEL_GATEWAY_API_KEY",
    );
  });

  it("seal the log in any order of the options, and each key has its part in it", () => {
    const seal = (key: string | undefined, ...own: [string, string][]) =>
      sealOf({ default: key, own: new Map(own) });
    const whole = seal("key", [one, "key-1"], [two, "key-2"]);
    expect(seal("key", [two, "key-2"], [one, "key-1"])).toBe(whole);
    const others = [
      seal(undefined, [one, "key-1"], [two, "key-2"]),
      seal("key", [one, "key-1"]),
      seal("key", [one, "key-2"], [two, "key-1"]),
    ];
    expect(new Set([whole, ...others]).size).toBe(4);
  });

  it("are read from files that nobody else can read", () => {
    const name = file("key", "secret\n");
    chmodSync(name, 0o640);
    expect(() => keyIn(name)).toThrow(`other users can read the key in ${name}: run chmod 600 on it`);
    chmodSync(name, 0o600);
    expect(keyIn(name)).toBe("secret");
  });
});

describe("the log of writes", () => {
  const approvalOf = (stack: string): Approval => ({
    ...{ approval: 3, version: "1", stack, project: "p", baseUrls: [], steps: [] },
  });
  const [own, other] = [approvalOf("own"), approvalOf("other")];
  const answered = { event: "answered", method: "POST", path: "/a", position: 0, status: 201 } as const;

  it("holds several deployments, and a line that a kill cut counts for nothing", () => {
    const name = join(folder, "writes.log");
    const log = new WriteLog(name);
    expect(log.sentOf(own)).toEqual([]);
    log.begin({ approval: own });
    log.add({ ...answered, id: "a_1" });
    writeFileSync(name, '{"event":"se', { flag: "a" });
    log.begin({ approval: other });
    log.add({ ...answered, id: "a_2" });
    log.begin({ reason: "an emergency in Zürich" });
    log.add({ ...answered, id: "a_3" });
    log.begin({ approval: own });
    log.add({ ...answered, id: "a_4" });
    expect(log.sentOf(own)).toMatchObject([
      { event: "begin" },
      { id: "a_1" },
      { event: "begin" },
      { id: "a_4" },
    ]);
    expect(log.sentOf(other)).toMatchObject([{ event: "begin" }, { id: "a_2" }]);
  });

  describe("of a deployment that goes on", () => {
    const deploying = (process: number, host: string): WriteLog => {
      const name = join(folder, `${process}-${host}.log`);
      const begin = { event: "begin", time: new Date().toISOString(), seal: "", process, host };
      writeFileSync(name, `${JSON.stringify(begin)}\n`);
      return new WriteLog(name);
    };

    it("begins no other one beside it, on this host and while its process runs", () => {
      const running = deploying(process.ppid, hostname());
      expect(() => running.begin({ approval: own })).toThrow(
        /^process \d+ deploys with the log .*: wait until it has ended, and run the command again$/,
      );
      deploying(process.ppid, "another-host").begin({ approval: own });
      const { pid } = spawnSync(process.execPath, ["--version"]);
      deploying(pid, hostname()).begin({ approval: own });
    });

    it("begins none where another one begins at the same moment", () => {
      const name = join(folder, "at-once.log");
      const [one, two] = [new WriteLog(name), new WriteLog(name)];
      const add = one.add.bind(one);
      jest.spyOn(one, "add").mockImplementation((line) => {
        two.begin({ approval: own });
        return add(line);
      });
      expect(() => one.begin({ approval: own })).toThrow("another process deploys with the log");
    });

    it("begins none after another one has written since it was read", () => {
      const name = join(folder, "two.log");
      const [one, two] = [new WriteLog(name), new WriteLog(name)];
      expect([one.sentOf(own), two.sentOf(own)]).toEqual([[], []]);
      one.begin({ approval: own });
      expect(() => two.begin({ approval: own })).toThrow("another process deploys with the log");
      one.add({ ...answered, id: "a_1" });
      expect(new WriteLog(name).sentOf(own)).toMatchObject([{ event: "begin" }, { id: "a_1" }]);
    });
  });

  it.each<[string, (name: string) => void]>([
    ["with more in it", (name) => appendFileSync(name, "\n")],
    ["that is cut", (name) => writeFileSync(name, "")],
    ["that is gone", (name) => rmSync(name)],
    [
      "with a link of its size in its place",
      (name) => {
        const log = readFileSync(name);
        writeFileSync(`${name}.target`, log);
        rmSync(name);
        symlinkSync(`${name}.target`.padStart(log.length, "/"), name);
      },
    ],
  ])("is not written on where the command has left another one: one %s", (_, change) => {
    const name = join(folder, `${randomUUID()}.log`);
    const log = new WriteLog(name);
    log.begin({ approval: own });
    log.add({ ...answered, id: "a_1" });
    expect(log.isChanged).toBe(false);
    change(name);
    const left = existsSync(name) && readFileSync(name, "utf8");
    log.add({ ...answered, id: "a_2" });
    expect([log.isChanged, existsSync(name) && readFileSync(name, "utf8")]).toEqual([true, left]);
  });

  it("is no other file", () => {
    const name = file("other.json", '{ "a": 1 }\n');
    expect(() => new WriteLog(name).sentOf(own)).toThrow(
      `line 1 of ${name} is not one of a log of writes: name another file with --log`,
    );
  });
});

describe("deploy", () => {
  const approval = file(
    "approval.json",
    JSON.stringify({ approval: 3, version: "1", stack: "s", project: "p", baseUrls: [], steps: [] }),
  );
  const deploy = (args: string[], env: Record<string, string> = {}) =>
    runCommandLine(["deploy", ...args], env);

  it.each([
    [0, 4],
    [1, 1],
    [3, 3],
    [4, 1],
    [143, 130],
    [255, 1],
  ])(
    "of a command that ends with %d ends with %d, and sends nothing again after a failure",
    async (ends, code) => {
      const settle = jest.spyOn(Broker.prototype, "settle");
      const env: Record<string, string> = { TUNNEL_GATEWAY_BASE_URL: one, TUNNEL_GATEWAY_API_KEY: "key-1" };
      const sends = async (...way: string[]) => {
        const log = join(folder, `ends-${ends}-${way[0]}.log`);
        const ended = await deploy([...way, "--log", log, "--", "sh", "-c", `exit ${ends}`], env);
        return [ended.code, readFileSync(log, "utf8").includes('"event":"end"')];
      };
      expect(await sends("--unapproved", "--reason", "x")).toEqual([code, false]);
      expect(settle).toHaveBeenCalledTimes(ends === 0 ? 1 : 0);
      // Only after a success does the approval permit nothing more.
      chmodSync(file("pulumi", "#!/bin/sh\necho {}\n"), 0o700);
      env.PATH = `${folder}:${process.env.PATH}`;
      expect(await sends("--approved", approval)).toEqual([ends === 0 ? 0 : code, ends === 0]);
      settle.mockRestore();
    },
  );

  it("gives no child the key, not even a pulumi that a package of the program has put on the path", async () => {
    const seen = join(folder, "seen");
    const stub = file(
      "pulumi",
      `#!/bin/sh\nprintf "<%s>" "$TUNNEL_GATEWAY_API_KEY" >> ${seen}\n[ "$1" != config ] || echo {}\n`,
    );
    chmodSync(stub, 0o700);
    const env = {
      ...{ TUNNEL_GATEWAY_BASE_URL: one, TUNNEL_GATEWAY_API_KEY: "key-1" },
      PATH: `${folder}:${process.env.PATH}`,
    };
    const ended = await deploy(["--approved", approval, "--", "pulumi", "up"], env);
    expect([ended.code, ended.stderr, readFileSync(seen, "utf8")]).toEqual([0, "", "<><>"]);
  });

  it.each<[string, string]>([
    ["the approval", "approval-2.json"],
    ["the log", "approval-2.json.log"],
  ])("tells when the command has changed %s, which a later deployment reads", async (_, changed) => {
    const name = file("approval-2.json", readFileSync(approval, "utf8"));
    rmSync(`${name}.log`, { force: true });
    chmodSync(file("pulumi", "#!/bin/sh\necho {}\n"), 0o700);
    const env = {
      ...{ TUNNEL_GATEWAY_BASE_URL: one, TUNNEL_GATEWAY_API_KEY: "key-1" },
      PATH: `${folder}:${process.env.PATH}`,
    };
    const write = `echo >> ${join(folder, changed)}`;
    const { code, stderr } = await deploy(["--approved", name, "--", "sh", "-c", write], env);
    expect([code, stderr]).toEqual([
      3,
      `The command has changed ${join(folder, changed)}: take the approval from the review again, and find out what changed it\n`,
    ]);
  });

  it("takes the base URL of the environment as its commands read it, without a slash at the end", async () => {
    const env = {
      ...{ TUNNEL_GATEWAY_BASE_URL: `${one}/`, TUNNEL_GATEWAY_API_KEY: "key-1" },
      PATH: `${folder}:${process.env.PATH}`,
    };
    const steps = [
      { urn: "u", after: [], isLate: false, writes: [{ method: "POST", path: "/x", body: {} }] },
    ];
    const base = { approval: 3, version: "1", stack: "s", project: "p", baseUrls: [], steps };
    const name = file("slash.json", JSON.stringify(base));
    const command = `const { url, token } = JSON.parse(process.env.TUNNEL_GATEWAY_BROKER);
      fetch(url + "/x", { method: "POST", body: "[]", headers: { authorization: "Bearer " + token, "tunnel-gateway-base-url": "${one}" } })
        .then((answer) => answer.text()).then(console.log)`;
    const { stderr } = await deploy(["--approved", name, "--", process.execPath, "-e", command], env);
    expect(stderr).toContain("POST /x: it was approved with another value of the body");
  });

  // A log that is begun without the key would be taken for a forged one when the key is there.
  it.each([
    ["--approved", approval],
    ["--unapproved", "--reason", "a test"],
  ])("says how to pass a key that is missing, before it begins a log: %j", async (...way) => {
    chmodSync(file("pulumi", "#!/bin/sh\necho {}\n"), 0o700);
    const env = { TUNNEL_GATEWAY_BASE_URL: one, PATH: `${folder}:${process.env.PATH}` };
    const log = join(folder, "never.log");
    const { code, stderr } = await deploy([...way, "--log", log, "--", "true"], env);
    const advice = "set TUNNEL_GATEWAY_API_KEY for this command, or use --key-file or --key-stdin";
    expect([code, stderr, existsSync(log)]).toEqual([
      1,
      `there is no key for the account at ${one}: ${advice}\n`,
      false,
    ]);
  });

  it("ends with the outcome of its command, and says where none can be started", async () => {
    const env = { TUNNEL_GATEWAY_BASE_URL: one, TUNNEL_GATEWAY_API_KEY: "key-1" };
    const run = (...command: string[]) =>
      deploy(["--unapproved", "--reason", "a test", "--log", join(folder, "u.log"), "--", ...command], env);
    const node = (text: string): string[] => [process.execPath, "-e", text];
    const noKey = `process.exit(process.env.TUNNEL_GATEWAY_API_KEY === undefined && process.env.TUNNEL_GATEWAY_BROKER.includes("token") ? 0 : 9)`;
    expect((await run(...node(noKey))).code).toBe(4);
    expect((await run(...node("process.kill(process.pid, 'SIGTERM')"))).code).toBe(130);
    const missing = await run(join(folder, "nothing"));
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining("cannot be started (ENOENT): name the command after --"),
    ]);
  });
});
