/** The table of tested versions in the README begins with what the package accepts. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const { engines, peerDependencies } = JSON.parse(text("package.json")) as {
  engines: { node: string };
  peerDependencies: Record<string, string>;
};
const { packages } = JSON.parse(text("package-lock.json")) as {
  packages: Record<string, { version: string }>;
};
const locked = (name: string): string => packages[`node_modules/${name}`]!.version;

const rows = [...text("README.md").matchAll(/^\| ([^|]+?) +\| (\d\S*) +\| (\d\S*) +\|$/gm)];
const table = Object.fromEntries(rows.map(([, name, oldest, newest]) => [name!, { oldest, newest }]));

it("begins with the versions of package.json and of tools/pulumi-cli", () => {
  const cli = /^require \S+ v(\S+)$/m.exec(text("tools/pulumi-cli/go.mod"))![1];
  expect(table).toMatchObject({
    "Pulumi CLI": { oldest: cli },
    "`@pulumi/pulumi`": { oldest: peerDependencies["@pulumi/pulumi"]!.replace("^", "") },
    "Node.js": { oldest: engines.node.replace(">=", "") },
  });
});

it("has the versions that the stages oldest and newest of npm run test:full take", () => {
  const cli = /^require \S+ v(\S+)$/m.exec(text("tools/pulumi-cli-newest/go.mod"))![1];
  const { devDependencies } = JSON.parse(text("tools/checks/package.json")) as {
    devDependencies: Record<string, string>;
  };
  const [tested, sdk] = [table["Pulumi CLI"]!, table["`@pulumi/pulumi`"]!];
  expect(tested.newest).toBe(cli);
  for (const stage of ["oldest", "newest"] as const) {
    expect(devDependencies[`pulumi-${stage}`]).toBe(`npm:@pulumi/pulumi@${sdk[stage]}`);
    expect(text("docs/development/tools.md")).toMatch(
      new RegExp(
        `CLI ${tested[stage]}, SDK ${sdk[stage]} +\\| .npm run test:full -- --stage ${stage}. +\\| (\\d+) of \\1 `,
      ),
    );
  }
});

it("ends with versions that are not older than those of the lock file", () => {
  for (const [name, version] of [
    ["Pulumi CLI", locked("pulumi")],
    ["`@pulumi/pulumi`", locked("@pulumi/pulumi")],
    ["Node.js", locked("node")],
  ] as const) {
    const newest = table[name]!.newest!;
    expect([newest, newest.localeCompare(version, "en", { numeric: true }) >= 0]).toEqual([newest, true]);
  }
});
