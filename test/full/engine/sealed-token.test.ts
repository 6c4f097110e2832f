/**
 * A token that rests nowhere: sealed in the provider, opened by its recipient, and looked for in all that Pulumi writes and
 * prints.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tunnelGateway } from "../../engine/cli";
import { cjs, doors, resources, rewrite } from "../../engine/support";
import { EmulatorProcess } from "../../support/emulator-process";
import type { CallOptions, Program, Stack } from "../../support/engine";
import { recipient } from "../../support/sealed-box";
import { daysAhead } from "./support";

const [github, other] = [recipient(), recipient()];

/** Both classes, sealed to the key, or not at all. */
const body = (sealTo: string | undefined, description = "ci"): string => {
  const to = sealTo === undefined ? "" : `sealTo: "${sealTo}",`;
  return `
    const { RotatingApiKey } = require("pulumi-tunnel-gateway");
    const key = new ApiKey("key", { description: "${description}", ${to} });
    const rotating = new RotatingApiKey("rotating", { rotateAfterDays: 30, overlapDays: 3, ${to} });
    exports.key = key.sealedToken;
    exports.rotating = rotating.sealedToken;
  `;
};

/** The texts of all files in a folder, also of those that no test names. */
function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

describe.each(doors)("an API key of the %s door whose token is sealed", (door) => {
  const emulator = EmulatorProcess.forTests();
  /** Of sealed keys, and of one that was made by hand. */
  const tokens: string[] = [];
  const printed: string[] = [];
  let program: Program;
  let stack: Stack;
  let before: unknown;

  const sealedTokens = (): unknown[] =>
    ["key", "rotating"].map((name) => resources(stack)[name]!.outputs!.sealedToken);

  async function opened(by = github): Promise<string[]> {
    const found = await Promise.all(sealedTokens().map((token) => by.open(token)));
    tokens.push(...found.filter((token) => !tokens.includes(token)));
    return found;
  }

  async function areAccepted(bearers: readonly string[]): Promise<boolean[]> {
    const asked = bearers.map((bearer) => {
      const headers = { Authorization: `Bearer ${bearer}`, "Service-Version": "2" };
      return fetch(`${emulator.baseUrl}/ip_policies`, { headers });
    });
    return (await Promise.all(asked)).map(({ status }) => status === 200);
  }

  /** A call of the CLI that logs all that engine, SDK and package can log; what it prints is searched later. */
  async function loudly(verb: "preview" | "up" | "refresh", options: CallOptions = {}): Promise<string> {
    const env = {
      TUNNEL_GATEWAY_LOG: "debug",
      PULUMI_DEBUG_GRPC: join(program.dir, `rpc-${printed.length}.json`),
      ...options.env,
    };
    const args = ["--diff", "--logtostderr", "-v=9", ...(options.args ?? [])];
    const { output } = await stack[verb]({ ...options, args, env });
    printed.push(output);
    return output;
  }

  /** A preview that writes what it plans. */
  const planned = () =>
    loudly("preview", {
      args: ["--save-plan", join(program.dir, `plan-${printed.length}.json`)],
      env: { PULUMI_EXPERIMENTAL: "true" },
    });

  beforeAll(async () => {
    before = (await emulator.state()).api_keys;
    program = cjs(body(github.publicKey), { door });
    stack = await program.stack({ config: emulator.config });
  });

  it("is opened by its recipient alone, also where the answer to its creation was lost", async () => {
    await planned();
    await emulator.setFaults({ rules: [{ kind: "dropAfter", method: "POST", path: "/api_keys", times: 1 }] });
    expect(await loudly("up")).toMatch(/POST \/api_keys 201 .*token\\*":\\*"\[secret\]/);
    await emulator.setFaults();
    const posts = (await emulator.requests()).filter(({ method }) => method === "POST");
    expect(posts.length).toBe(3);
    expect((await emulator.state()).api_keys!.length).toBe((before as unknown[]).length + 2);

    expect(await areAccepted(await opened())).toEqual([true, true]);
    expect(Object.values(await stack.outputs())).toEqual(sealedTokens());
    const { sealedToken } = resources(stack).key!.outputs!;
    await expect(other.open(sealedToken)).rejects.toThrow("incorrect key pair");
    const { deployment } = await stack.exportState(true);
    const shown = deployment.resources!.flatMap(({ outputs }) =>
      outputs && "sealedToken" in outputs ? [outputs] : [],
    );
    const none = { plaintext: "null" };
    expect(shown).toMatchObject([{ token: none }, { token: none }]);
    expect(shown.some((outputs) => "sealTo" in outputs)).toBe(false);
    await stack.previewNoChanges();
  });

  it("stays what it is through a refresh and an update", async () => {
    await loudly("refresh");
    await stack.previewNoChanges();
    rewrite(program, body(github.publicKey, "deploy"));
    await loudly("up");
    expect(await opened()).toEqual(tokens);
  });

  it("is another one for the same recipient where the key rotates, and the previous key ends after the overlap", async () => {
    const [key, first] = await opened();
    const due = await daysAhead(31, program, emulator);
    await loudly("up", { env: due });
    const [same, second] = await opened();
    expect(same).toBe(key);
    expect(await areAccepted([first!, second!])).toEqual([true, true]);
    const ended = await daysAhead(35, program, emulator);
    await loudly("up", { env: ended });
    expect(await areAccepted([first!, second!])).toEqual([false, true]);
    await stack.previewNoChanges({ env: ended });
    // The rotated key is younger than it seems from now on.
    await emulator.setClock();
  });

  it("is shown as new where the recipient changes", async () => {
    const old = await opened();
    rewrite(program, body(other.publicKey, "deploy"));
    const preview = await planned();
    expect(preview).toMatch(/a new API key is created, because sealTo changed; ak_\S+ stays valid/);
    await loudly("up");
    const next = await opened(other);
    // The replaced key is gone, and the rotated one stays for its overlap.
    expect(await areAccepted([...old, ...next])).toEqual([false, true, true, true]);
    await stack.previewNoChanges();
  });

  it("is recorded without the token where the second request fails, and repaired by the next up", async () => {
    const rule = { kind: "status", method: "PATCH", path: "/api_keys", status: 403 } as const;
    await emulator.setFaults({ rules: [rule] });
    rewrite(program, body(github.publicKey, "deploy"));
    await loudly("up", { exitCode: 1 });
    await emulator.setFaults();
    expect(resources(stack).key!.outputs).toMatchObject({ sealedToken: expect.any(String) as string });
    await loudly("up");
    expect(await areAccepted(await opened())).toEqual([true, true]);
    await stack.previewNoChanges();
  });

  it("replaces the key of an import, whose token nobody can seal", async () => {
    const made = await emulator.api("POST", "/api_keys", { description: "by hand" });
    const { id, token } = made as Record<string, string>;
    tokens.push(token!);
    const args = ["ApiKey", "found", id!, "--stack", stack.name];
    if (door === "dynamic") {
      const { exitCode, stdout, stderr } = await tunnelGateway(program, stack, [
        ...["import", ...args, "--run", "--no-protect"],
      ]);
      printed.push(stdout, stderr);
      if (exitCode !== 0) throw new Error(stdout + stderr);
    } else {
      const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
      const [type, ...rest] = args;
      const { output } = await stack.pulumi(["import", `tunnel-gateway:index:${type}`, ...rest, ...flags]);
      printed.push(output);
    }
    expect(resources(stack).found!.id).toBe(id);

    const found = (to: string): string => `${body(github.publicKey, "deploy")}
      const found = new ApiKey("found", { description: "by hand", ${to} });
      exports.found = found.sealedToken;`;
    rewrite(program, found(""));
    await loudly("refresh");
    await stack.previewNoChanges();
    rewrite(program, found(`sealTo: "${github.publicKey}"`));
    await loudly("up");
    expect(resources(stack).found!.id).not.toBe(id);
    const sealed = await github.open((await stack.outputs()).found);
    tokens.push(sealed);
    expect(await areAccepted([token!, sealed])).toEqual([false, true]);
    rewrite(program, body(github.publicKey, "deploy"));
    await loudly("up");
  });

  it("is in no state, history, backup, log and plan", async () => {
    printed.push(JSON.stringify(await stack.exportState(true)));
    printed.push(
      (await stack.pulumi(["stack", "history", "--stack", stack.name, "--json", "--show-secrets"])).output,
    );
    const files = [stack.backend, program.dir].flatMap(everyFile);
    expect(files.length).toBeGreaterThan(30);
    expect(existsSync(join(stack.backend, ".pulumi/history"))).toBe(true);
    for (const mark of ['"resourcePlans"', "/pulumirpc.ResourceProvider/", "sealedToken"])
      expect([mark, files.some((text) => text.includes(mark))]).toEqual([mark, true]);
    expect(new Set(tokens).size).toBe(9);
    for (const token of tokens) {
      expect(token).toMatch(/^emulated_/);
      // Also as base64 and inside of JSON, which escapes no character of it.
      const forms = [token, Buffer.from(token).toString("base64").slice(0, -4)];
      const all = [...files, ...printed].filter((text) => forms.some((form) => text.includes(form)));
      expect(all.map((text) => text.slice(text.indexOf(token) - 200).slice(0, 400))).toEqual([]);
    }
  });

  // What programs may say of it and how it changes is the same at both doors: test/provider/faults/sealed-keys.test.ts.
  if (door === "native") return;

  it("is an error in a preview where the program uses the token itself, and where the key is none", async () => {
    rewrite(program, `${body(github.publicKey, "deploy")}\nexports.token = key.token;`);
    expect((await stack.preview({ exitCode: 1 })).output).toContain(
      'token of the ApiKey "key" is not known to Pulumi, because sealTo has it sealed: use sealedToken, or remove sealTo',
    );
    rewrite(program, body("age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p", "deploy"));
    const { output } = await stack.preview({ exitCode: 1 });
    expect(output).toContain("sealTo: must be an X25519 public key of 32 bytes in base64");
  });
});
