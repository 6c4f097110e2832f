/**
 * The parts of `npm run mutation`, each an area that a mistake must not reach unnoticed. `files` are mutated. `tests` run
 * for each mutant, in this order, until one notices it: quick ones first. They are relative to `test`. With `worlds`, those
 * of the simulation come last.
 */
const lifeCycle = [
  "unit/life-cycle/changes.test",
  "unit/life-cycle/marks.test",
  "unit/life-cycle/hooks.test",
  "unit/life-cycle/not-returned.test",
  "unit/life-cycle/partial.test",
  "unit/life-cycle/unanswered.test",
  "unit/life-cycle/warnings.test",
  "unit/life-cycle/wire.test",
  "unit/provider/state.test",
  "unit/provider/response-schema.test",
  "unit/provider/renewal.test",
  "unit/provider/stamp.test",
  "unit/provider/argument-error.test",
  "unit/resources/api-key.test",
  "unit/resources/bot-user.test",
  "unit/resources/cloud-endpoint.test",
  "unit/resources/event-destination.test",
  "unit/resources/event-source.test",
  "unit/resources/event-subscription.test",
  "unit/resources/http-response-backend.test",
  "unit/resources/https-edge-route-oauth.test",
  "unit/resources/https-edge-route-oidc.test",
  "unit/resources/https-edge-route-webhook-verification.test",
  "unit/resources/kubernetes-operator.test",
  "unit/resources/ssh-certificates.test",
  "unit/resources/ssh-credential.test",
  "unit/resources/tcp-edge.test",
  "unit/resources/tls-edge-ip-restriction.test",
  "unit/resources/weighted-backend.test",
  "unit/resources/x509-certificates.test",
  "faults/partial.test",
  "faults/rotation.test",
  "unit/provider/rule-set.test",
  "unit/provider/rule-set-unseen.test",
  "unit/life-cycle/properties.test",
  "property/normalising-entries.test",
];

const ruleSets = [
  "unit/provider/rule-plan.test",
  "unit/provider/rule-run.test",
  "unit/provider/rule-set-records.test",
  "unit/provider/rule-set.test",
  "unit/provider/rule-set-unseen.test",
  "unit/provider/rule-sets-together.test",
  "property/normalising-entries.test",
  "property/rule-set-way.test",
  "property/rule-set.test",
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
      "src/provider/wire.ts",
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
      "src/provider/objects/lost-creates.ts",
      "src/provider/objects/marked-create.ts",
      "src/provider/life-cycle/answers.ts",
    ],
    tests: [
      "unit/provider/lost-creates.test",
      "unit/provider/marked-create.test",
      "unit/provider/request-match.test",
      "unit/orphans/match.test",
      "faults/lost-creates.test",
    ],
    worlds: true,
  },
  lists: {
    files: ["src/provider/objects/absence.ts", "src/provider/objects/list-cache.ts"],
    tests: ["unit/provider/list-cache.test", "faults/absence.test", "faults/reads.test"],
    worlds: true,
  },
  "rate-limit": {
    files: ["src/provider/http/rate-limiter.ts", "src/provider/http/retry.ts"],
    tests: [
      "unit/provider/rate-limiter-steps.test",
      "unit/provider/retry.test",
      "unit/provider/rate-limiter.test",
    ],
    worlds: true,
  },
  ranges: {
    files: ["src/addresses/address-set.ts", "src/addresses/block.ts"],
    tests: ["unit/addresses/block.test", "unit/addresses/address-set.test"],
  },
  access: {
    files: ["src/access/policies.ts", "src/access/verdicts.ts", "src/access/place.ts", "src/access/gates.ts"],
    tests: [
      "unit/access/gates.test",
      "unit/access/policies.test",
      "unit/access/access-answer.test",
      "mutation/verdicts",
    ],
  },
  comparison: {
    files: [
      "src/review/differences.ts",
      "src/review/access/compare.ts",
      "src/review/access/range-differences.ts",
    ],
    tests: ["unit/review/differences.test", "unit/review/compare.test"],
  },
  guards: {
    files: ["src/review/rules/access.ts", "src/review/rules/guards.ts"],
    tests: [
      "unit/review/access-rules.test",
      "unit/review/access.test",
      "unit/review/kept-access.test",
      "unit/review/ends.test",
      "unit/review/gate.test",
      "unit/review/sample.test",
    ],
  },
  approvals: {
    files: ["src/review/approval.ts", "src/review/approved.ts"],
    tests: ["unit/review/approval-file.test", "unit/review/approved.test", "unit/review/approval.test"],
  },
};
