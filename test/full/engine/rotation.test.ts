import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { daysAhead } from "./support";

const source = `
  const { RotatingApiKey } = require("pulumi-tunnel-gateway");
  const key = new RotatingApiKey("ci", { rotateAfterDays: 30, overlapDays: 3, description: "ci" });
  const { renameSync, writeFileSync } = require("fs");
  key.token.apply((token) => {
    // The clients read the file all the time: they see the old token or the new one, and never a part.
    writeFileSync(__dirname + "/token.new", token);
    renameSync(__dirname + "/token.new", __dirname + "/token");
  });
`;

describe("a rotating API key on the real engine", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = new Program({ kind: "cjs", files: source });
    stack = await program.stack({ config: emulator.config });
  });

  /** The options of a call that happens so many days after now. */
  async function after(days: number) {
    return { env: await daysAhead(days, program, emulator) };
  }

  const keys = async (): Promise<number> =>
    (await emulator.state()).api_keys!.filter(({ description }) => description === "ci").length;
  const token = (): string => readFileSync(join(program.dir, "token"), "utf8");

  async function isAccepted(bearer: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${bearer}`, "Service-Version": "2" };
    return (await fetch(`${emulator.baseUrl}/ip_policies`, { headers })).status === 200;
  }

  it("rotates, keeps both keys for the overlap, and ends the old one, also after a year without a run", async () => {
    await stack.up();
    const first = token();
    await stack.previewNoChanges(await after(29));
    expect(await keys()).toBe(1);

    const due = await after(31);
    const { output } = await stack.preview(due);
    expect(output).toMatch(/a new API key is created, because ak_\S+ was created at /);
    // Two clients ask all the time, one with the old token and one with the new.
    let isDone = false;
    const refused: string[] = [];
    const client = async (bearer: () => string): Promise<void> => {
      while (!isDone) {
        const sent = bearer();
        if (!(await isAccepted(sent))) refused.push(sent);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const clients = [client(() => first), client(token)];
    await stack.up(due);
    const second = token();
    expect(second).not.toBe(first);
    await stack.up(await after(33));
    isDone = true;
    await Promise.all(clients);
    expect(refused).toEqual([]);
    expect(await keys()).toBe(2);

    await stack.up(await after(35));
    expect([await isAccepted(first), await isAccepted(second), await keys()]).toEqual([false, true, 1]);

    const late = await after(400);
    await stack.up(late);
    expect([await isAccepted(second), await isAccepted(token()), await keys()]).toEqual([true, true, 2]);
    await stack.previewNoChanges(late);
    await stack.destroy(late);
    expect(await keys()).toBe(0);
  });
});
