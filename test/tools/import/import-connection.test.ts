/** The stack of an import, where Pulumi can neither read it nor say which stacks there are. */
import { connection } from "../../../src/tools/import/import-connection";
import { PulumiError } from "../../../src/tools/stack/pulumi";

const mockCommands: string[] = [];
let mockList: string;

jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[]) => {
    mockCommands.push(args.slice(0, 2).join(" "));
    if (args[1] === "ls") return Promise.resolve({ stdout: mockList, stderr: "" });
    const output = { stdout: "", stderr: "error: incorrect passphrase" };
    return Promise.reject(new PulumiError("pulumi stack export failed", 255, output));
  },
}));

const connected = (stack: string, createMissing: boolean) => {
  mockCommands.length = 0;
  const reporter = { note: () => undefined, print: () => undefined };
  const options = { stack, cwd: process.cwd(), reporter } as unknown as Parameters<typeof connection>[0];
  return connection(options, createMissing);
};

it.each([
  ["no list", "dev", false],
  ["null", "dev", false],
  ["{}", "dev", false],
  ['[{"name":"dev"}]', "acme/shop/dev", true],
])("is neither created nor taken for missing where pulumi lists %j", async (list, stack, createMissing) => {
  mockList = list;
  await expect(connected(stack, createMissing)).rejects.toThrow("pulumi stack export failed");
  expect(mockCommands).toEqual(["stack export", "stack ls"]);
});

it.each([
  ['[{"name":"prod"}]', true, "it has prod"],
  ["[]", false, "it has none"],
])("is not created in a project with the stacks %s", async (list, createMissing, existing) => {
  mockList = list;
  await expect(connected("dev", createMissing)).rejects.toThrow(
    `there is no stack dev in the project (${existing}): correct --stack`,
  );
  expect(mockCommands).toEqual(["stack export", "stack ls"]);
});
