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

it.each(["no list", "null", "{}"])(
  "is neither created nor taken for missing where pulumi lists %j",
  async (list) => {
    mockList = list;
    mockCommands.length = 0;
    const reporter = { note: () => undefined, print: () => undefined };
    const options = { stack: "dev", cwd: process.cwd(), reporter } as unknown as Parameters<
      typeof connection
    >[0];
    await expect(connection(options, false)).rejects.toThrow("pulumi stack export failed");
    expect(mockCommands).toEqual(["stack export", "stack ls"]);
  },
);
