/** The programs of JSDoc and pages that declare no resource, and so are in none of the tests of programs. */
import { asFunctionBody, blocks, programs, unitTests } from "../../docs/blocks";
import type { Block } from "../../docs/blocks";

/** Those that run in a Pulumi program or with the reader's account. */
export function readers(): Block[] {
  return others().filter((block) => !startsEmulator(block) && !isPolicyPack(block));
}

/**
 * Those that start an emulator. One also deploys the program of the folder, which the tests of what an access history
 * shows do with programs of their own (test/full/engine/rules-before-edges.test.ts).
 */
export function withEmulator(): Block[] {
  return others().filter((block) => startsEmulator(block) && !block.code.includes('"node:child_process"'));
}

function others(): Block[] {
  const elsewhere = new Set([...programs(), ...unitTests()].map(({ code }) => code));
  return blocks().filter(({ where, code }) => !where.startsWith("docs/resources/") && !elsewhere.has(code));
}

/** A policy pack, which is no program: test/full/policy-pack.test.ts runs one. */
function isPolicyPack({ code }: Block): boolean {
  return code.includes('"@pulumi/policy"');
}

function startsEmulator({ code }: Block): boolean {
  return code.includes('"pulumi-tunnel-gateway/emulator"');
}

/** One Pulumi program of all blocks; its outputs are the exports of each, by where it stands. */
export function programOf(all: readonly Block[], baseUrl: string): string {
  const parts = all.map((block) => {
    const body = asFunctionBody(block).replaceAll("https://api.example.com", baseUrl);
    return `  made[${JSON.stringify(block.where)}] = await run(async (exports, require, jest) => {\n${body}\n  });`;
  });
  return `
// The part of Jest that blocks use: a module with some members replaced.
const mocked = {};
const jest = { mock: (name, make) => (mocked[name] = make()), requireActual: (name) => require(name) };
async function run(block) {
  const exported = {};
  await block(exported, require, jest);
  return exported;
}
module.exports = async () => {
  const made = {};
${parts.join("\n")}
  return { ...made, mocked: Object.values(mocked).map(({ getIpPolicyOutput }) => getIpPolicyOutput().id) };
};
`;
}

/** A script of one block. It ends even if the block's emulator still runs. */
export function scriptOfBlock(block: Block): string {
  return `(async () => {\n${asFunctionBody(block)}\n})().then(() => process.exit(0));`;
}
