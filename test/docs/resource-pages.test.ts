/** The command line on the page of each resource prints the program of an object of that resource. */
import type { Snapshot } from "../../src/emulator";
import { declarations } from "../../src/resources/registry";
import { runCommandLine } from "../support/command-line";
import { accountFor, idFor } from "../support/documentation/account";
import { blocksOf, pages } from "../support/documentation/blocks";
import { callsIn } from "../support/documentation/command-line";
import { commandsOf, isRun } from "../support/documentation/kinds";
import { sharedEmulator } from "../support/emulators";

const blocks = pages()
  .filter((page) => page.startsWith("docs/resources/"))
  .flatMap((page) => blocksOf(page).filter(isRun));

const emulator = sharedEmulator({ undocumentedUpdates: true });
let account: Snapshot;

beforeAll(async () => {
  account = await emulator.seed(accountFor(blocks[0]!.page));
});

it("is there for every resource that can be imported", () => {
  expect(blocks).toHaveLength(declarations.filter(({ rotates }) => !rotates).length);
});

it.each(blocks.map(({ where, page, code }) => [where, page, code] as const))(
  "works: %s",
  async (_, page, code) => {
    const commands = commandsOf(code);
    expect(commands).toHaveLength(1);
    const [call, ...more] = commands.flatMap(callsIn);
    expect(more).toEqual([]);
    const [, ...words] = call!.split(" ");
    const id = idFor(page, account)!;
    const args = words.map((word) => word.replace("<name>", "taken").replace("<id>", id));
    const {
      code: exitCode,
      stdout,
      stderr,
    } = await runCommandLine(args, {
      TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
      TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`new ${args[1]!}(\n  "taken",`);
    expect(stdout).toContain(id);
  },
);
