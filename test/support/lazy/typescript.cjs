module.exports = require("./lazy.cjs")(() => require("typescript"));
