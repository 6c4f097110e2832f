/**
 * The layers of src, from the bottom. A file imports files of its own layer and of those below, and no files, also of
 * scripts and tests, import each other in a circle; imports of types count. `npm run lint` checks it.
 */
const layers = [
  [
    "settings.ts",
    "unknown-settings.ts",
    "version.ts",
    "once-per.ts",
    "sdk.ts",
    "text",
    "html",
    "document",
    "tracing",
  ],
  ["schema"],
  ["addresses"],
  ["provider"],
  ["program"],
  ["account"],
  ["resources"],
  ["agents", "stack"],
  ["inventory"],
  ["access", "components", "ranges"],
  ["plugin"],
  ["expire", "import", "orphans"],
  ["rehearsal"],
  ["review"],
  ["map"],
  ["policy", "testing"],
  ["index.ts", "supported-node.ts"],
  ["native", "native-door.ts"],
  ["cli"],
];

const among = (names) => `^src/(${names.map((name) => name.replace(".", "\\.")).join("|")})(/|$)`;

const upward = layers.slice(0, -1).map((names, i) => ({
  name: `not-upward-from-${names.join("-")}`,
  severity: "error",
  comment: "Imports go downwards only. Move what both need to the lower layer.",
  from: { path: among(names) },
  to: { path: among(layers.slice(i + 1).flat()) },
}));

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
    ...upward,
    {
      name: "emulator-alone",
      severity: "error",
      comment: "The emulator is written from the specification alone, so that it finds errors in the rest.",
      from: { path: among(["emulator"]) },
      to: { path: "^src/", pathNot: among(["emulator"]) },
    },
    {
      name: "emulator-from-above",
      severity: "error",
      comment:
        "Only the command line and the rehearsal start the emulator; it is a library of its own for everyone else.",
      from: { path: "^src/", pathNot: among(["emulator", "cli", "rehearsal"]) },
      to: { path: among(["emulator"]) },
    },
    {
      name: "in-a-layer",
      severity: "error",
      comment: "Every file of src belongs to a layer; add its folder to the list above.",
      from: { path: "^src/", pathNot: among([...layers.flat(), "emulator"]) },
      to: {},
    },
    {
      name: "light-declarations",
      severity: "error",
      comment: "A program loads these files, so they load heavy modules at their first use.",
      from: { path: among(["schema", "program", "resources", "components"]) },
      to: { path: "node_modules/(undici|zod)/", dependencyTypesNot: ["type-only", "dynamic-import"] },
    },
    {
      name: "sdk",
      severity: "error",
      comment:
        "The index of Pulumi's SDK loads a compiler and a package manager: take its functions from src/sdk.ts.",
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
