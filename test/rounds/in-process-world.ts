import * as pulumi from "@pulumi/pulumi";
import * as dynamicClasses from "../../src";
import * as nativeClasses from "../../src/native";
import type { EmulatorClient } from "../support/emulator-process";
import { nativeProcess } from "../support/in-process/provider";
import { InProcessStack, type Operation, type StackOptions } from "../support/in-process/stack";
import { plain } from "../support/in-process/values";
import declareWorld from "./program.cjs";
import type { Door } from "./doors";
import { outcomeOf } from "./world";
import type { LookUp, Outcome, World, WorldResource, WorldState } from "./world";

/** What the stacks of each door are made of. */
const partsOf = {
  dynamic: { classes: dynamicClasses, options: {} },
  native: { classes: nativeClasses, options: { plugin: nativeProcess } },
} satisfies Record<Door, { classes: object; options: StackOptions }>;

/** A world on the small engine of this process. */
export class InProcessWorld implements World {
  readonly texts: string[] = [];
  private readonly stack: InProcessStack;
  private readonly classes: object;
  private program = (): void => undefined;

  constructor(
    readonly emulator: EmulatorClient,
    door: Door = "dynamic",
  ) {
    const { classes, options } = partsOf[door];
    this.classes = classes;
    this.stack = new InProcessStack({}, options);
    this.configure({});
  }

  /** Sets the stack's settings beside those of the account. */
  configure(settings: Readonly<Record<string, string>>): void {
    const { apiKey, baseUrl } = this.emulator;
    this.stack.settings = { apiKey, baseUrl, ...settings };
  }

  declare(resources: readonly WorldResource[], lookUps: readonly LookUp[] = []): void {
    // Like the file of a real world; Pulumi knows no lists of another realm, which structuredClone makes under jest.
    const world = JSON.parse(JSON.stringify({ resources, lookUps })) as Parameters<typeof declareWorld>[0];
    this.program = () => declareWorld(world, this.classes, pulumi);
  }

  async preview(): Promise<Outcome> {
    return this.outcome(await this.stack.preview(this.program));
  }

  async up(): Promise<Outcome> {
    return this.outcome(await this.stack.up(this.program));
  }

  async refresh(): Promise<void> {
    this.outcome(await this.stack.refresh());
  }

  async destroy(): Promise<void> {
    this.outcome(await this.stack.destroy());
  }

  resources(): Readonly<Record<string, WorldState>> {
    return this.stack.resources;
  }

  inputs(): Promise<Record<string, unknown>> {
    const all = Object.entries(this.stack.resources).map(([name, { inputs }]) => [name, plain(inputs)]);
    return Promise.resolve(Object.fromEntries(all) as Record<string, unknown>);
  }

  stateText(): string {
    return this.stack.text;
  }

  private outcome({ changes, text }: Operation): Outcome {
    this.texts.push(text);
    return outcomeOf(changes);
  }
}
