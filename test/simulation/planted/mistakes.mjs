/**
 * Mistakes for `npm run simulate -- --planted`: each is put into a copy of the sources, and must be found there. They are
 * of the kinds that programmers make: a missing await, a wrong order, a swallowed error, a cache that is not emptied.
 */
const provider = "src/provider";
const lists = ["test/provider/life-cycle/list-cache.test.ts", "test/provider/http/pagination.test.ts"];
const sets = ["test/provider/rule-set/rule-set", "test/provider/rule-set/properties"];
const lost = [
  ...["test/provider/faults/lost-creates.test.ts", "test/provider/faults/operations.test.ts"],
  ...["test/provider/life-cycle/lost-creates.test.ts", "test/provider/life-cycle/marked-create.test.ts"],
];
const orphans = ["test/tools/orphans", "test/tools/inventory"];
const lifeCycle = ["test/provider/life-cycle", "test/provider/faults/partial.test.ts"];

/** `from` stands once in the file; `tests` are those of the module. */
export const mistakes = [
  {
    name: "The proof of absence is not awaited",
    file: `${provider}/life-cycle/object-client.ts`,
    from: `    return ifFound(sent, (refusal) => proveAbsence(this.http, refusal, this.list));`,
    to: `    return ifFound(sent, (refusal) => {
      proveAbsence(this.http, refusal, this.list).catch(() => undefined);
    });`,
    tests: ["test/provider/faults/absence.test.ts"],
  },
  {
    name: "A 404 of a proxy counts as a deletion",
    file: `${provider}/life-cycle/absence.ts`,
    from: `  if (refusal.refused.json) return;`,
    to: `  if (refusal.refused.json || refusal.isGone) return;`,
    tests: ["test/provider/faults/absence.test.ts"],
  },
  {
    name: "The account is not searched again for the object of a lost create",
    file: `${provider}/life-cycle/lost-creates.ts`,
    from: `      if (this.isMissingSome(groups, objects) && !lost.every(({ isOneEnough }) => isOneEnough)) {`,
    to: `      if (this.isMissingSome(groups, objects) && lost.length > 99) {`,
    tests: lost,
  },
  {
    name: "A lost create adopts objects of any age",
    file: `${provider}/life-cycle/lost-creates.ts`,
    from: `    return server === undefined ? sentAt - unknownClock : server - objectTimeTolerance;`,
    to: `    return server === undefined ? sentAt - unknownClock : -Infinity;`,
    tests: lost,
  },
  {
    name: "The object of a lost create is looked for by the clock of this machine",
    file: `${provider}/life-cycle/lost-creates.ts`,
    from: `    return server === undefined ? sentAt - unknownClock : server - objectTimeTolerance;`,
    to: `    return server === undefined ? sentAt - unknownClock : sentAt - objectTimeTolerance;`,
    tests: lost,
  },
  {
    name: "A lost create adopts an object of another resource of the process",
    file: `${provider}/life-cycle/lost-creates.ts`,
    from: `        !this.otherIds.has(object.id) &&`,
    to: `        object.id !== "" &&`,
    tests: lost,
  },
  {
    name: "A conflict with the late object of a lost create is an error",
    file: `${provider}/life-cycle/collection-client.ts`,
    from: `        const isLate = lost !== undefined && this.mayConflict(error);`,
    to: `        const isLate = false;`,
    tests: lost,
  },
  {
    name: "The object of a lost create is ignored where the service did not ask to wait",
    file: `${provider}/life-cycle/collection-client.ts`,
    from: `      if (object) return this.created(object);`,
    to: `      if (object && isOneEnough) return this.created(object);`,
    tests: lost,
  },
  {
    name: "Creates do not wait for the search for a lost one",
    file: `${provider}/life-cycle/lost-creates.ts`,
    from: `    while (this.gate) await this.gate.promise;`,
    to: ``,
    tests: lost,
  },
  {
    name: "What a lost update shows counts as updated",
    file: `${provider}/life-cycle/object-client.ts`,
    from: `if (object && matchesRequest(this.declaration, object, sent, this.http.settings, known))`,
    to: `if (object)`,
    tests: lost,
  },
  {
    name: "A create takes over a module that exists",
    file: `${provider}/life-cycle/path-client.ts`,
    from: `    return isConfigured(this.declaration, answer, false) ? answer : undefined;`,
    to: `    return undefined;`,
    tests: ["test/provider/resources/https-edge-route-oauth.test.ts", "test/rounds/modules.test.ts"],
  },
  {
    name: "A delete removes what the program declares at its path",
    file: `${provider}/life-cycle/path-client.ts`,
    from: `    if (!this.paths.isDeclared(id))\n`,
    to: `    if (id !== "")\n`,
    tests: ["test/provider/life-cycle/own-paths.test.ts"],
  },
  {
    name: "A delete removes a rule that a set of the stack holds",
    file: `${provider}/life-cycle/collection-client.ts`,
    from: `    if (this.cache.isHeld(prior.outputs)) {`,
    to: `    if (id === "") {`,
    tests: ["test/simulation/found/rules-to-set.test.ts"],
  },
  {
    name: "The deletion of a set takes the rules that the program has as objects of their own",
    file: `${provider}/rule-set/rule-set-client.ts`,
    from: `!singles.has(range) && `,
    to: ``,
    tests: ["test/rounds/single-rules-to-set.test.ts"],
  },
  {
    name: "A new object that is answered 404 was deleted",
    file: `${provider}/life-cycle/absence.ts`,
    from: `const longestLag = minute;`,
    to: `const longestLag = 0 * minute;`,
    tests: ["test/provider/faults/lag.test.ts"],
  },
  {
    name: "A set takes its new rules that the list does not show yet for deleted",
    file: `${provider}/rule-set/rule-set-client.ts`,
    from: `      if (lag.isOver) return held;`,
    to: `      if (!lag.isOver) return held;`,
    tests: ["test/provider/faults/lag.test.ts"],
  },
  {
    name: "The rules of a set's update have no time of their creation",
    file: `${provider}/life-cycle/life-cycle.ts`,
    from: `(before !== undefined && !declaration.setOf)`,
    to: `before !== undefined`,
    tests: ["test/provider/faults/lag.test.ts"],
  },
  {
    name: "A request on a connection that loses its route counts as unsent",
    file: `${provider}/http/transport.ts`,
    from: `  if (isStarted) return refusedCertificate`,
    to: `  if (isStarted && code !== "EHOSTUNREACH") return refusedCertificate`,
    tests: ["test/provider/faults/network.test.ts"],
  },
  {
    name: "Pages answer for objects after a write",
    file: `${provider}/life-cycle/list-cache.ts`,
    from: `    if (walk && this.isFresh(walk) && walk.writes === this.http.writes) return walk;`,
    to: `    if (walk && this.isFresh(walk)) return walk;`,
    tests: lists,
  },
  {
    name: "A list from before a write answers for the rules of a policy",
    file: `${provider}/life-cycle/list-cache.ts`,
    from: `    const isCurrent = walk && this.isFresh(walk) && walk.begunAt > (this.lastWrites.get(policy) ?? -1);`,
    to: `    const isCurrent = walk && this.isFresh(walk);`,
    tests: [...lists, ...sets],
  },
  {
    name: "A list ends after its first page",
    file: `${provider}/http/pagination.ts`,
    from: `    if (typeof answer.next_page_uri !== "string" || answer.next_page_uri === "") return;`,
    to: `    if (typeof answer.next_page_uri !== "string" || answer.next_page_uri !== "x") return;`,
    tests: lists,
  },
  {
    name: "A set takes a lost answer for success",
    file: `${provider}/rule-set/rule-run.ts`,
    from: `        this.report.unanswered.add(range);
        this.undecided = error;`,
    to: `        return;`,
    tests: sets,
  },
  {
    name: "A set swallows the refusal of an entry",
    file: `${provider}/rule-set/rule-run.ts`,
    from: `        this.report.failed(range, error);
        this.done += 1;`,
    to: `        this.done += 1;`,
    tests: sets,
  },
  {
    name: "A set skips updates of a single field",
    file: `${provider}/rule-set/rule-plan.ts`,
    from: `      if (changed.length > 0) plan.update.push(`,
    to: `      if (changed.length > 1) plan.update.push(`,
    tests: sets,
  },
  {
    name: "A set deletes rules that no preview showed",
    file: `${provider}/rule-set/rule-plan.ts`,
    from: `    if (owned(range)) for (const each of unseen) plan.unseen.push(each);`,
    to: `    if (owned(range)) for (const each of unseen) plan.remove.push(each);`,
    tests: sets,
  },
  {
    name: "A set leaves the stand-in of a range",
    file: `${provider}/rule-set/rule-run.ts`,
    from: `    if (substitute) await this.remove(substitute);`,
    to: ``,
    tests: sets,
  },
  {
    name: "A set removes old rules before it creates new ones",
    file: `${provider}/rule-set/rule-run.ts`,
    from: `      for (const step of this.steps(plan)) {`,
    to: `      for (const step of this.steps(plan).reverse()) {`,
    tests: [...sets, "test/provider/life-cycle/properties/every-moment.test.ts"],
  },
  {
    name: "A deleted set forgets the rules that it denied with",
    file: `${provider}/rule-set/rule-run.ts`,
    from: `remove.filter(denies)`,
    to: `remove.filter(() => false)`,
    tests: sets,
  },
  {
    name: "Keys of lost answers that appear late are left",
    file: `${provider}/life-cycle/marked-create.ts`,
    from: `        await this.removeLate(mark);`,
    to: ``,
    tests: [...lost, "test/provider/resources/api-key.test.ts"],
  },
  {
    name: "The mark of a creation stays in the metadata",
    file: `${provider}/life-cycle/marked-create.ts`,
    from: `        return created.problem ? created : await this.finished(created, args);`,
    to: `        return created;`,
    tests: [...lost, "test/provider/resources/api-key.test.ts"],
  },
  {
    name: "A rotation leaves the keys of killed processes",
    file: `${provider}/life-cycle/rotating-client.ts`,
    from: `      await this.keys.remove(stray, noState);
      held.delete(stray);`,
    to: `      held.delete(stray);`,
    tests: ["test/provider/faults/rotation.test.ts"],
  },
  {
    name: "The previous key stays after its overlap",
    file: `${provider}/life-cycle/renewal.ts`,
    from: `(isEnded || isDisplaced) ? previousKeyId`,
    to: `isDisplaced ? previousKeyId`,
    tests: ["test/provider/faults/rotation.test.ts"],
  },
  {
    name: "An entry that has ended stays",
    file: "src/schema/entry-ends.ts",
    from: `withoutEndedEntries(fields, withMaps(fields, args), now);`,
    to: `withMaps(fields, args);`,
    tests: ["test/simulation/expire.test.ts"],
  },
  {
    name: "Nobody waits after a 429",
    file: `${provider}/http/rate-limiter.ts`,
    from: `    this.blockedUntil = Math.max(this.blockedUntil, now + Math.min(pause, longestBlock));`,
    to: `    this.blockedUntil = Math.max(this.blockedUntil, now);`,
    tests: ["test/provider/http/rate-limiter.test.ts", "test/provider/faults/rate-limit.test.ts"],
  },
  {
    name: "504 counts as a refusal",
    file: `${provider}/errors.ts`,
    from: `[502, 503, 504].includes(error.status)`,
    to: `[502, 503].includes(error.status)`,
    tests: lost,
  },
  {
    name: "A removed argument keeps its value",
    file: `${provider}/life-cycle/changes.ts`,
    from: `    if (!same(field, old ?? restored, restored)) addChange(position, scope);
    return;`,
    to: `    return;`,
    tests: lifeCycle,
  },
  {
    name: "What a partial failure recorded is not repaired",
    file: `${provider}/life-cycle/life-cycle.ts`,
    from: `    if (state.mark !== "partial" && state.mark !== "unsure") return state;`,
    to: `    if (state.outputs) return state;`,
    tests: lifeCycle,
  },
  {
    name: "Secrets of outputs are not marked",
    file: "src/schema/recorded-state.ts",
    from: `  return haveSecrets(fields) ? mapSecrets(fields, given, secret) : given;`,
    to: `  return given;`,
    tests: ["test/provider/life-cycle/properties/secrecy.test.ts", "test/provider/life-cycle"],
  },
  {
    name: "The log shows what answers call a secret",
    file: `${provider}/http/debug-log.ts`,
    from: `        const hide = isSecretOnWire(name) || (suspicious.test(name) && isText(member));`,
    to: `        const hide = isSecretOnWire(name) && !isText(member);`,
    tests: ["test/provider/http/debug-log.test.ts"],
  },
  {
    name: "Orphans takes an object that was deleted before its replacement for one of the stack",
    file: "src/tools/inventory/stack.ts",
    from: `state.external || state.pendingReplacement`,
    to: `state.external`,
    tests: orphans,
  },
  {
    name: "Orphans compares no creates of replacements",
    file: "src/tools/orphans/planned-creates.ts",
    from: `action === "create" || action === "replace"`,
    to: `action === "create"`,
    tests: orphans,
  },
  {
    name: "Orphans offers the same object for two creates",
    file: "src/tools/orphans/match.ts",
    from: `    free.take(object);
    outcomes.push`,
    to: `    outcomes.push`,
    tests: orphans,
  },
  {
    name: "A create adopts an equal object that exists",
    file: `${provider}/life-cycle/collection-client.ts`,
    from: `    let lost: GatewayError | undefined;
    for (;;) {`,
    to: `    let lost: GatewayError | undefined;
    const equal = await this.equalTo(args, Object.keys(args));
    if (equal !== undefined) return this.created((await this.fetch(equal))!);
    for (;;) {`,
    tests: lost,
  },
  {
    name: "A refused update is recorded as done",
    file: `${provider}/life-cycle/life-cycle.ts`,
    from: `      if (!(error instanceof IncompleteError))
        throw`,
    to: `      if (write.before && error instanceof ApiError && error.status === 422) return { id: "" };
      if (!(error instanceof IncompleteError))
        throw`,
    tests: lifeCycle,
  },
  {
    name: "The next attempt follows a failure at once",
    file: `${provider}/http/retry.ts`,
    from: `    await this.spend(() => this.timing.sleep(pause));`,
    to: `    await this.spend(() => this.timing.sleep(0));`,
    tests: ["test/provider/http/retry.test.ts"],
  },
  {
    name: "Every set reads the list anew",
    file: `${provider}/life-cycle/list-cache.ts`,
    from: `    return isCurrent ? walk : this.begin();`,
    to: `    return isCurrent && walk.fetching ? walk : this.begin();`,
    tests: lists,
  },
  {
    name: "Every read by id reads the list anew",
    file: `${provider}/life-cycle/list-cache.ts`,
    from: `    if (walk && this.isFresh(walk) && walk.writes === this.http.writes) return walk;`,
    to: `    if (walk?.fetching) return walk;`,
    tests: lists,
  },
];
