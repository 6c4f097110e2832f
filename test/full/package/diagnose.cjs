/**
 * `node diagnose.cjs <folder of a compiler> <tsconfig.json>` prints, as JSON, what is wrong in a program's own files and in
 * the declarations of this package, how many of these were read, which packages they import, and what an editor shows at
 * each comment "?" of the program. The command tsc would
 * stop at the syntax of other packages: TypeScript 3.8 cannot read today's @types/node. Pulumi asks for the program's
 * files alone, too.
 */
const { dirname, relative } = require("node:path");
const [compiler, configFile] = process.argv.slice(2);
const ts = require(compiler);

const folder = dirname(configFile);
const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getScriptFileNames: () => fileNames,
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) =>
    ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)) : undefined,
  getCurrentDirectory: () => folder,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});
const program = service.getProgram(); // an editor and the compiler see the same, so it is read once
const files = program.getSourceFiles().map((file) => ({ file, name: relative(folder, file.fileName) }));
const declarations = files.filter(({ name }) => name.startsWith("node_modules/pulumi-tunnel-gateway/dist/"));
const own = files.filter(({ file }) => fileNames.includes(file.fileName));

const found = [...errors, ...program.getOptionsDiagnostics()].map((problem) => ({ name: "", problem }));
for (const { file, name } of [...own, ...declarations]) {
  for (const problem of [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    found.push({ name, problem });
}
const lines = found.map(({ name, problem }) => {
  const line = problem.file ? problem.file.getLineAndCharacterOfPosition(problem.start).line + 1 : 0;
  const related = problem.relatedInformation || []; // which the compiler prints below it
  const texts = [problem, ...related].map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n"));
  return `${name}(${line}): ${texts.join(" ")}`;
});
const imported = declarations
  .flatMap(({ file }) => ts.preProcessFile(file.text).importedFiles)
  .map(({ fileName }) => fileName)
  .filter((name) => !name.startsWith("."));

const shown = own.flatMap(({ file }) =>
  [...file.text.matchAll(/\/\*\?\*\//g)].map((mark) => {
    const info = service.getQuickInfoAtPosition(file.fileName, mark.index + mark[0].length);
    return [info.displayParts, info.documentation].map((parts) => ts.displayPartsToString(parts)).join(": ");
  }),
);
const { version } = ts;
console.log(
  JSON.stringify({
    version,
    declarations: declarations.length,
    imported: [...new Set(imported)],
    errors: lines,
    shown,
  }),
);
