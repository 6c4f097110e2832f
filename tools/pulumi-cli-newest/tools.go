//go:build tools

// Package tools keeps the newest Pulumi CLI that this package is tested with among the module's requirements;
// scripts/lib/go-build.mjs builds it, whole.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
