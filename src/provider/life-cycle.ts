/** The life cycle of every object: what Pulumi's hooks do, once for all declarations. */
import type { dynamic } from "@pulumi/pulumi";
import { checkArguments, sentence } from "../declaration/check";
import type { Declaration } from "../declaration/collection";
import type { AnyField } from "../declaration/field";
import { same } from "../declaration/same";
import type { Settings } from "../settings";
import { pathValues } from "./access";
import type { Access, Json } from "./access";
import { changedArguments, compare, setArgumentsOf } from "./changes";
import { GatewayError } from "./errors";
import { inputsOf, outputsOf, returned, withoutAbsent } from "./state";
import { toWire } from "./wire";

/** What a hook works with; it throws where the settings are missing or wrong. */
export interface Connection {
  readonly settings: Settings;
  accessTo(declaration: Declaration): Access;
}

export class LifeCycle {
  constructor(
    private readonly declaration: Declaration,
    private readonly connect: () => Connection,
  ) {}

  /** Judges the new arguments and returns them as the engine is to store and show them. */
  check(olds: Json, news: Json): Promise<dynamic.CheckResult> {
    const { fields, rules } = this.declaration;
    const before = withoutAbsent(withoutProvider(olds));
    const args = this.withRemoved(before, withoutAbsent(withoutProvider(news)));
    const failures = [
      ...this.settingsProblem(),
      ...checkArguments(fields, rules, args, { olds: before }).map(sentence),
    ];
    // A failure that names a property makes the engine print the property's value, secrets included.
    if (failures.length > 0) {
      return Promise.resolve({
        inputs: news,
        failures: failures.map((reason) => ({ property: "", reason })),
      });
    }
    return Promise.resolve({ inputs: returned(this.declaration, this.keepSpelling(before, args)) });
  }

  diff(_id: string, state: Json, args: Json): Promise<dynamic.DiffResult> {
    const { changes, setChanged } = compare(this.declaration, state, args, this.settings());
    const changed = new Set(changes.map(({ path }) => path.split(".")[0]!));
    const replaces = changes.filter((change) => change.replaces).map(({ path }) => path.split(".")[0]!);
    return Promise.resolve({
      changes: changes.length > 0 || setChanged,
      replaces: [...new Set(replaces)],
      deleteBeforeReplace: this.mustDeleteFirst(changed),
    });
  }

  async create(inputs: Json): Promise<dynamic.CreateResult> {
    const args = withoutProvider(inputs);
    const access = this.access();
    const { id, answer } = await access.create(args, toWire(this.declaration.fields, args));
    const { setArguments } = compare(this.declaration, {}, args, this.settings());
    return { id, outs: returned(this.declaration, outputsOf(this.declaration, answer, args, setArguments)) };
  }

  async read(id: string, props: Json): Promise<dynamic.ReadResult> {
    const state = withoutProvider(props);
    const isLookUp = Object.keys(state).length === 0;
    const answer = await this.access().read(id);
    if (answer === undefined) {
      if (isLookUp) throw new GatewayError(`the ${this.declaration.noun} ${id} does not exist`);
      return { id: "", props: {} };
    }
    const setArguments = setArgumentsOf(state);
    const outputs = outputsOf(
      this.declaration,
      answer,
      { ...pathValues(this.declaration, id), ...state },
      setArguments,
    );
    const result = { id, props: returned(this.declaration, outputs) };
    const inputs = inputsOf(this.declaration, state, setArguments);
    const { changes } = compare(this.declaration, outputs, inputs, this.settings());
    if (changes.length === 0) return result;
    // The engine stores these instead of the program's, so that a preview shows the drift line by line.
    const drifted = inputsOf(this.declaration, outputs, setArguments);
    return { ...result, inputs: returned(this.declaration, drifted) };
  }

  async update(id: string, olds: Json, news: Json): Promise<dynamic.UpdateResult> {
    const [state, args] = [withoutProvider(olds), withoutProvider(news)];
    const settings = this.settings();
    const { changes, setArguments } = compare(this.declaration, state, args, settings);
    const known = { ...this.onlyAnswered(state), ...args };
    if (changes.every((change) => change.recordedOnly)) {
      const kept = { ...state, ...args, __args: setArguments };
      return {
        outs: returned(
          this.declaration,
          this.filtered(kept, (field) => !field.traits.local),
        ),
      };
    }
    const changed = changedArguments(this.declaration, changes, args, settings);
    const body = {
      changed: toWire(this.declaration.fields, changed),
      full: toWire(this.declaration.fields, args),
    };
    const answer = await this.access().update(id, body);
    return { outs: returned(this.declaration, outputsOf(this.declaration, answer, known, setArguments)) };
  }

  async delete(id: string): Promise<void> {
    await this.access().remove(id);
  }

  private access(): Access {
    return this.connect().accessTo(this.declaration);
  }

  private settings(): Settings {
    return this.connect().settings;
  }

  private settingsProblem(): string[] {
    try {
      this.connect();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  /** Whether what replaces the object would be its twin, which the service refuses beside it. */
  private mustDeleteFirst(changed: ReadonlySet<string>): boolean {
    const { unique } = this.declaration;
    return unique !== undefined && !unique.some((name) => changed.has(name));
  }

  /** What only answers tell and later ones may leave out, such as an API key's token. */
  private onlyAnswered(state: Json): Json {
    return this.filtered(state, (field) => field.presence === "computed");
  }

  private filtered(values: Json, keep: (field: AnyField) => boolean): Json {
    const { fields } = this.declaration;
    return Object.fromEntries(
      Object.entries(values).filter(([name]) => {
        const field = fields[name];
        return field === undefined || keep(field);
      }),
    );
  }

  /** The arguments, with those that cannot be removed through the API as what stands for their removal. */
  private withRemoved(before: Json, args: Json): Json {
    const added = Object.entries(this.declaration.fields)
      .filter(([name, field]) => field.traits.removedAs !== undefined && before[name] !== undefined)
      .filter(([name]) => args[name] === undefined)
      .map(([name, field]): [string, unknown] => [name, field.traits.removedAs]);
    return { ...args, ...Object.fromEntries(added) };
  }

  /** An argument that means what it meant before keeps its spelling, so that no preview shows it. */
  private keepSpelling(before: Json, args: Json): Json {
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => {
        const field = this.declaration.fields[name];
        const old = before[name];
        return [name, field && old !== undefined && same(field, old, value) ? old : value];
      }),
    );
  }
}

function withoutProvider(values: Json): Json {
  const { __provider: _, ...rest } = values;
  return rest;
}
