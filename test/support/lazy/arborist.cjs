module.exports = require("./lazy.cjs")(() => require("../../../node_modules/@npmcli/arborist"));
