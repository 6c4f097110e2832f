import type { Declaration } from "../../../src/schema/declaration";
import {
  alternatives,
  flag,
  id,
  list,
  map,
  number,
  object,
  ref,
  set,
  text,
  wholeObject,
} from "../../../src/schema/kinds";

const option = () => object({ name: text(), password: text().secret(), size: number() });

/** A collection with every word of the vocabulary, which no specification has. */
export const thing: Declaration = {
  type: "Thing",
  noun: "thing",
  plural: "things",
  group: { name: "things", title: "Things" },
  columns: [],
  path: "/things",
  idPrefix: "th_",
  listKey: "things",
  style: "collection",
  whole: false,
  rules: [],
  fields: {
    description: text(),
    fixed: text().replace(),
    owner: text().replace().serverDefault(),
    region: text().serverDefault("global"),
    active: flag().serverDefault(true),
    count: number(),
    labels: map(text()),
    headers: map(text(), { canonical: (name) => name.toLowerCase() }),
    order: list(text()),
    policyIds: set(id("ipp_")).fromRef("policies"),
    hosts: set(text({ canonical: (host) => host.toLowerCase() })),
    backendId: id().fromRef("backend"),
    password: text().secret(),
    csr: text().replace().writeOnly(),
    hint: number().local(),
    deployment: object({
      name: text(),
      version: text(),
      csr: text().writeOnly(),
      namespace: text().replace(),
    }),
    module: wholeObject({
      enabled: flag().serverDefault(true).means("who gets in"),
      value: text(),
      policyIds: set(id()).fromRef("policies"),
    }),
    target: alternatives({ one: option(), other: option() }, "at most one"),
    createdAt: text().computed(),
    backend: ref("backend"),
  },
};
