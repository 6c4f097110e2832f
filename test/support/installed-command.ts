/**
 * The text of a shell script that stands in for npx, in a folder of its own that comes first on PATH. npx takes ten times the
 * processor time of most commands that it starts.
 */
export const npx = `[ ! -x "node_modules/.bin/$1" ] || exec "node_modules/.bin/$@"
PATH=\${PATH#*:} exec npx "$@"`;
