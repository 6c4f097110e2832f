//go:build tools

// Package tools keeps the Node.js language host among the module's requirements; scripts/lib/go-build.mjs builds it.
// Modules that the CLI requires too are required in the CLI's versions: then both builds share what they compile.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
