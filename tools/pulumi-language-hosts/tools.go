//go:build tools

// Package tools keeps Pulumi's language hosts among the module's requirements; scripts/lib/go-build.mjs and
// scripts/lib/languages.mjs build them. Modules that the CLI requires too are required in the CLI's versions: then the
// builds share what they compile.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
