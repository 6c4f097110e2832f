/**
 * The parts of `npm run mutation`, each an area that a mistake must not reach unnoticed. `files` are mutated. `tests` run
 * for each mutant, in this order, until one notices it: quick ones first. They are relative to `test`. With `worlds`, those
 * of the simulation come last.
 */
const lifeCycle = [
  "provider/life-cycle/changes.test",
  "provider/life-cycle/marks.test",
  "provider/life-cycle/hooks.test",
  "provider/life-cycle/not-returned.test",
  "provider/life-cycle/partial.test",
  "provider/life-cycle/unanswered.test",
  "provider/life-cycle/warnings.test",
  "provider/life-cycle/wire.test",
  "provider/life-cycle/state.test",
  "provider/life-cycle/response-schema.test",
  "provider/life-cycle/renewal.test",
  "provider/life-cycle/stamp.test",
  "provider/life-cycle/argument-error.test",
  "provider/resources/api-key.test",
  "provider/resources/bot-user.test",
  "provider/resources/cloud-endpoint.test",
  "provider/resources/event-destination.test",
  "provider/resources/event-source.test",
  "provider/resources/event-subscription.test",
  "provider/resources/http-response-backend.test",
  "provider/resources/https-edge-route-oauth.test",
  "provider/resources/https-edge-route-oidc.test",
  "provider/resources/https-edge-route-webhook-verification.test",
  "provider/resources/kubernetes-operator.test",
  "provider/resources/ssh-certificates.test",
  "provider/resources/ssh-credential.test",
  "provider/resources/tcp-edge.test",
  "provider/resources/tls-edge-ip-restriction.test",
  "provider/resources/weighted-backend.test",
  "provider/resources/x509-certificates.test",
  "provider/faults/partial.test",
  "provider/faults/rotation.test",
  "provider/rule-set/rule-set.test",
  "provider/rule-set/rule-set-unseen.test",
  "provider/life-cycle/properties.test",
  "provider/rule-set/properties/normalising-entries.test",
];

const ruleSets = [
  "provider/rule-set/rule-plan.test",
  "provider/rule-set/rule-run.test",
  "provider/rule-set/rule-set-records.test",
  "provider/rule-set/rule-set.test",
  "provider/rule-set/rule-set-unseen.test",
  "provider/rule-set/rule-sets-together.test",
  "provider/rule-set/properties/normalising-entries.test",
  "provider/rule-set/properties/rule-set-way.test",
  "provider/rule-set/properties/rule-set.test",
];

module.exports = {
  "life-cycle": {
    files: [
      "src/provider/life-cycle/life-cycle.ts",
      "src/provider/life-cycle/partial-failure.ts",
      "src/provider/life-cycle/arguments.ts",
      "src/provider/life-cycle/preview-notes.ts",
      "src/provider/life-cycle/recording.ts",
    ],
    tests: lifeCycle,
    worlds: true,
  },
  changes: {
    files: [
      "src/provider/life-cycle/changes.ts",
      "src/schema/recorded-state.ts",
      "src/provider/life-cycle/accepted.ts",
      "src/provider/life-cycle/wire.ts",
    ],
    tests: lifeCycle,
    worlds: true,
  },
  entries: {
    files: ["src/provider/rule-set/rule-plan.ts", "src/provider/rule-set/rule-set-client.ts"],
    tests: ruleSets,
    worlds: true,
  },
  "entry-run": {
    files: ["src/provider/rule-set/rule-run.ts", "src/provider/rule-set/rule-report.ts"],
    tests: ruleSets,
    worlds: true,
  },
  creates: {
    files: [
      "src/provider/life-cycle/lost-creates.ts",
      "src/provider/life-cycle/marked-create.ts",
      "src/provider/life-cycle/answers.ts",
    ],
    tests: [
      "provider/life-cycle/lost-creates.test",
      "provider/life-cycle/marked-create.test",
      "provider/http/request-match.test",
      "tools/orphans/match.test",
      "provider/faults/lost-creates.test",
    ],
    worlds: true,
  },
  lists: {
    files: ["src/provider/life-cycle/absence.ts", "src/provider/life-cycle/list-cache.ts"],
    tests: [
      "provider/life-cycle/list-cache.test",
      "provider/faults/absence.test",
      "provider/faults/reads.test",
    ],
    worlds: true,
  },
  "rate-limit": {
    files: ["src/provider/http/rate-limiter.ts", "src/provider/http/retry.ts"],
    tests: [
      "provider/http/rate-limiter-steps.test",
      "provider/http/retry.test",
      "provider/http/rate-limiter.test",
    ],
    worlds: true,
  },
  ranges: {
    files: ["src/schema/addresses/address-set.ts", "src/schema/addresses/block.ts"],
    tests: ["provider/schema/addresses/block.test", "provider/schema/addresses/address-set.test"],
  },
  access: {
    files: [
      "src/tools/access/policies.ts",
      "src/tools/access/verdicts.ts",
      "src/tools/access/place.ts",
      "src/tools/access/gates.ts",
    ],
    tests: [
      "tools/access/gates.test",
      "tools/access/policies.test",
      "tools/access/access-answer.test",
      "mutation/verdicts",
    ],
  },
  comparison: {
    files: [
      "src/tools/review/differences.ts",
      "src/tools/review/access/compare.ts",
      "src/tools/review/access/range-differences.ts",
    ],
    tests: ["tools/review/differences.test", "tools/review/compare.test"],
  },
  gates: {
    files: ["src/tools/review/rules/access.ts", "src/tools/review/rules/gate-rules.ts"],
    tests: [
      "tools/review/access-rules.test",
      "tools/review/access.test",
      "tools/review/kept-access.test",
      "tools/review/ends.test",
      "tools/review/gate.test",
      "tools/review/sample.test",
    ],
  },
  approvals: {
    files: [
      "src/tools/approval/template.ts",
      "src/tools/approval/approved-writes.ts",
      "src/tools/broker/permits.ts",
    ],
    tests: ["tools/approval/approval.test", "tools/approval/approve.test", "tools/broker/broker.test"],
  },
};
