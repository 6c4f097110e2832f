import { programFiles } from "../../../src/tools/import/objects/program-order";
import { distinct, slug, variableOf, variables, withNames } from "../../../src/tools/import/objects/naming";
import { declarationOf, declarations, typesIn } from "../../../src/resources/registry";
import { Inventory } from "../../../src/tools/inventory/inventory";
import { labelText } from "../../../src/tools/inventory/label";
import { oddTexts } from "../../support/odd-account";

it("makes a name of letters, digits and dashes from any text", () => {
  expect(slug("Büro Straße №5")).toBe("buro-strasse-no5");
  expect(slug("  Office  Network ")).toBe("office-network");
  expect(slug("東京オフィス")).toBe("");
  expect(slug("a b ".repeat(63)).length).toBeLessThanOrEqual(40);
  const [first, second] = [21, 18].map((length) => "x".repeat(length));
  expect(slug(`${first} ${second} x`)).toBe(`${first}-${second}`);
  for (const text of oddTexts) expect(slug(text)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
});

it.each([
  ["https://api.example.com", "api-example-com"],
  [["db.tcp.example.com:5432", "db2.tcp.example.com:5432"], "db-tcp-example-com-5432"],
  [{ service: "web", env: "prod" }, "prod-web"],
  [{ codeHost: { clientId: "a" } }, "code-host"],
  [{ logGroup: { logGroupRef: "arn:logs" } }, "log-group"],
])("names an object that has %j", (value, name) => {
  expect(slug(labelText(value))).toBe(name);
});

it("adds a part of the id to equal names, whatever their order", () => {
  const wanted = [
    { id: "ipp_aaaaaa1", name: "office" },
    { id: "ipp_bbbbbb2", name: "office" },
    { id: "ipp_cccccc3", name: "lab" },
  ];
  const names = distinct(wanted, new Set());
  expect(names).toEqual(["office-aaaaa1", "office-bbbbb2", "lab"]);
  expect(distinct([...wanted].reverse(), new Set())).toEqual([...names].reverse());
});

it("uses no name of another resource, and makes all names distinct", () => {
  expect(distinct([{ id: "ipp_aaaaaa1", name: "office" }], new Set(["office"]))).toEqual(["office-aaaaa1"]);
  const same = [1, 2, 3].map((i) => ({ id: `x${i}_sametail`, name: "office" }));
  expect(new Set(distinct(same, new Set())).size).toBe(3);
});

it("keeps the names of an earlier run, unless another resource or statement has them now", () => {
  const objects = ["office", "lab", "guests"].map((description) => {
    const [declaration, values] = [declarationOf("IpPolicy"), { description }];
    return { declaration, id: `ipp_${description}`, name: "", args: values, values };
  });
  const inUse = {
    ...{ names: new Set(["IpPolicy guests-2", "TcpEdge hq"]), variables: new Set(["labs"]) },
    earlier: new Map([
      ["IpPolicy ipp_office", { name: "hq", variable: "hq" }],
      ["IpPolicy ipp_lab", { name: "labs", variable: "labs" }],
      ["IpPolicy ipp_guests", { name: "guests-2", variable: "guests2" }],
    ]),
  };
  const named = withNames(objects, new Inventory(objects), inUse);
  expect(named.map(({ name, variable }) => `${name} ${variable}`)).toEqual([
    "hq hq",
    "lab lab",
    "guests guests",
  ]);
});

it("gives no variable a reserved word, and no two the same name", () => {
  expect(variableOf("office-network")).toBe("officeNetwork");
  for (const word of ["class", "delete", "delete-", "await", "pulumi", "config", "123"])
    expect(variableOf(word)).toBeUndefined();
  const found = variables(
    [
      { id: "1", type: "IpPolicy", name: "office" },
      { id: "2", type: "TcpEdge", name: "office" },
      { id: "3", type: "IpPolicy", name: "class" },
      { id: "4", type: "IpPolicy", name: "10-0-0-0-8" },
    ],
    new Set(),
  );
  expect(found).toEqual(["officeIpPolicy", "officeTcpEdge", "classIpPolicy", "ipPolicy100008"]);
});

it("takes the letters and digits of any name, before it compares it with the words and the other variables", () => {
  const names = ["delete-", "lab", "lab-", "my_office (2)", "-", "Büro"];
  const found = variables(
    names.map((name, i) => ({ id: `ipp_aaaaa${i}`, type: "IpPolicy", name })),
    new Set(),
  );
  expect(found).toEqual([
    "deleteIpPolicy",
    "labIpPolicyaaaaa1",
    "labIpPolicyaaaaa2",
    "myOffice2",
    "ipPolicy",
    "ipPolicyBRo",
  ]);
});

it("has a place for every class", () => {
  expect(programFiles.flatMap(({ name }) => typesIn(name)).sort()).toEqual(
    declarations.map(({ type }) => type).sort(),
  );
});
