/**
 * The state format. This file alone knows the hidden names, which begin with `__`: what a state holds of a resource beside
 * its outputs, and what the inputs hold beside the arguments. It reads the states of all earlier versions.
 */
import type { Declaration } from "./declaration";
import type { Json } from "./json";
import { localPart } from "./local";
import { isMark } from "./metadata";
import { oncePer } from "./once-per";
import { haveSecrets, inHook, mapSecrets } from "./secrets";
import { isRecord, membersOf, textsIn } from "./unknown";
import { argumentsFrom, membersWhere, outputsFrom } from "./values";
import type { Answer, Arguments, Inputs, Outputs, StoredOutputs } from "./values";
import { setPaths } from "./walk";

const marks = ["partial", "unlike", "unsure"] as const;

/** What a state holds of a resource. */
export interface RecordedState {
  readonly outputs: Outputs;
  /** The paths of the arguments that the program set; none for an object that was only looked up. */
  readonly managed: readonly string[];
  readonly accepted: readonly AcceptedValue[];
  /** The paths of the arguments that the service does not show: an answer to a write of them left them out. */
  readonly unanswered?: readonly string[];
  /**
   * Of an object that an import has found and that no update has changed since: the paths of the arguments that the service may
   * have filled in.
   */
  readonly filledIn?: readonly string[];
  /** The parts of arguments that are never sent. States of earlier versions record none. */
  readonly local?: Json;
  /** Of a summarized rule set: the rules that its policy holds, by range. Its outputs hold the entries of the program. */
  readonly heldRules?: Json;
  /**
   * Of a rule set with few ranges of its own: the ids of its rules, sorted, without their ranges, which may be a secret. States of
   * earlier versions record none.
   */
  readonly ruleIds?: readonly string[];
  /**
   * Where the path is the identity: the id that the resource had before it moved here. If the deployment ended before it
   * deleted that object, the next one may declare it again.
   */
  readonly movedFrom?: string | undefined;
  /**
   * Where the path is the identity, so that no answer says it: when the object was created, by the clock of the service. States of
   * earlier versions record none.
   */
  readonly createdAt?: string | undefined;
  /** The mark of the account in which the object was created, see `accountMark`; undefined where the state has none. */
  readonly account?: string | undefined;
  /**
   * The next update repairs the object: `partial` where the answer to its creation was of no use, `unlike` where it differs
   * from the arguments that were sent last, `unsure` where the answer to its last update was lost. The engine, which compares
   * inputs, sees none of them.
   */
  readonly mark?: (typeof marks)[number];
}

/** A value that the service keeps in another form than it was sent. */
export interface AcceptedValue {
  /** The names from the argument down to the value. In a rule set the second one is a range. */
  readonly at: readonly string[];
  readonly sent: unknown;
}

/** The state of a resource of which nothing is known. */
export const noState: RecordedState = { outputs: outputsFrom({}), managed: [], accepted: [] };

/** The state of an object that a program takes over with these arguments. */
export function adoptedState({ fields }: Declaration, args: Arguments, outputs: Outputs): RecordedState {
  return { ...noState, outputs, managed: setPaths(fields, args) };
}

/** The names of hidden outputs. */
const hiddenOutputs = {
  managed: "__args",
  /** By the path of the argument. */
  accepted: "__accepted",
  /** Of a rule set, by range. */
  acceptedEntries: "__acceptedEntries",
  unanswered: "__unanswered",
  filledIn: "__filledIn",
  local: "__local",
  /** Of a rule set, by range. */
  heldRules: "__heldRules",
  ruleIds: "__ruleIds",
  movedFrom: "__movedFrom",
  createdAt: "__createdAt",
  partial: "__partial",
  unlike: "__unlike",
  unsure: "__unsure",
  account: "__account",
} as const;

/**
 * The names of hidden inputs. Where a dynamic resource changes, the engine draws those that change too, so they say
 * themselves what they are.
 */
const hiddenInputs = {
  /** The paths of the secrets that the program gives as plain text. */
  plaintext: "__secretsInPlaintext",
  /** The arguments whose local parts change in this deployment. */
  changedLocal: "__changedPartsNeverSent",
  /** The URN of a resource whose creation leaves a mark with its owner. */
  urn: "__urn",
} as const;

/** Their names in states of earlier versions. */
const earlierNames = { plaintext: "__clear", changedLocal: "__changedLocal" } as const;

/** Pulumi's own name for the text from which its plugin makes the hooks, in inputs and in outputs. */
const shimName = "__provider";

/** The state among the outputs that the engine holds. */
export const recordedState = oncePer((values: StoredOutputs): RecordedState => {
  const { managed, accepted, acceptedEntries, unanswered, filledIn, local } = hiddenOutputs;
  const { movedFrom, createdAt, account } = hiddenOutputs;
  const [origin, created, owner] = [movedFrom, createdAt, account].map((name) => values[name]);
  const mark = marks.find((each) => values[hiddenOutputs[each]] === true);
  return {
    outputs: outputsFrom(withoutAbsent(withoutHidden(values))),
    managed: textsIn(values[managed]),
    accepted: [
      ...acceptedIn(values[accepted], (path) => path.split(".")),
      ...acceptedIn(values[acceptedEntries], (range) => ["rules", range]),
    ],
    ...unansweredAt(textsIn(values[unanswered])),
    ...(Array.isArray(values[filledIn]) && { filledIn: textsIn(values[filledIn]) }),
    ...(isRecord(values[local]) && { local: values[local] }),
    ...heldRulesIn(values),
    ...(typeof origin === "string" && { movedFrom: origin }),
    ...(typeof created === "string" && { createdAt: created }),
    ...(typeof owner === "string" && { account: owner }),
    ...(mark && { mark }),
  };
});

/** What a state records of paths that answers leave out. */
export function unansweredAt(paths: readonly string[]): Pick<RecordedState, "unanswered"> {
  return paths.length > 0 ? { unanswered: paths } : {};
}

/**
 * The outputs of a state, without what a preview masks of its hidden ones. What is never sent is among the inputs too; so is what
 * the service keeps in another form.
 */
export function withoutMasks(
  { fields }: Declaration,
  { inputs, outputs: values }: { readonly inputs: Inputs; readonly outputs: StoredOutputs },
): StoredOutputs {
  const { local, accepted, acceptedEntries, heldRules } = hiddenOutputs;
  const isMasked = (name: string): boolean => typeof values[name] === "string";
  if (![local, accepted, acceptedEntries, heldRules].some(isMasked)) return values;
  const args = argumentsIn(inputs);
  const differing = (): Json =>
    membersWhere<Json>(args, (name, value) => JSON.stringify(value) !== JSON.stringify(values[name]));
  return {
    ...membersWhere(
      values,
      (name) => ![acceptedEntries, heldRules].some((each) => each === name && isMasked(name)),
    ),
    ...(isMasked(local) && { [local]: localPart(fields, args) }),
    ...(isMasked(accepted) && { [accepted]: differing() }),
  };
}

/** What a state, or an answer of {@link withHeldRules} or {@link withRuleIds}, has of the rules of a set beside its entries. */
export function heldRulesIn(values: Json): Pick<RecordedState, "heldRules" | "ruleIds"> {
  const [heldRules, ruleIds] = [values[hiddenOutputs.heldRules], values[hiddenOutputs.ruleIds]];
  return {
    ...(isRecord(heldRules) && { heldRules }),
    ...(Array.isArray(ruleIds) && { ruleIds: textsIn(ruleIds) }),
  };
}

/** The answer or state of a summarized set, with the rules that its policy holds. */
export function withHeldRules<Values extends Json>(values: Values, held: Json): Values {
  return { ...values, [hiddenOutputs.heldRules]: held };
}

/** The answer of a set, with the ids of its rules. */
export function withRuleIds(answer: Answer, ids: readonly string[]): Answer {
  return { ...answer, [hiddenOutputs.ruleIds]: ids };
}

function acceptedIn(values: unknown, at: (name: string) => readonly string[]): AcceptedValue[] {
  return Object.entries(membersOf(values)).map(([name, sent]) => ({ at: at(name), sent }));
}

/** Whether the values are outputs that a state holds. */
export function isRecordedState(values: StoredOutputs): boolean {
  return Array.isArray(values[hiddenOutputs.managed]);
}

/** Whether the values are those of an object that no state holds: a read of it is a look-up. */
export function isLookUp(values: StoredOutputs): boolean {
  return !isRecordedState(values) && Object.keys(recordedState(values).outputs).length === 0;
}

/**
 * The arguments that the program set. A mark that a creation left is removed, like the value of an argument that the program
 * no longer sets.
 */
export function managedArguments({ managed, outputs }: RecordedState): readonly string[] {
  return isMark(outputs.metadata) && !managed.includes("metadata") ? [...managed, "metadata"] : managed;
}

/** How a secret is written for the engine. */
type Notation = (secret: unknown) => unknown;

/** The state as the engine holds it. */
export function stateForEngine(
  declaration: Declaration,
  state: RecordedState,
  secret: Notation = inHook,
): StoredOutputs {
  const { accepted, acceptedEntries, unanswered, filledIn, heldRules, ruleIds } = hiddenOutputs;
  const isEntry = ({ at }: AcceptedValue): boolean => declaration.setOf !== undefined && at.length > 1;
  const ofArguments = state.accepted.filter((each) => !isEntry(each));
  const ofEntries = state.accepted.filter(isEntry);
  const given: Json = {
    ...(ofArguments.length > 0 && { [accepted]: sentBy(ofArguments, ({ at }) => at.join(".")) }),
    ...(ofEntries.length > 0 && { [acceptedEntries]: sentBy(ofEntries, ({ at }) => at[1]!) }),
    ...(state.heldRules && { [heldRules]: state.heldRules }),
  };
  // What the program gave may be a secret, also one that only the program marked.
  const secrets = Object.entries(given).map(([name, value]): [string, unknown] => [name, secret(value)]);
  return {
    ...absentOutputs(declaration),
    ...incompleteState(declaration, state, secret),
    ...(state.unanswered && { [unanswered]: state.unanswered }),
    ...(state.filledIn && { [filledIn]: state.filledIn }),
    ...(state.ruleIds && { [ruleIds]: state.ruleIds }),
    ...Object.fromEntries(secrets),
  };
}

function sentBy(accepted: readonly AcceptedValue[], name: (each: AcceptedValue) => string): Json {
  return Object.fromEntries(accepted.map((each) => [name(each), each.sent]));
}

/** The state of an object of which some outputs are not known: the engine holds no null for them. */
export function incompleteState(
  declaration: Declaration,
  {
    outputs,
    managed,
    local,
    movedFrom,
    createdAt,
    account,
    mark,
  }: Omit<RecordedState, "accepted" | "heldRules">,
  secret: Notation = inHook,
): StoredOutputs {
  const hidden = {
    [hiddenOutputs.managed]: managed,
    ...(local && { [hiddenOutputs.local]: secret(local) }),
    ...(movedFrom !== undefined && { [hiddenOutputs.movedFrom]: movedFrom }),
    ...(createdAt !== undefined && { [hiddenOutputs.createdAt]: createdAt }),
    ...(account !== undefined && { [hiddenOutputs.account]: account }),
    ...(mark && { [hiddenOutputs[mark]]: true }),
  };
  return valuesForEngine(declaration, { ...outputs, ...hidden }, secret);
}

/**
 * The outputs as the engine holds them. What the object does not have is null: an output that the state lacks would be
 * unknown in every preview, and what depends on it would show a change that there is not.
 */
export function outputsForEngine(declaration: Declaration, outputs: Outputs): StoredOutputs {
  return { ...absentOutputs(declaration), ...valuesForEngine(declaration, outputs) };
}

const absentOutputs = oncePer(({ fields }: Declaration): Json => {
  const shown = Object.keys(fields).filter((name) => !fields[name]!.traits.local);
  return Object.fromEntries(shown.map((name) => [name, null]));
});

/** Values as the engine takes them: nothing undefined, and every secret marked. */
export function valuesForEngine({ fields }: Declaration, values: Json, secret: Notation = inHook): Json {
  const given = withoutAbsent(values);
  return haveSecrets(fields) ? mapSecrets(fields, given, secret) : given;
}

/** The arguments among the inputs, without the nulls that stand for what is absent. */
export const argumentsIn = oncePer((inputs: Inputs): Arguments =>
  argumentsFrom(withoutAbsent(withoutHidden(inputs))),
);

/** The values without the hidden ones, also those of Pulumi and of earlier versions. */
export function withoutHidden<Values extends Json>(values: Values): Values {
  return membersWhere(values, (name) => !name.startsWith("__"));
}

/**
 * The inputs that the engine stores after a check.
 * @param given the inputs of the program, whose hints stay.
 * @param changedLocal the arguments whose local parts change.
 */
export function inputsForEngine(
  declaration: Declaration,
  args: Arguments,
  given: Inputs,
  changedLocal: readonly string[],
): Inputs {
  const { plaintext, changedLocal: changed, urn } = hiddenInputs;
  return {
    ...valuesForEngine(declaration, args),
    ...(plaintext in given && { [plaintext]: given[plaintext] }),
    ...(urn in given && { [urn]: given[urn] }),
    ...(changedLocal.length > 0 && { [changed]: changedLocal }),
  };
}

/** The hint for a review that these paths hold secrets which the program gives as plain text. It holds no values. */
export function plaintextHint(paths: unknown): Json {
  return { [hiddenInputs.plaintext]: paths };
}

/** The paths of the hint. */
export function plaintextPathsIn(inputs: Inputs): readonly string[] {
  return textsIn(inputs[hiddenInputs.plaintext] ?? inputs[earlierNames.plaintext]);
}

/** The URN of a resource for its hooks, which the engine does not give it. */
export function urnHint(urn: unknown): Json {
  return { [hiddenInputs.urn]: urn };
}

/** The URN of the hint; undefined without one. */
export function urnIn(inputs: Inputs): string | undefined {
  const urn = inputs[hiddenInputs.urn];
  return typeof urn === "string" ? urn : undefined;
}

/** Whether a hidden input of the name holds paths of arguments, and no values. */
export function isPlaintextHint(name: string): boolean {
  return name === hiddenInputs.plaintext || name === earlierNames.plaintext;
}

/** The arguments whose local parts the check found changed. */
export function changedLocalIn(inputs: Inputs): readonly string[] {
  return textsIn(inputs[hiddenInputs.changedLocal] ?? inputs[earlierNames.changedLocal]);
}

/** The values with the text from which Pulumi's plugin makes the hooks. */
export function withShim<Values extends Json>(values: Values, shim: unknown): Values {
  return { ...values, [shimName]: shim };
}

/** The text from which Pulumi's plugin makes the hooks. */
export function shimIn(values: Json): unknown {
  return values[shimName];
}

/** The values without that text. */
export function withoutShim(values: Json): Json {
  if (!(shimName in values)) return values;
  const { [shimName]: _, ...others } = values;
  return others;
}

/** Makes the text stay when Pulumi's plugin sets another one. */
export function keepShim(values: object, shim: string): void {
  const kept = { value: shim, enumerable: true, writable: true, configurable: true };
  const set = (): unknown => Object.defineProperty(values, shimName, kept);
  Object.defineProperty(values, shimName, { set, configurable: true });
}

/**
 * The values without undefined and null members, at every depth; Pulumi's plugin cannot write undefined. What has none
 * is not copied: a set may have tens of thousands of entries.
 */
export function withoutAbsent<Values extends Json>(values: Values): Values {
  const changed: [string, unknown][] = [];
  for (const name of Object.keys(values)) {
    const value = values[name];
    const kept = isRecord(value) ? withoutAbsent(value) : (value ?? undefined);
    if (kept !== value || kept === undefined) changed.push([name, kept]);
  }
  if (changed.length === 0) return values;
  return membersWhere({ ...values, ...Object.fromEntries(changed) }, (_, value) => value !== undefined);
}
