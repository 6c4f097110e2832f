import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Deployment } from "../../src/provider/deployment";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "deployment-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const plugin = (writer = process.pid, name = "127_0_0_1_4000") => new Deployment(folder, name, writer);

it("knows what the other plugins of the deployment declare, the latest of each, and not what it declares itself", () => {
  const [one, two] = [plugin(), plugin(process.ppid)];
  one.note("a", { isRefused: false });
  two.note("a", { isRefused: false });
  two.note("b", { isRefused: false, args: { rules: { "10.0.0.0/8": "allow" } } });
  two.note("a", { isRefused: true });
  expect(one.elsewhere("a")).toMatchObject([{ isRefused: true }]);
  expect(one.elsewhere("b")).toMatchObject([{ args: { rules: { "10.0.0.0/8": "allow" } } }]);
  expect(two.elsewhere("b")).toEqual([]);
  expect(plugin(process.pid, "127_0_0_1_40001").elsewhere("a")).toEqual([]);
});

it("writes the same once, and no place in plaintext", () => {
  const one = plugin();
  one.note("https://gateway.example.com edghts_1", { isRefused: false });
  one.note("https://gateway.example.com edghts_1", { isRefused: false });
  const text = readFileSync(join(folder, readdirSync(folder)[0]!), "utf8");
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(text).not.toContain("edghts_1");
});

it("removes the files of deployments that began more than an hour ago", () => {
  writeFileSync(join(folder, "127_0_0_1_3000-7.jsonl"), "");
  utimesSync(join(folder, "127_0_0_1_3000-7.jsonl"), 0, 0);
  writeFileSync(join(folder, "127_0_0_1_3001-8.jsonl"), "");
  plugin().note("a", { isRefused: false });
  expect(readdirSync(folder).sort()).toEqual([
    "127_0_0_1_3001-8.jsonl",
    `127_0_0_1_4000-${process.pid}.jsonl`,
  ]);
});

it("knows nothing of an ended deployment whose engine had the same address", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  plugin(pid).note("a", { isRefused: false });
  expect(plugin().elsewhere("a")).toEqual([]);
});

it("reads no line that another plugin has not written to its end", () => {
  plugin(process.ppid).note("a", { isRefused: false });
  const [file] = readdirSync(folder);
  const text = readFileSync(join(folder, file!), "utf8");
  writeFileSync(join(folder, file!), text + text.replace("false", "true").slice(0, -3));
  expect(plugin().elsewhere("a")).toMatchObject([{ isRefused: false }]);
});

it("does without files where none can be written", () => {
  const nowhere = new Deployment(join(folder, "no\0folder"), "127_0_0_1_4000", process.pid);
  nowhere.note("a", { isRefused: false });
  expect(nowhere.elsewhere("a")).toEqual([]);
});

it("is that of the engine that started the plugin", () => {
  expect(Deployment.of(undefined)).toBeUndefined();
  expect(Deployment.of("127.0.0.1:4000")).toBeInstanceOf(Deployment);
});
