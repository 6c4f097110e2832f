//go:build tools

// Package tools keeps actionlint among the module's requirements; scripts/lib/actionlint.mjs builds it.
package tools

import _ "github.com/rhysd/actionlint/cmd/actionlint"
