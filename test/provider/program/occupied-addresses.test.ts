/** Two resources of one program that are to serve one address: what the program warns of, through both doors. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamicClasses from "../../../src";
import * as nativeClasses from "../../../src/native";
import { warnedIn } from "../../support/warned";

const hostport = "database.example.com:5432";
const url = "https://hello.example.com";

describe.each([
  ["dynamic", dynamicClasses],
  ["native", nativeClasses],
])("a program with an address twice, through the %s door", (_, { CloudEndpoint, Provider, TcpEdge }) => {
  const warnings = (program: () => void): Promise<string[]> =>
    warnedIn(() => pulumi.runtime.runInPulumiStack(() => Promise.resolve(program())), {});
  const serving = (...all: object[]) =>
    warnings(() => {
      for (const [i, args] of all.entries()) new CloudEndpoint(["one", "two", "three"][i]!, { url, ...args });
    });

  it("warns on the second edge, whatever the spelling is and whether the value is an Output", async () => {
    const [text, ...others] = await warnings(() => {
      new TcpEdge("one", { hostports: [hostport.toUpperCase()] });
      new TcpEdge("two", { hostports: ["cache.example.com:1", pulumi.output(hostport)] });
    });
    expect(text).toMatch(
      /^hostports: tcp:\/\/database\.example\.com:5432 is an address of TcpEdge "(one|two)"( \(.*\))? too, and the service may refuse to serve it twice\. Take it out of one of the two$/,
    );
    expect(others).toEqual([]);
  });

  it("warns of an edge and an endpoint", async () => {
    const found = await warnings(() => {
      new TcpEdge("one", { hostports: [hostport] });
      new CloudEndpoint("two", { url: `tcp://${hostport}` });
    });
    expect(found).toEqual([expect.stringMatching(/^(url|hostports): tcp:.*Take it out of one of the two$/)]);
  });

  it("warns of two endpoints unless both pool it", async () => {
    const warning = expect.stringMatching(
      /^url: https:\/\/hello\.example\.com is an address of CloudEndpoint "(one|two|three)".*, or set poolingEnabled on both$/,
    ) as unknown;
    expect(await serving({}, { url: `${url}:443` })).toEqual([warning]);
    const pools = { poolingEnabled: true };
    expect(await serving(pools, {})).toEqual([warning]);
    expect(await serving(pools, pools)).toEqual([]);
    expect(await serving({}, pools, pools)).toEqual([warning, warning]);
  });

  it("says nothing of other addresses and of other accounts", async () => {
    expect(await serving({}, { url: "http://hello.example.com" })).toEqual([]);
    const settings = { apiKey: "a-key-for-tests", baseUrl: "https://api.example.com" };
    const found = await warnings(() => {
      new TcpEdge("one", { hostports: [hostport] });
      new TcpEdge("two", { hostports: [hostport] }, { provider: new Provider("partner", settings) });
    });
    expect(found).toEqual([]);
  });

  it("asks the account of the provider of an edge in a component, before that of the component", async () => {
    const settings = { apiKey: "a-key-for-tests", baseUrl: "https://api.example.com" };
    const edges = (isOwn: boolean) => (): void => {
      const [partner, other] = ["partner", "other"].map((name) => new Provider(name, settings));
      const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [partner!] });
      new TcpEdge("one", { hostports: [hostport] }, { provider: partner! });
      new TcpEdge("two", { hostports: [hostport] }, { parent, ...(isOwn && { provider: other! }) });
    };
    expect(await warnings(edges(true))).toEqual([]);
    expect(await warnings(edges(false))).toHaveLength(1);
  });
});
