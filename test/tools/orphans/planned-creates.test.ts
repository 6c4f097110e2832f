import { plannedCreates } from "../../../src/tools/orphans/planned-creates";
import { recorded } from "../../support/recorded";

let mockStdout: string;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: () => Promise.resolve({ stdout: mockStdout, stderr: "" }),
}));

const place = { stack: "dev", note: () => undefined };

it("says that Pulumi printed no JSON where the preview is none", async () => {
  mockStdout = "Previewing update (dev)";
  await expect(plannedCreates(place)).rejects.toThrow(
    "the planned creates could not be read: pulumi printed no JSON",
  );
});

it("says which class of a planned create this version does not know", async () => {
  const type = "pulumi-nodejs:dynamic/tunnel-gateway:FutureThing";
  const urn = `urn:pulumi:dev::shop::${type}::thing`;
  mockStdout = JSON.stringify(
    recorded({ steps: [{ op: "create", urn, newState: { urn, type, inputs: {} } }] }),
  );
  await expect(plannedCreates(place)).rejects.toThrow("knows no resource type FutureThing");
});
