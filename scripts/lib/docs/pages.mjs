// The generated pages. Oxfmt gives them their form.
import { idForm, operations, secretsOf, wirePath } from "./facts.mjs";
import { argumentsOf, columns, everyMember, kebab, linked, parts, remarks, shared } from "./prose.mjs";

/** One resource's page. */
export function page(declaration, types, common) {
  const { type } = declaration;
  const { about, examples, more } = parts(types.get(type).text);
  const args = types.get(`${type}Args`);
  const secrets = [...new Set(secretsOf(declaration.fields, "", "*"))];
  return lines(
    "<!-- generated -->",
    `# ${type}`,
    linked(about),
    ...examples.map(({ title, code }) => `## Example: ${title}\n\n${fence("typescript", code)}`),
    linked(more),
    "## Arguments",
    linked(remarks(args.text)),
    listed(argumentItems(argumentsOf(declaration, types)), common),
    "## Outputs",
    ...outputList(outputsOf(declaration, types), common),
    secrets.length > 0 && `Secrets, encrypted in the state: ${secrets.map(code).join(", ")}.`,
    ...imported(declaration),
  );
}

/** The arguments are outputs too; the list has the other outputs, and those of another type. */
function outputList(others, common) {
  if (others.length === 0) return ["All arguments."];
  return ["All arguments, and:", listed(memberItems(others), common)];
}

function outputsOf({ type }, types) {
  const { members } = types.get(`${type}Args`);
  const described = new Map(everyMember(members, types).map((each) => [each.path, each]));
  return everyMember(types.get(type).members, types)
    .filter((output) => described.get(output.path)?.type !== output.type)
    .map((output) => (described.has(output.path) ? { ...output, text: "As the argument." } : output));
}

/** The items that many pages have. The overview describes them once. */
export function commonItems(declarations, types) {
  const items = declarations.flatMap((declaration) => [
    ...argumentItems(argumentsOf(declaration, types)),
    ...memberItems(outputsOf(declaration, types)),
  ]);
  const isCommon = ({ line }) => items.filter((each) => each.line === line).length >= 5;
  return [...new Set(items.filter(isCommon).map(({ line }) => line))].sort();
}

/** How an object of the class is imported; the keys of a rotation are objects of another class. */
function imported(declaration) {
  if (declaration.rotates) return [];
  const form = idForm(declaration);
  return [
    "## Import",
    fence("sh", `npx pulumi-tunnel-gateway import ${declaration.type} <name> <id>${form && ` # ${form}`}`),
  ];
}

/**
 * The page of a class that is not an object of the API: a provider or a component.
 * @param described the page that lists its arguments, if there is one
 */
export function undeclaredPage({ name, described }, types) {
  const { text } = types.get(name);
  const { about, examples, more } = parts(text);
  const args = types.get(`${name}Args`);
  return lines(
    "<!-- generated -->",
    `# ${name}`,
    linked(about),
    ...examples.map(({ title, code }) => `## Example: ${title}\n\n${fence("typescript", code)}`),
    linked(more),
    "## Arguments",
    linked(remarks(args.text)),
    described ? `${described} describe them.` : listed(argumentItems(everyMember(args.members, types))),
    "## Outputs",
    listed(memberItems(types.get(name).members)),
  );
}

/** One list for each group of collections. */
export function overviewPage(declarations, undeclared, types, common) {
  const item = (declaration) => {
    const head = `- ${pageOf(declaration.type)}, ${code(wirePath(declaration))}`;
    const possible = operations(declaration);
    return usual === possible.join() ? head : `${head}; ${possible.join(", ")}`;
  };
  const groups = [...new Set(declarations.map(({ group }) => group))];
  return lines(
    "<!-- generated -->",
    "# Resources",
    "The pages name a member of an argument by its path; `[]` stands for each item of a list or key of a map. An argument without the word “required” is optional. A change of an argument with the word “replaces”, or of its members, replaces the object, and so does its removal; every other change is made in place. Where a page does not say what a removal does, the argument has its default again, the service decides, or nothing is sent. Where it states no default, there is none, or the service decides. Objects can be created, listed, read, updated and deleted, unless the list says otherwise. Every resource also has the outputs `id` and `urn`. The outputs that are arguments too keep the program's spelling of an equal value.",
    ...groups.flatMap((group) => [
      `## ${group.title}`,
      declarations
        .filter((each) => each.group === group)
        .map(item)
        .join("\n"),
    ]),
    `## ${commonTitle}`,
    common.join("\n"),
    "## Other classes",
    `${undeclared.map(({ name }) => pageOf(name)).join(" and ")} are classes without a collection.`,
    `## ${shared}`,
    linked(types.get(shared).text),
    listed(memberItems(types.get(shared).members)),
  );
}

/** The list of the settings, from their names and the JSDoc of their interface. */
export function settingsList(settings, types) {
  const { members } = types.get("Settings");
  const item = ({ name, variable }) => {
    const { description, fallback, limit } = columns(members.find((each) => each.name === name).text);
    const facts = [fallback && `Default: ${fallback}.`, limit && `${capital(limit)}.`];
    return `- ${code(name)}, ${code(variable)}: ${[prose(description), ...facts].filter(Boolean).join(" ")}`;
  };
  return settings.map(item).join("\n");
}

const pageOf = (name) => `[${name}](${kebab(name)}.md)`;

const itemOf = (names, kind, text) => ({ names, line: `- ${names.join(", ")} (${kind}): ${text}` });

function memberItems(members) {
  return members.map((each) => itemOf([code(each.path ?? each.name)], typeText(each), prose(each.text)));
}

function argumentItems(members) {
  const texts = new Map();
  const replacingAt = new Map(members.map(({ path, replaces }) => [path, replaces]));
  return members.map((member) => {
    const { description, fallback, limit, required, removed } = columns(member.text);
    const path = member.path ?? member.name;
    const replaces = member.replaces && member.replaces !== "no" && replacing(member.replaces);
    const around = path.replace(/(\[\])?\.[^.]*$/, "");
    const isInherited = around !== path && replacingAt.get(around) === member.replaces;
    const kind = [
      typeText(member),
      member.optional ? required && `required ${required}` : "required",
      !isInherited && replaces,
    ];
    const removal = (member.removed ?? removed).replace(/^replaced; left to the service.*$|^replaced; /, "");
    // The overview says that a removal replaces, too.
    const isSilent = silentRemovals.includes(removal) && !(replaces && removal === "nothing is sent");
    const own = replaces ? description.replace(restated, "").trim() : description;
    const facts = [
      own,
      fallback && !silentDefaults.includes(fallback) && `Default: ${fallback}.`,
      removal && !isSilent && removal !== fallback && `If removed: ${removal}.`,
      limit && `${capital(limit)}.`,
    ];
    const text = prose(facts.filter(Boolean).join(" "));
    const told = path.includes(".") && texts.get(text);
    if (!told) texts.set(text, path);
    return itemOf([code(path)], kind.filter(Boolean).join(", "), told ? `As ${code(told)}.` : text);
  });
}

/** The items, with a link to the overview in the place of those that it describes. */
function listed(items, common = []) {
  const shared = items.filter(({ line }) => common.includes(line));
  const names = shared.flatMap((each) => each.names).join(", ");
  const link = `- ${names}: [${commonTitle.toLowerCase()}](README.md#${commonTitle.toLowerCase().replaceAll(" ", "-")})`;
  const own = items.filter((item) => !shared.includes(item)).map(({ line }) => line);
  return [...own, ...(shared.length > 0 ? [link] : [])].join("\n");
}

const commonTitle = "Common members";
const usual = "create,list,get,update,delete";

/** What the overview says of every argument is not said again. */
const silentDefaults = ["none", "left to the service"];
const silentRemovals = [
  "its default again",
  "left to the service",
  "replaced",
  "nothing is sent",
  "see its members",
];
const restated = /(?:^| )Changing (?:it|them)(?: or removing (?:it|them))? (?:replaces|moves) [^.]*\.(?= |$)/;
const replacing = (column) =>
  column === "yes" ? "replaces" : `replaces ${column.replace("some changes", "in some cases")}`;

function typeText({ type, refersTo }) {
  return refersTo.includes(shared) ? `[${code(type)}](README.md#${shared.toLowerCase()})` : code(type);
}

const code = (text) => `\`${text}\``;
const prose = (text) => linked(text.replace(/\s+/g, " ").trim());
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const fence = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
const lines = (...blocks) => `${blocks.filter(Boolean).join("\n\n")}\n`;
