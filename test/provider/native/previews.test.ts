/** What the native provider says of outputs in the preview of an update, for every class, against what the update then does. */
import { declarations } from "../../../src/resources/registry";
import { isUnknown } from "../../../src/schema/unknown";
import { history } from "../../rounds/subject";
import type { Json, Subject } from "../../rounds/subject";
import { seed, subjects } from "../../rounds/table";
import { resolvedIn } from "../../rounds/world";
import { sharedEmulator } from "../../support/emulators";
import { secretOf } from "../../support/in-process/values";
import { nativeForTests } from "../../support/native-client";
import type { Created } from "../../support/native-client";
import { cases } from "../../support/cases";

const emulator = sharedEmulator();
const native = nativeForTests();

/** The objects of a test, by name. */
let made: Record<string, Created> = {};

beforeEach(async () => {
  made = {};
  await emulator.reset();
  await emulator.seed(seed);
  await native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl });
});

/** A round of the table that changes an object in place. */
interface Update {
  readonly name: string;
  readonly round: number;
  readonly subject: Subject;
}

const updates: readonly Update[] = subjects.flatMap((subject) =>
  subject.changes.flatMap(({ op, set }, i): Update[] =>
    op === "update"
      ? [{ name: `${subject.name}, round ${i + 1}: ${Object.keys(set).join(", ")}`, round: i + 1, subject }]
      : [],
  ),
);

/** The arguments as a check of the provider gives them to the engine. */
async function checked({ type }: Subject, args: Json, olds?: Json): Promise<Json> {
  const given = resolvedIn({ resources: () => made }, args);
  const { inputs, failures } = await native.check(type, given, olds);
  expect(failures).toEqual([]);
  return inputs;
}

/** Makes what the arguments refer to. */
async function makeOthers(args: Json): Promise<void> {
  for (const [, name] of JSON.stringify(args).matchAll(/"@([^"]+)"/g)) {
    const other = subjects.find((each) => each.name === name)!;
    if (other.name in made) continue;
    await makeOthers(other.args);
    made[other.name] = await native.create(other.type, await checked(other, other.args));
  }
}

/** The object after some rounds: made in the last one that replaces it, and then updated. */
async function objectAfter(subject: Subject, rounds: number): Promise<Created> {
  const states = history(subject);
  const base = subject.changes.slice(0, rounds).findLastIndex(({ op }) => op === "replace") + 1;
  let object = await native.create(subject.type, await checked(subject, states[base]!));
  for (let round = base + 1; round <= rounds; round++) {
    object = await native.update(subject.type, object, await checked(subject, states[round]!, object.inputs));
  }
  return object;
}

/** What a preview says of the update, and the object before and after it. */
async function take({ subject, round }: Update) {
  await makeOthers({ ...history(subject).slice(0, round + 1) });
  const before = await objectAfter(subject, round - 1);
  const inputs = await checked(subject, history(subject)[round]!, before.inputs);
  const stables = (await native.diff(subject.type, before, inputs)).getStablesList();
  const planned = await native.update(subject.type, before, inputs, true);
  const after = await native.update(subject.type, before, inputs);
  const isKnown = (name: string): boolean => !isUnknown(planned.outputs[name]);
  return { before, planned, after, stables: stables.filter((name) => name !== "id"), isKnown };
}

const picked = (values: Json, names: readonly string[]) => names.map((name) => [name, values[name]]);

it.each(updates.filter((_, i) => i % cases(10, 1) === 0))(
  "is what the update does: $name",
  async (update) => {
    const { before, planned, after, stables, isKnown } = await take(update);
    const known = Object.keys(planned.outputs).filter(isKnown);
    expect(picked(planned.outputs, known)).toEqual(picked(after.outputs, known));
    expect(picked(after.outputs, stables)).toEqual(picked(before.outputs, stables));
    expect(known).toEqual(expect.arrayContaining(stables));
  },
);

/** The computed outputs that the first update of a class in the table keeps: what uses them shows no change. */
const kept: Record<string, readonly string[]> = {
  ApiKey: ["uri", "createdAt", "token", "sealedToken"],
  BotUser: ["uri", "createdAt"],
  SshCredential: ["uri", "createdAt"],
  SshUserCertificate: ["ownerId", "keyType", "certificate", "uri", "createdAt"],
  SshHostCertificate: ["ownerId", "keyType", "certificate", "uri", "createdAt"],
  TlsCertificate: [
    ...["uri", "createdAt", "subjectCommonName", "notBefore", "notAfter", "keyUsages", "extendedKeyUsages"],
    ...[
      "ownerId",
      "subjectAlternativeNames",
      "issuedAt",
      "privateKeyType",
      "issuerCommonName",
      "serialNumber",
    ],
    ...[
      "subjectOrganization",
      "subjectOrganizationalUnit",
      "subjectLocality",
      "subjectProvince",
      "subjectCountry",
    ],
  ],
  EventDestination: ["uri", "createdAt"],
  IpPolicy: ["uri", "createdAt"],
  IpPolicyRule: ["uri", "createdAt", "ipPolicy"],
  TunnelGroupBackend: ["uri", "createdAt"],
  HttpResponseBackend: ["uri", "createdAt"],
  WeightedBackend: ["uri", "createdAt"],
  FailoverBackend: ["uri", "createdAt"],
  TcpEdge: ["uri", "createdAt"],
  HttpsEdgeRouteOidc: [],
  HttpsEdgeRouteOauth: [],
  HttpsEdgeRouteWebhookVerification: [],
  TlsEdgeIpRestriction: ["ipPolicies"],
  CloudEndpoint: ["uri", "createdAt"],
  EventSubscription: ["uri", "createdAt", "destinations"],
  KubernetesOperator: ["uri", "createdAt"],
};

const first = new Map([...updates].reverse().map((update) => [update.subject.type, update]));

it("has a row for every class that an update changes", () => {
  expect([...first.keys()].sort()).toEqual(Object.keys(kept).sort());
});

it.each(Object.entries(kept))(
  "keeps the outputs of %s that its update cannot change",
  async (type, names) => {
    const { isKnown, before, after } = await take(first.get(type)!);
    const { fields } = declarations.find((each) => each.type === type)!;
    const computed = Object.keys(fields).filter((name) => fields[name]!.presence === "computed");
    expect(computed.filter(isKnown)).toEqual(names);
    expect(picked(after.outputs, names)).toEqual(picked(before.outputs, names));
  },
);
