/** Whether an import makes dynamic resources or native ones. */
import { doorChoice } from "../../../src/tools/import/objects/door-choice";
import { dynamicDoor, nativeDoor } from "../../../src/program/door";
import { declarationOf } from "../../../src/resources/registry";
import { contentsOf } from "../../support/recorded";

const dynamic = "pulumi-nodejs:dynamic/tunnel-gateway:";
const native = "tunnel-gateway:index:";

function stackOf(...tokens: string[]) {
  const provider = "urn:pulumi:dev::shop::pulumi:providers:tunnel-gateway::default::1";
  const resources = tokens.map((type, i) => ({
    ...{ urn: `urn:pulumi:dev::shop::${type}::r${i}`, type, custom: true, id: `id_${i}`, inputs: {} },
    ...(type.startsWith(native) && { provider }),
  }));
  return contentsOf({ deployment: { resources } }, "dev");
}

it.each([
  ["dynamic without a stack", undefined, dynamicDoor],
  ["dynamic in an empty stack", [], dynamicDoor],
  ["dynamic where all resources are", [`${dynamic}BotUser`, `${dynamic}TcpEdge`], dynamicDoor],
  ["native where all resources are", [`${native}BotUser`, `${native}TcpEdge`], nativeDoor],
  [
    "native where those in the file of the class are",
    [`${dynamic}BotUser`, `${native}IpPolicyRule`],
    nativeDoor,
  ],
  ["dynamic where those in the file are", [`${native}BotUser`, `${dynamic}IpPolicyRule`], dynamicDoor],
  [
    "dynamic where the stack has both kinds elsewhere",
    [`${native}BotUser`, `${dynamic}TcpEdge`],
    dynamicDoor,
  ],
])("is %s", (_, tokens, door) => {
  const doorOf = doorChoice(tokens && stackOf(...tokens), undefined);
  expect(doorOf(declarationOf("IpPolicy").group)).toBe(door);
});

it.each([
  ["pulumi:providers:pulumi-nodejs", dynamicDoor],
  ["pulumi:providers:tunnel-gateway", nativeDoor],
])("is that of an explicit provider of the type %s, whatever the stack has", (type, door) => {
  const provider = { variable: "partner", urn: `urn:pulumi:dev::shop::${type}::partner` };
  for (const tokens of [[`${native}IpPolicy`], [`${dynamic}IpPolicy`]])
    expect(doorChoice(stackOf(...tokens), provider)(declarationOf("IpPolicy").group)).toBe(door);
});
