import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { nodeProblem, requiredNode } from "../../src/provider/version";
import { failureOf } from "../support/failure";

const sentence = (node: string) =>
  expect.stringMatching(
    new RegExp(
      `^pulumi-tunnel-gateway \\S+ needs Node\\.js ${requiredNode.replaceAll(".", "\\.")} or later, and this is ` +
        `Node\\.js ${node.replaceAll(".", "\\.")}: install a newer Node\\.js and run the command again$`,
    ),
  ) as string;

test.each(["22.19.0", "22.19.1", "22.20.0", "24.0.0", "100.1.2"])("Node.js %s is supported", (node) => {
  expect(nodeProblem(node)).toBeUndefined();
});

test.each(["22.18.9", "20.20.2", "18.0.0", "9.99.99"])("Node.js %s is not, in one sentence", (node) => {
  expect(nodeProblem(node)).toEqual(sentence(node));
});

describe("on an old Node.js", () => {
  const { versions } = process;
  beforeEach(() => {
    jest.resetModules();
    Object.defineProperty(process, "versions", {
      value: { ...versions, node: "20.20.2" },
      configurable: true,
    });
  });
  afterEach(() => {
    Object.defineProperty(process, "versions", { value: versions, configurable: true });
    process.exitCode = undefined;
    jest.restoreAllMocks();
  });

  test("a program ends with the sentence, and Pulumi shows no stack", async () => {
    const failure = await failureOf<Error & { __pulumiRunError: boolean }>(import("../../src/index.js"));
    expect(failure.message).toEqual(sentence("20.20.2"));
    expect(failure.stack).toBe(failure.message);
    expect(failure.__pulumiRunError).toBe(true);
  });

  test.each(["check", "diff", "create", "read", "update", "delete"] as const)(
    "the plugin's %s fails with the sentence",
    async (name) => {
      const { hooksOf } = await import("../../src/provider/dynamic/index.js");
      const hook = hooksOf("IpPolicy", { get: () => undefined } as unknown as Parameters<typeof hooksOf>[1])(
        name,
      );
      const failure = await failureOf(hook({}, {}));
      expect(failure.message).toEqual(sentence("20.20.2"));
      expect(failure.stack).toBe(failure.message);
    },
  );

  test("the command line prints the sentence and ends with exit code 1", async () => {
    const lines: unknown[] = [];
    jest.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(line) > 0);
    await import("../../src/tools/cli/index.js");
    expect(lines.map((line) => String(line).trimEnd())).toEqual([sentence("20.20.2")]);
    expect(process.exitCode).toBe(1);
  });
});

const old = ["/usr/bin/node", "/usr/local/bin/node"].filter(existsSync).find((node) => {
  const found = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  return nodeProblem(found) !== undefined;
});

(old === undefined ? test.skip : test)(
  "the files of the check run on the old Node.js of this machine",
  () => {
    // What it loads before it speaks must not need more than the old version has.
    const { outputText } = jest
      .requireActual<typeof import("typescript")>("typescript")
      .transpileModule(
        jest.requireActual<typeof import("fs")>("fs").readFileSync("src/provider/version.ts", "utf8"),
        {
          compilerOptions: { target: 7, module: 1 },
        },
      );
    const program = `const exports = {}; const manifest = {"version": "0.0.0", "engines": {"node": ">=${requiredNode}"}};
    (function (require) { ${outputText} })(() => manifest); console.log(exports.nodeProblem());`;
    const { stdout } = spawnSync(old!, ["-e", program], { encoding: "utf8" });
    expect(stdout.trim()).toMatch(/^pulumi-tunnel-gateway 0\.0\.0 needs Node\.js/);
  },
);
