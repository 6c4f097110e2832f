import { declarationOf, declarations } from "../../src/resources/registry";
import { mapSecrets } from "../../src/schema/secrets";
import { accessList, worldOf, type World } from "./plan";
import { shrink } from "./shrink";
import { needlesIn, withDistinctSecrets } from "./values";

const worlds = Array.from({ length: 40 }, (_, i) => worldOf(1, i + 1));

test("the same seed makes the same world, and another number another one", () => {
  expect(worldOf(1, 1)).toEqual(worlds[0]);
  expect(worldOf(1, 2)).not.toEqual(worldOf(1, 1));
  expect(worldOf(2, 1)).not.toEqual(worldOf(1, 1));
});

test("forty worlds declare every class, and have every command, fault, kill and change by hand", () => {
  const rounds = worlds.flatMap((world) => world.rounds);
  const found = <T>(values: readonly T[]) => [...new Set(values)].sort();
  expect(found(rounds.flatMap(({ program }) => program.map(({ type }) => type)))).toEqual(
    [...declarations.map(({ type }) => type), accessList].sort(),
  );
  expect(found(rounds.map(({ command }) => command))).toEqual([
    "destroy",
    "refresh, then up",
    "up",
    "up --refresh",
  ]);
  expect(found(rounds.flatMap(({ kill }) => kill?.victim ?? []))).toEqual([
    "the CLI",
    "the CLI and its plugin",
    "the plugin",
  ]);
  expect(found(rounds.flatMap(({ byHand }) => byHand.map(({ kind }) => kind)))).toEqual([
    "change",
    "delete",
    "intrude",
    "make",
  ]);
  expect(found(rounds.flatMap(({ faults }) => faults.map(({ kind }) => kind)))).toEqual([
    "dropAfter",
    "dropBefore",
    "garbage",
    "hang",
    "html",
    "slow",
    "status",
    "truncate",
  ]);
});

test("a program declares each resource after those that it refers to", () => {
  for (const { rounds } of worlds) {
    for (const { program } of rounds) {
      program.forEach(({ args }, i) => {
        const earlier = program.slice(0, i).map(({ name }) => `"@${name}"`);
        const references = JSON.stringify(args).match(/"@[^"]*"/g) ?? [];
        expect(references.filter((each) => !earlier.includes(each))).toEqual([]);
      });
    }
  }
});

test("a failure is reduced to the one resource and round that cause it", async () => {
  const world = worlds.find(({ rounds }) => rounds.some(({ program }) => program.length > 4))!;
  const culprit = world.rounds
    .flatMap(({ program }) => program)
    .find(({ args }) => !JSON.stringify(args).includes("@"))!;
  const fails = ({ rounds }: World) =>
    rounds.some(({ program }) => program.some(({ name }) => name === culprit.name));
  const attempt = (each: World) => Promise.resolve(fails(each) ? "it fails" : undefined);
  const { rounds } = await shrink(world, attempt, { mostAttempts: 40, longestMs: 300_000 });
  expect(rounds.flatMap(({ program }) => program.map(({ name }) => name))).toEqual([culprit.name]);
});

test("neither a value nor a key of a plain map holds a request for a certificate, as some secrets do", () => {
  const { fields } = declarationOf("SshUserCertificate");
  const pem = "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n";
  const { extensions } = withDistinctSecrets(fields, { extensions: { [pem]: pem, a: "b" } }, 7);
  expect(extensions).toEqual({ "public text 7": "public text 7", a: "b" });
});

test("no plain argument holds the text of a secret, which would look like one that the package shows", () => {
  const secrets = new Set<string>();
  const plain: string[] = [];
  for (const { rounds } of worlds)
    for (const { type, args } of rounds.flatMap(({ program }) => program)) {
      if (type === accessList) continue;
      const { fields } = declarationOf(type);
      for (const each of needlesIn(fields, args)) secrets.add(each);
      plain.push(JSON.stringify(mapSecrets(fields, args, () => "")));
    }
  expect(secrets.size).toBeGreaterThan(5);
  const showing = plain.filter((text) => [...secrets].some((secret) => text.includes(secret)));
  expect(showing).toEqual([]);
});
