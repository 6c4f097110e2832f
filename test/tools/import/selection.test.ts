import { classNames } from "../../../src/tools/cli/commands/import/run";
import { chosenTypes, matching, typeNamed } from "../../../src/tools/import/objects/selection";

it("chooses classes in upper or lower case, and lists the classes in an error", () => {
  const isChosen = chosenTypes({ only: ["ippolicy", " BotUser "], except: ["botUser"] });
  expect(["IpPolicy", "BotUser", "ApiKey"].map(isChosen)).toEqual([true, false, false]);
  expect(chosenTypes({ except: ["ApiKey"] })("IpPolicy")).toBe(true);
  expect(() => typeNamed("IpPolicies")).toThrow(
    /^"IpPolicies" is not a class; the classes are BotUser, ApiKey, /,
  );
});

it.each([
  "EventSubscription, EventSource",
  "EventSubscription,EventSource",
  " eventsource ,, EventSubscription,",
])("reads the classes of --only from %j", (text) => {
  const isChosen = chosenTypes({ only: classNames("--only", text) });
  expect(["EventSubscription", "EventSource", "EventDestination"].map(isChosen)).toEqual([true, true, false]);
});

it("refuses a list of classes without a class, which would choose all", () => {
  for (const text of ["", " ", ",", " , "])
    expect(() => classNames("--only", text)).toThrow("--only names no class");
  expect(classNames("--only", undefined)).toEqual([]);
});

it.each([
  [["description=office*"], { description: "office `net`\n" }, true],
  [["description=office"], { description: "office net" }, false],
  [["deployment.name=x*", "region=eu"], { deployment: { name: "xy" }, region: "eu" }, true],
  [["deployment.name=x*", "region=eu"], { deployment: { name: "xy" }, region: "us" }, false],
  [["principals=root"], { principals: ["web", "root"] }, true],
  [["description="], {}, true],
  [["id=ipp_*"], {}, true],
])("chooses objects by %j", (filter, outputs, expected) => {
  expect(matching({ filter })("ipp_1", outputs)).toBe(expected);
});

it("refuses a wrong filter with the reason", () => {
  for (const text of ["office", "=office"]) {
    expect(() => matching({ filter: [text] })).toThrow(
      `takes field=value, such as description=office*; not "${text}"`,
    );
  }
  expect(() => matching({ filter: ["descripton=x"] })).toThrow(/no class has a field descripton/);
});
