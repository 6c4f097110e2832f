/**
 * A module that is loaded at its first use. Pulumi's SDK loads the compiler and npm's library with itself, which takes
 * most of a unit test file's time, and needs them for no test but that of the shim.
 */
module.exports = (load) => new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : load()[name]) });
