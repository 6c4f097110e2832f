/** Keys of a configuration that no setting has: what is said of them, and where. */
import { IpPolicy, listIpPolicies } from "../../../src";
import { settingNames } from "../../../src/provider/settings/settings";
import { unknownKeys } from "../../../src/provider/settings/unknown-settings";
import { failureOf } from "../../support/failure";
import { warnedIn } from "../../support/warned";

const effect = "is not a setting of pulumi-tunnel-gateway and has no effect on it:";
const advice = "Correct or remove the key in the stack's configuration";

describe("an unknown key", () => {
  it("is named with the setting that it resembles", () => {
    expect(unknownKeys(["tunnel-gateway:retryTimout", "tunnel-gateway:baseURL"], "shop")).toEqual([
      `tunnel-gateway:baseURL ${effect} did you mean tunnel-gateway:baseUrl? ${advice}`,
      `tunnel-gateway:retryTimout ${effect} did you mean tunnel-gateway:retryTimeout? ${advice}`,
    ]);
  });

  it("is named with all settings where it resembles none", () => {
    // The ranges of kept access are in the configuration of the review.
    const names = ["keepAccess", "region"].map((name) => `tunnel-gateway:${name}`);
    expect(unknownKeys(names, "shop")).toEqual(
      names.map((name) => `${name} ${effect} the settings are ${settingNames.join(", ")}. ${advice}`),
    );
  });

  it("is shown without what was meant as its value, and without control characters", () => {
    const [text] = unknownKeys(
      ["tunnel-gateway:apiKey=s3cret\nmore", "tunnel-gateway:zone\u001b[2J"],
      "shop",
    );
    expect(text).toContain("tunnel-gateway:apiKey=… is not a setting");
    expect(unknownKeys(["tunnel-gateway:zone\u001b[2J"], "shop").join()).toContain("zone\\u001b[2J is not");
  });

  it("is no setting, no key of another package and none that Pulumi reads", () => {
    const settings = settingNames.map((name) => `tunnel-gateway:${name}`);
    const others = ["shop:baseURL", "aws:region", "pulumi:tags"];
    const ofPulumi = ["tunnel-gateway:version", "tunnel-gateway:pluginDownloadURL"];
    expect(unknownKeys([...settings, ...others, ...ofPulumi], "shop")).toEqual([]);
  });

  it("may be the program's own in a project with the name of the package, unless it resembles a setting", () => {
    const keys = ["tunnel-gateway:officeRanges", "tunnel-gateway:retryTimout"];
    expect(unknownKeys(keys, "tunnel-gateway")).toEqual([
      expect.stringMatching(/^tunnel-gateway:retryTimout /),
    ]);
  });
});

describe("a program", () => {
  const config = { "tunnel-gateway:retryTimout": "the value", "shop:office": "203.0.113.0/24" };
  const warning = expect.stringMatching(
    /^tunnel-gateway:retryTimout .*did you mean tunnel-gateway:retryTimeout\?/,
  ) as unknown;

  it("warns of the key once in a run, without the value, however many resources it has", async () => {
    const program = (): void => ["a", "b"].forEach((name) => void new IpPolicy(name));
    const first = await warnedIn(program, config);
    expect(first).toEqual([warning]);
    expect(first.join()).not.toContain("the value");
    expect(await warnedIn(program, config)).toEqual([warning]);
  });

  it("warns of it where it has functions alone, which read the configuration", async () => {
    expect(await warnedIn(() => failureOf(listIpPolicies().toArray()), config)).toEqual([warning]);
  });
});
