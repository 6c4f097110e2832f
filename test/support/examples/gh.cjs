/**
 * The part of `gh api` that workflows use to comment on a pull request and to find an approval. What GitHub has is in the
 * file that FAKE_GH names. Everything else is an error.
 */
const { readFileSync, writeFileSync } = require("node:fs");

const { FAKE_GH: file, GH_TOKEN: token } = process.env;
const me = "github-actions[bot]";
/** Real pages have 30 entries. */
const pageSize = 2;

function main([command, ...args]) {
  if (command !== "api") fail(`unknown command ${command}`);
  if (!token) fail("set the GH_TOKEN environment variable");
  const { path, method, fields, jq, silent, paginate } = optionsOf(args);
  const world = JSON.parse(readFileSync(file, "utf8"));
  const answer = route(world, method ?? (fields ? "POST" : "GET"), path, fields);
  writeFileSync(file, JSON.stringify(world));
  if (silent) return;
  const pages = answer.artifacts ? pagesOf(answer) : [answer];
  const answers = paginate ? pages : pages.slice(0, 1);
  const lines = jq === undefined ? answers : filtered(jq, answers);
  for (const line of lines) console.log(typeof line === "string" ? line : JSON.stringify(line));
}

function optionsOf(args) {
  const options = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === "--paginate" || arg === "--silent") options[arg.slice(2)] = true;
    else if (arg === "--method" || arg === "--jq") options[arg.slice(2)] = args[++i];
    else if (arg === "--field") {
      const [name, ...value] = args[++i].split("=");
      const text = value.join("=");
      options.fields = { ...options.fields, [name]: text.startsWith("@") ? read(text.slice(1)) : text };
    } else if (arg.startsWith("-") || options.path !== undefined) fail(`unknown argument ${arg}`);
    else options.path = arg;
  }
  return options;
}

function read(name) {
  try {
    return readFileSync(name, "utf8");
  } catch {
    return fail(`open ${name}: no such file or directory`);
  }
}

function pagesOf({ artifacts, ...others }) {
  const pages = Array.from({ length: Math.ceil(artifacts.length / pageSize) || 1 }, (_, i) => i * pageSize);
  return pages.map((from) => ({ ...others, artifacts: artifacts.slice(from, from + pageSize) }));
}

function route({ repository, pullRequest, comments, ...world }, method, path, fields) {
  const found = method === "GET" ? readOnly(world, path.replace(`repos/${repository}/`, "")) : undefined;
  if (found) return found;
  const issues = `repos/${repository}/issues`;
  if (path === `${issues}/${pullRequest}/comments`) {
    if (method === "GET") return comments;
    if (method === "POST" && fields?.body) {
      comments.push({ id: 1000 + comments.length, user: { login: me }, ...fields });
      return comments.at(-1);
    }
  }
  const comment = comments.find(({ id }) => path === `${issues}/comments/${id}`);
  if (comment?.user.login === me && method === "PATCH" && fields?.body) return Object.assign(comment, fields);
  return fail(`${method} ${path}: Not Found (HTTP 404)`);
}

/** Pull requests, workflows, runs and their artifacts. */
function readOnly({ pulls, workflows, runs }, path) {
  const [, commit] = /^commits\/(\w+)\/pulls$/.exec(path) ?? [];
  if (commit) return pulls.filter(({ commits }) => commits.includes(commit));
  const [, workflow] = /^actions\/workflows\/([\w.]+)$/.exec(path) ?? [];
  if (workflow) return Object.hasOwn(workflows, workflow) ? { id: workflows[workflow] } : undefined;
  const [, wanted] = /^actions\/artifacts\?name=([\w-]+)$/.exec(path) ?? [];
  if (wanted) {
    const all = runs.flatMap((run) =>
      run.artifacts.map((each) => ({ ...each, workflow_run: { id: run.id } })),
    );
    return { artifacts: all.filter(({ name }) => name === wanted).reverse() };
  }
  const [, id] = /^actions\/runs\/(\d+)$/.exec(path) ?? [];
  return runs.find((run) => run.id === Number(id));
}

/**
 * The parts of jq that these workflows use: `.[]`, `.a[]`, `.a.b`, `select(.a == <value>)`, `select(.a != <value>)`,
 * `select(.a | startswith(<value>))` and the text `"\(.a)-\(.b)"`. A value is one of JSON or a variable of the environment.
 */
function filtered(expression, values) {
  const stages = expression.match(/(?:\([^]*?\)"?(?=\s*(?:\||$))|[^|(])+/g).map((stage) => stage.trim());
  return stages.reduce((all, stage) => all.flatMap((value) => apply(stage, value)), values);
}

function apply(stage, value) {
  const [, compared, sign, wanted] = /^select\((\.[\w.]+) ([=!]=) ([^|]+)\)$/.exec(stage) ?? [];
  const [, begins, prefix] = /^select\((\.[\w.]+) \| startswith\(([^()]+)\)\)$/.exec(stage) ?? [];
  if (stage === ".[]") return value;
  if (compared) return (at(compared, value) === valueOf(wanted)) === (sign === "==") ? [value] : [];
  if (/^\.\w+\[\]$/.test(stage)) return at(stage.slice(0, -2), value);
  if (begins) return at(begins, value).startsWith(valueOf(prefix)) ? [value] : [];
  if (/^".*"$/.test(stage))
    return [stage.slice(1, -1).replace(/\\\((\.[\w.]+)\)/g, (_, path) => String(at(path, value)))];
  if (/^\.[\w.]+$/.test(stage)) return [at(stage, value)];
  return fail(`failed to parse jq expression: ${stage}`);
}

function valueOf(text) {
  return text.startsWith("env.") ? process.env[text.slice(4)] : JSON.parse(text);
}

function at(path, value) {
  return path
    .slice(1)
    .split(".")
    .reduce((inner, name) => inner[name] ?? null, value);
}

function fail(message) {
  console.error(`gh: ${message}`);
  process.exit(1);
}

main(process.argv.slice(2));
