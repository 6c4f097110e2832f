import * as fc from "../../support/fast-check";
import { valuesForEngine } from "../../../src/schema/recorded-state";
import { fromWire, toWire } from "../../../src/provider/life-cycle/wire";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { object, set, text } from "../../../src/schema/kinds";
import { argumentsFrom, outputsFrom } from "../../../src/schema/values";
import { thing } from "./made-up";
import { plain, secretOf } from "../../support/in-process/values";

const { fields } = thing;
const refTo = (id: string) => ({ id, uri: `https://gateway.test/${id}` });

describe("what goes over the wire", () => {
  it("has the specification's names at every depth, and the user's own keys as they are", () => {
    const args = argumentsFrom({
      policyIds: ["ipp_1"],
      labels: { camelCase: "a", snake_case: "b", policyIds: "c" },
      deployment: { name: "n", csr: "c" },
      module: { policyIds: ["x"] },
      hint: 5,
      createdAt: "now",
      notAField: 1,
      description: undefined,
    });
    expect(toWire(fields, args)).toEqual({
      policy_ids: ["ipp_1"],
      labels: { camelCase: "a", snake_case: "b", policyIds: "c" },
      deployment: { name: "n", csr: "c" },
      module: { policy_ids: ["x"] },
    });
  });

  it("holds what is 0, false or empty", () => {
    const given = { count: 0, active: false, description: "", labels: {}, order: [] };
    expect(toWire(fields, argumentsFrom(given))).toEqual(given);
  });

  it("is a range where the program gives one address", () => {
    const { fields: ofRule } = declarationOf("IpPolicyRule");
    expect(toWire(ofRule, argumentsFrom({ cidr: "203.0.113.7" }))).toEqual({ cidr: "203.0.113.7/32" });
    expect(toWire(ofRule, argumentsFrom({ cidr: "203.0.113.0/24" }))).toEqual({ cidr: "203.0.113.0/24" });
  });

  it("is what an older state holds in the place of a text, as it is", () => {
    const { fields: ofRule } = declarationOf("IpPolicyRule");
    expect(toWire(ofRule, argumentsFrom({ cidr: ["203.0.113.7"] }))).toEqual({ cidr: ["203.0.113.7"] });
  });

  it("keeps any key of a map, there and back", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (labels) => {
        const body: Json = toWire(fields, argumentsFrom({ labels }));
        expect(fromWire(fields, body).labels).toEqual(labels);
      }),
    );
  });
});

describe("an answer", () => {
  it("becomes ids for the arguments and Refs under their own names", () => {
    const backend = refTo("bkdtg_1");
    const policies = [refTo("ipp_1"), refTo("ipp_2")];
    expect(fromWire(fields, { backend, policies, module: { policies } })).toEqual({
      backendId: "bkdtg_1",
      backend,
      policyIds: ["ipp_1", "ipp_2"],
      module: { policyIds: ["ipp_1", "ipp_2"] },
    });
  });

  it("that is null, empty or not there stands for what was never set", () => {
    for (const unset of [undefined, null, ""]) {
      expect(fromWire(fields, { description: unset, password: unset, labels: null, backend: null })).toEqual(
        {},
      );
    }
  });

  it("that is empty or not there stands for the empty value that was set", () => {
    const empty = { description: "", labels: {}, order: [] };
    for (const answer of [{}, { description: null, labels: null, order: null }, empty]) {
      expect(fromWire(fields, answer, outputsFrom(empty))).toEqual(empty);
    }
  });

  it("that is not there stands for nothing where something was set: somebody removed it", () => {
    expect(
      fromWire(fields, {}, outputsFrom({ description: "d", labels: { a: "b" }, active: false })),
    ).toEqual({});
  });

  it("that is empty or not there stands for an empty value, even where that is not the default", () => {
    const fields = { region: text().serverDefault("global"), hosts: set(text()).serverDefault() };
    const prior = outputsFrom({ region: "", hosts: [] });
    expect(fromWire(fields, {}, prior)).toEqual(prior);
    expect(fromWire(fields, {}, outputsFrom({ region: "eu", hosts: ["a"] }))).toEqual({});
    expect(fromWire(fields, {})).toEqual({});
  });

  it("that is not there stands for no argument, and for an empty list where every answer holds it", () => {
    const all = { needed: set(text()).required(), other: set(text()) };
    const answered = { outputs: object(all).computed(), list: set(text()).computed() };
    const fields = { ...all, inner: object(all), ...answered };
    expect(fromWire(fields, { inner: {}, outputs: {} })).toEqual({
      inner: {},
      outputs: { needed: [] },
      list: [],
    });
  });

  it("is no source of what stays with the program", () => {
    expect(fromWire(fields, { hint: 5 })).toEqual({});
    expect(fromWire(fields, { hint: 5 }, outputsFrom({ hint: 1 }))).toEqual({});
  });

  it("has no items that are null", () => {
    const policies = [refTo("ipp_1"), null];
    expect(fromWire(fields, { order: [null, "a", null], policies })).toEqual({
      order: ["a"],
      policyIds: ["ipp_1"],
    });
  });

  it("keeps the known spelling where the value means the same", () => {
    const prior = outputsFrom({ headers: { "X-A": "1" }, policyIds: ["ipp_2", "ipp_1"] });
    const answer = { headers: { "x-a": "1" }, policies: [refTo("ipp_1"), refTo("ipp_2")] };
    expect(fromWire(fields, answer, prior)).toEqual(prior);
    expect(fromWire(fields, { headers: { "x-a": "2", "x-b": "3" } }, prior)).toEqual({
      headers: { "X-A": "2", "x-b": "3" },
    });
  });

  it.each(["***", "••••1234", "[REDACTED]", ""])("of a secret that is %j is never stored", (redacted) => {
    const prior = outputsFrom({ password: "p", target: { one: { name: "n", password: "q" } } });
    const answer = { password: redacted, target: { one: { name: "n", password: redacted }, other: null } };
    expect(fromWire(fields, answer, prior)).toEqual(prior);
    expect(fromWire(fields, answer)).toEqual({ target: { one: { name: "n" } } });
  });

  it("of what is no secret is a value, whatever it looks like", () => {
    expect(fromWire(fields, { description: "***" }, outputsFrom({ description: "d" }))).toEqual({
      description: "***",
    });
    expect(fromWire(fields, { fixed: "[redacted]" })).toEqual({ fixed: "[redacted]" });
  });

  it("of a secret that is another real value is drift", () => {
    expect(fromWire(fields, { password: "changed" }, outputsFrom({ password: "p" }))).toEqual({
      password: "changed",
    });
  });

  it("never decides on what no answer holds", () => {
    expect(fromWire(fields, { csr: "of somebody" }, outputsFrom({ csr: "mine" }))).toEqual({ csr: "mine" });
    expect(fromWire(fields, { csr: "of somebody" })).toEqual({});
  });
});

describe("what a hook returns", () => {
  it("has its secrets marked at every depth and nothing that Pulumi cannot write", () => {
    const values = {
      password: "p",
      target: { one: { name: "n", password: "q", size: undefined }, other: null },
      description: undefined,
      active: false,
    };
    expect(valuesForEngine(thing, values)).toStrictEqual({
      password: secretOf("p"),
      target: { one: { name: "n", password: secretOf("q") } },
      active: false,
    });
    expect(plain(valuesForEngine(thing, values))).toEqual({
      password: "p",
      target: { one: { name: "n", password: "q" } },
      active: false,
    });
  });
});
