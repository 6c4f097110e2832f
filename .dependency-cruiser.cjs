/**
 * The walls between the wings of src, and the layers of each wing from the bottom up. A file imports files of its own layer and
 * of those below, and no files, also of scripts and tests, import each other in a circle; imports of types count.
 * `npm run lint` checks it.
 */
const providerWing = [
  ["schema"],
  ["provider"],
  ["program"],
  ["account"],
  ["resources"],
  ["account/agents", "program/components", "program/ranges", "provider/existing"],
  ["provider/dynamic"],
  ["testing"],
  ["index.ts"],
  ["native.ts", "provider/native"],
];
const tools = [
  ["tools/stack"],
  ["tools/output"],
  ["tools/inventory"],
  ["tools/rehearsal"],
  ["tools/approval"],
  ["tools/access", "tools/ranges"],
  ["tools/expire", "tools/import", "tools/orphans", "tools/review", "tools/broker"],
  ["tools/map"],
  ["tools/policy"],
  ["tools/cli"],
];
const emulator = ["emulator"];
const layers = [...providerWing, ...tools];

const among = (names) => `^src/(${names.map((name) => name.replace(".", "\\.")).join("|")})(/|$)`;

/** The files of some rooms, without those of rooms inside of them that have a layer of their own. */
function of(names) {
  const inner = layers.flat().filter((other) => names.some((name) => other.startsWith(`${name}/`)));
  return { path: among(names), ...(inner.length > 0 && { pathNot: among(inner) }) };
}

const upward = layers.slice(0, -1).flatMap((names, i) =>
  layers.slice(i + 1).map((above) => ({
    name: `not-upward-from-${names.join("-")}-to-${above.join("-")}`.replaceAll("/", "-"),
    severity: "error",
    comment: "Imports go downwards only. Move what both need to the lower layer.",
    from: of(names),
    to: of(above),
  })),
);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      comment: "Files that import each other cannot be read or tested one at a time.",
      from: {},
      to: { circular: true },
    },
    {
      name: "provider-wing-alone",
      severity: "error",
      comment:
        "The provider wing is owned without the tools: it imports nothing of them, and not the emulator.",
      from: { path: among(providerWing.flat()) },
      to: { path: among(["tools", ...emulator]) },
    },
    {
      name: "emulator-alone",
      severity: "error",
      comment: "The emulator is written from the specification alone, so that it finds errors in the rest.",
      from: { path: among(emulator) },
      to: { path: "^src/", pathNot: among(emulator) },
    },
    {
      name: "in-a-layer",
      severity: "error",
      comment: "Every file of src belongs to a layer; add its folder to the list above.",
      from: { path: "^src/", pathNot: among([...layers.flat(), ...emulator]) },
      to: {},
    },
    ...upward,
    {
      name: "light-declarations",
      severity: "error",
      comment: "A program loads these files, so they load heavy modules at their first use.",
      from: { path: among(["schema", "program", "resources"]) },
      to: { path: "node_modules/(undici|zod)/", dependencyTypesNot: ["type-only", "dynamic-import"] },
    },
    {
      name: "sdk",
      severity: "error",
      comment:
        "The index of Pulumi's SDK loads a compiler and a package manager: take its functions from src/schema/sdk.ts.",
      from: { path: "^src/", pathNot: among(["testing"]) },
      to: { path: "node_modules/@pulumi/pulumi/index", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node"] },
  },
};
