module.exports = require("./lazy.cjs")(() => require("../../../node_modules/@pulumi/pulumi/automation"));
