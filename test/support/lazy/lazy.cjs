/**
 * A module that is loaded at its first use. Pulumi's SDK loads the compiler, npm's library and the Automation API at its
 * import, which takes most of the time of a unit test file. Few tests need them.
 */
module.exports = (load) => new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : load()[name]) });
