import { problems } from "../../support/life";
import { changes, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const sshCredential = declarationOf("SshCredential");

const line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
const other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const answer = { id: "sshcr_1", public_key: `${line}\n`, acl: null, description: "", metadata: null };

test("each wrong value of a credential is found at its path", () => {
  expect(
    problems(sshCredential, {
      publicKey: "no key",
      acl: ["bind:ok.example.com", "allow:x"],
      ownerId: "ak_1",
    }),
  ).toEqual([
    expect.stringMatching(/^publicKey: must be a public key/),
    expect.stringMatching(/^acl\[1\]: must be "\*" or "bind:<target>"/),
    expect.stringMatching(/^ownerId: must be an id that starts with usr_ or bot_/),
  ]);
  expect(problems(sshCredential, {})).toEqual(["publicKey: is required"]);
});

test("a key keeps the program's spelling, and only another key replaces", async () => {
  const state = await stateOf(sshCredential, { publicKey: `${line} me@host` }, answer);
  expect(state.publicKey).toBe(`${line} me@host`);
  expect(await changes(sshCredential, state, { publicKey: line })).toEqual([]);
  expect(await changes(sshCredential, state, { publicKey: other })).toEqual(["publicKey!"]);
});

test("no acl and the acl that permits all are one, and an empty acl is another", async () => {
  const state = await stateOf(sshCredential, { publicKey: line }, answer);
  expect(await changes(sshCredential, state, { publicKey: line, acl: ["*"] })).toEqual([]);
  expect(await updated(sshCredential, state, { publicKey: line, acl: [] })).toEqual({ acl: [] });
});

test.each([[["*"]], [[]], [null], [undefined]])(
  "the answer %j equals a program that gives no acl or [*]",
  async (answered) => {
    for (const given of [{ publicKey: line }, { publicKey: line, acl: ["*"] }]) {
      const state = await stateOf(sshCredential, given, { ...answer, acl: answered });
      expect(await changes(sshCredential, state, given)).toEqual([]);
    }
    const restricted = { publicKey: line, acl: ["bind:a.example.com"] };
    const state = await stateOf(sshCredential, restricted, { ...answer, acl: restricted.acl });
    const opened = await refreshed(sshCredential, state, { ...answer, acl: answered });
    expect(await changes(sshCredential, opened, restricted)).toEqual(["acl"]);
  },
);

test("an empty acl that is answered as null stays what the program gave", async () => {
  const args = { publicKey: line, acl: [] };
  const state = await refreshed(sshCredential, await stateOf(sshCredential, args, answer), answer);
  expect(await changes(sshCredential, state, args)).toEqual([]);
});

test("removing the acl permits all, and its order does not count", async () => {
  const args = { publicKey: line, acl: ["bind:a.example.com", "bind:b=*"] };
  const state = await stateOf(sshCredential, args, { ...answer, acl: ["bind:b=*", "bind:A.example.com"] });
  expect(await changes(sshCredential, state, args)).toEqual([]);
  expect(await updated(sshCredential, state, { publicKey: line })).toEqual({ acl: ["*"] });
});

test("an owner that the program never set is no difference, and removing one replaces", async () => {
  const owned = { ...answer, owner_id: "usr_1" };
  expect(
    await changes(sshCredential, await stateOf(sshCredential, { publicKey: line }, owned), {
      publicKey: line,
    }),
  ).toEqual([]);
  const state = await stateOf(sshCredential, { publicKey: line, ownerId: "usr_1" }, owned);
  expect(await changes(sshCredential, state, { publicKey: line })).toEqual(["ownerId!"]);
});
