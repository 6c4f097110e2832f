//go:build tools

// Package tools keeps the Pulumi CLI among the module's requirements; scripts/lib/go-build.mjs builds it.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
