/** The manifests of the Pulumi Kubernetes Operator that the example fleet prints. */
import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { textOf } from "../support/examples/example";
import { manifest } from "../support/examples/operator-schema";
import type { StackManifest } from "../support/examples/operator-schema";
import { root } from "./blocks";
import { temporaryFolder } from "../support/folders";

const commit = "1".repeat(40);
const required = ["--repository", "https://github.com/example/gateway", "--commit", commit];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("fleet");
  cpSync(join(root, "examples/fleet"), folder, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

function print(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["operator.mts", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** The manifests, valid as the schema says. */
function manifestsOf(args: readonly string[] = required) {
  const { stdout, stderr } = print(args);
  expect(stderr).not.toContain("Error");
  const all = parseAllDocuments(stdout).map((document) => manifest.parse(document.toJS()));
  const stacks = all.filter((each): each is StackManifest => each.kind === "Stack");
  return { all, stacks };
}

it("are valid, and one stack for each account with its configuration, its key and the commit", () => {
  const { all, stacks } = manifestsOf();
  expect(all.map(({ kind }) => kind)).toEqual([
    "ServiceAccount",
    "ClusterRoleBinding",
    ...Array<string>(4).fill("Stack"),
  ]);
  const { accounts } = parse(textOf("fleet/accounts.yaml")) as {
    accounts: Record<string, { config: object }>;
  };
  expect(stacks.map(({ metadata }) => metadata.name).sort()).toEqual(Object.keys(accounts).sort());
  const europe = stacks.find(({ metadata }) => metadata.name === "europe-1")!;
  expect(europe.spec).toMatchObject({
    stack: "organization/tunnel-gateway-fleet/europe-1",
    commit,
    config: {
      "tunnel-gateway:baseUrl": "https://api.example.com",
      "tunnel-gateway-fleet:hostport": "2.tcp.example.com:5432",
      "tunnel-gateway-fleet:allow": ["203.0.113.0/24", "198.51.100.0/24"],
    },
    envRefs: {
      TUNNEL_GATEWAY_API_KEY: { type: "Secret", secret: { name: "tunnel-gateway-europe-1", key: "apiKey" } },
    },
  });
});

it("have each ring wait for all stacks of the nearest ring before, and are printed in this order", () => {
  const order = (stacks: readonly StackManifest[]) =>
    stacks.map(({ metadata, spec }) => [
      metadata.name,
      ...(spec.prerequisites ?? []).map(({ name }) => name),
    ]);
  expect(order(manifestsOf().stacks)).toEqual([
    ["sandbox"],
    ["europe-1", "sandbox"],
    ["europe-2", "europe-1"],
    ["america-1", "europe-1"],
  ]);
  const entry = (ring: string) => `{ ring: ${ring}, baseUrl: "https://api.example.com" }`;
  const text = `accounts:\n  d: ${entry("all")}\n  a: ${entry("canary")}\n  b: ${entry("canary")}\n`;
  writeFileSync(join(folder, "accounts.yaml"), text);
  expect(order(manifestsOf().stacks)).toEqual([["a"], ["b"], ["d", "a", "b"]]);
});

it("take the backend, the organization, the namespace and the folder from the options", () => {
  const { all, stacks } = manifestsOf([
    ...required,
    ...["--backend", "s3://states", "--namespace", "gateways", "--folder", "fleet", "--organization", "acme"],
  ]);
  expect(all.flatMap(({ metadata }) => ("namespace" in metadata ? [metadata.namespace] : []))).toEqual(
    Array<string>(5).fill("gateways"),
  );
  const [first] = stacks;
  expect(first!.spec).toMatchObject({
    stack: "acme/tunnel-gateway-fleet/sandbox",
    backend: "s3://states",
    repoDir: "fleet",
    envRefs: { PULUMI_CONFIG_PASSPHRASE: { secret: { name: "pulumi" } } },
  });
});

it("hold no key, and are refused without a repository or a full commit", () => {
  expect(print(required).stdout).not.toMatch(/apiKey: [^\n]/);
  for (const args of [
    [],
    required.slice(0, 2),
    [...required.slice(0, 3), "main"],
    [...required, "--branch", "main"],
  ]) {
    const { status, stdout, stderr } = print(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("node operator.mts --repository <URL> --commit <SHA>");
  }
});

it("are valid only with fields and values that the operator has", () => {
  const [stack] = manifestsOf().stacks;
  const wrong = [
    { spec: { ...stack!.spec, prerequisite: [] } },
    { spec: { ...stack!.spec, commit: undefined } },
    { spec: { ...stack!.spec, branch: "main" } },
    { spec: { ...stack!.spec, envRefs: { KEY: { type: "Secret" } } } },
    { metadata: { name: "Europe_1" } },
    { apiVersion: "pulumi.com/v2" },
  ];
  for (const change of wrong) expect(manifest.safeParse({ ...stack, ...change }).success).toBe(false);
});
