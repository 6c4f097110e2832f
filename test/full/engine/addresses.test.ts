/**
 * An edge's address changes its owner on the real engine, with a service that refuses an address in use;
 * test/provider/faults/addresses-in-use.test.ts has both doors.
 */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, rewrite, stackTrace } from "../../engine/support";

const edge = (name: string, options = ""): string => `
const { TcpEdge } = require("pulumi-tunnel-gateway");
new TcpEdge("${name}", { hostports: ["database.example.com:5432"] }, { ${options} });
`;

describe("the address of an edge", () => {
  const emulator = EmulatorProcess.forTests({ exclusiveAddresses: true });
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(edge("old"));
    stack = await program.stack({ config: emulator.config });
    await stack.up();
  });
  beforeEach(() => emulator.clearRequests());

  const writes = async (): Promise<string[]> =>
    (await emulator.requestLines()).filter((line) => !line.startsWith("GET "));
  const review = async (): Promise<string> =>
    (await tunnelGateway(program, stack, ["review", "--stack", stack.name, "--fail-on", "never"])).stdout;
  const edgeId = async (): Promise<string> => String((await emulator.state())["edges/tcp"]![0]!.id);

  it("is named with its holder where the edge has a new name", async () => {
    rewrite(program, edge("new"));
    expect(await review()).toContain(
      "TcpEdge new: the service may refuse tcp://database.example.com:5432: " +
        'it is an address of TcpEdge "old", until a later step of this deployment',
    );
    const { output } = await stack.up({ exitCode: 1 });
    expect(output).toContain(
      `tcp://database.example.com:5432 is an address of the TCP edge ${await edgeId()} already`,
    );
    expect(output).not.toMatch(stackTrace);
    rewrite(program, edge("new", 'aliases: [{ name: "old" }]'));
    await emulator.clearRequests();
    await stack.up();
    expect(await writes()).toEqual([]);
  });

  it("is free before a replacement that somebody forces takes it", async () => {
    const id = await edgeId();
    const urn = (await stack.exportState()).deployment.resources!.find((each) => each.id === id)!.urn;
    await stack.up({ args: ["--target-replace", urn] });
    expect(await writes()).toEqual([`DELETE /edges/tcp/${id}`, "POST /edges/tcp"]);
  });

  it("is found by the review where an object outside of the stack has it, as is a rule that somebody has made", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_other" }],
      ip_policy_rules: [{ id: "ipr_hand", ip_policy_id: "ipp_other", cidr: "10.0.0.0/8", action: "allow" }],
      "edges/tcp": [{ id: "edgtcp_other", hostports: ["cache.example.com:6379"] }],
    });
    const more = `
      new TcpEdge("cache", { hostports: ["Cache.example.com:6379"] });
      new IpPolicyRule("again", { ipPolicyId: "ipp_other", cidr: "10.0.0.0/8", action: "deny" });
    `;
    rewrite(program, edge("new", 'aliases: [{ name: "old" }]') + more);
    const said = await review();
    expect(said).toContain(
      "TcpEdge cache: the service may refuse tcp://cache.example.com:6379: it is an address of TcpEdge edgtcp_other, which is not in the stack",
    );
    expect(said).toMatch(/interruption\/refused +IpPolicyRule again: the service refuses it: .*ipr_hand/);
    expect(said).toContain("run with the account's ");
    const { output } = await stack.up({ exitCode: 1 });
    expect(output).toContain("is an address of the TCP edge edgtcp_other already");
    expect(output).toContain("already exists in IP policy rule ipr_hand");
  });

  it("is a warning in the preview where the program has it twice", async () => {
    rewrite(program, edge("new") + 'new TcpEdge("twin", { hostports: ["database.example.com:5432"] });');
    const { output } = await stack.preview();
    expect(output).toMatch(
      /^ +warning: hostports: tcp:\/\/database\.example\.com:5432 is an address of TcpEdge "(new|twin)"/m,
    );
  });
});
