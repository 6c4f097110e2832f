// Starts the native provider of the installed package. Pulumi's SDK loads this file and passes the engine's address on.
const { dirname, join } = require("node:path");

require(join(dirname(require.resolve("pulumi-tunnel-gateway/package.json")), "dist/native/index.js"));
