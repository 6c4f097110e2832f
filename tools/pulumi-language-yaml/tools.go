//go:build tools

// Package tools keeps Pulumi's language host for YAML among the module's requirements; scripts/lib/languages.mjs builds it.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
