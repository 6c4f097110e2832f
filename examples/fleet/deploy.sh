#!/usr/bin/env bash
# Deploys the named stacks in this order as one review of all of them shows it, and stops at the first that fails.
set -euo pipefail
mkdir -p .tunnel-gateway/previews
previews=()
for stack in "$@"; do
  preview=".tunnel-gateway/previews/$stack.json"
  previews+=("$preview")
  # A preview that fails is reviewed too: the review shows its errors, and fails.
  pulumi preview --stack "$stack" --json --show-sames --show-replacement-steps > "$preview" || true
done
npx pulumi-tunnel-gateway review "${previews[@]}" --save .tunnel-gateway/approval.json
for stack in "$@"; do
  npx pulumi-tunnel-gateway review --stack "$stack" --refresh --approved .tunnel-gateway/approval.json --fail-on never
  pulumi up --stack "$stack" --yes --skip-preview
done
