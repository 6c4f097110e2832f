// The facts of a declaration in the words of the pages.

const specified = { patchUndocumented: false };
const patching = { patchUndocumented: true };

/** Whether a change of the field replaces the object. */
export function replaceColumn({ traits: { replace } }) {
  if (!replace) return "no";
  const replaces = (settings) => replace({ old: undefined, next: undefined }, settings);
  if (!replaces(specified)) return "some changes";
  return replaces(patching) ? "yes" : "unless `patchUndocumented`";
}

/**
 * What happens to the value when an optional argument is taken out of the program.
 * @param around what holds for the object that the argument is a member of: the column "Replaces", and whether a
 *   request sends the object whole, so that the service decides about what is left out. `rotating` is the field whose change
 *   creates the next key.
 */
export function removalColumn(field, around) {
  const { traits, shape, presence } = field;
  if (presence === "required") return "";
  if (field === around.rotating) return "rotated";
  if (traits.local && around.isEntry) return "it does not end";
  const isSent = !traits.local || traits.replace;
  if (!isSent || (traits.writeOnly && traits.replace)) return "nothing is sent";
  if (traits.absentAs !== undefined && !traits.serverDefault) return "switched off";
  const own = replaceColumn(field);
  const replaces = own === "no" ? around.replaces : own;
  const known = traits.serverDefault?.known;
  if (replaces !== "no" && known) return "replaced, unless it has its default";
  if (replaces === "yes") return "replaced";
  if (known) return "its default again";
  const kept = around.whole ? "left to the service" : valueAfter(traits, shape);
  return replaces.startsWith("unless") ? `replaced; ${kept} with \`patchUndocumented\`` : kept;
}

function valueAfter({ serverDefault }, { kind }) {
  if (serverDefault) return "stays as it is";
  return kind === "object" ? "see its members" : "cleared";
}

/** `any` replaces the names of alternatives; without it, every alternative is listed. */
export function secretsOf(fields, prefix = "", any, isChoice = false) {
  return Object.entries(fields).flatMap(([name, { traits, shape }]) => {
    const path = prefix + ((isChoice && any) || name);
    if (traits.secret) return [path];
    return shape.kind === "object"
      ? secretsOf(shape.fields, `${path}.`, any, shape.alternatives !== undefined)
      : [];
  });
}

/** What the service can do with the objects. */
export function operations({ style, fields }) {
  if (style === "singleton") return ["put", "get", "delete"];
  const given = Object.values(fields).filter(
    ({ presence, traits }) => presence !== "computed" && !traits.local,
  );
  const columns = given.map(replaceColumn);
  const inPlace = columns.some((column) => column === "no" || column === "some changes");
  const undocumented = columns.some((column) => column.startsWith("unless"));
  const update = inPlace ? ["update"] : undocumented ? ["update (only with `patchUndocumented`)"] : [];
  return ["create", "list", "get", ...update, "delete"];
}

/** The path as the specification writes it. */
export function wirePath({ path, setOf }) {
  return (setOf ?? { path }).path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the id of an object looks like; empty where the service alone decides it. */
export function idForm({ path, idPrefix }) {
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  if (segments.length > 0) return segments.join("/");
  return idPrefix ? `${idPrefix}…` : "";
}

/** The field's limit, as the JSDoc words it. */
export function limitOf({ shape }) {
  const limit = shape.kind === "string" ? shape.format.limit : undefined;
  return limit === undefined ? "" : `at most ${limit.count} ${limit.unit}`;
}
