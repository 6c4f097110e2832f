/**
 * A module that is loaded at its first use. Pulumi's SDK loads the compiler and npm's library at its import, which
 * takes most of the time of a unit test file. Only the test of the shim needs them.
 */
module.exports = (load) => new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : load()[name]) });
