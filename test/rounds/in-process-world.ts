import * as pulumi from "@pulumi/pulumi";
import * as gateway from "../../src";
import type { EmulatorClient } from "../support/emulator-process";
import { InProcessStack, type Operation } from "../support/in-process/stack";
import { plain } from "../support/in-process/values";
import declareWorld from "./program.cjs";
import type { LookUp, Outcome, World, WorldResource, WorldState } from "./world";

/** A world on the small engine of this process. */
export class InProcessWorld implements World {
  readonly texts: string[] = [];
  private readonly stack = new InProcessStack({});
  private program = (): void => undefined;

  constructor(readonly emulator: EmulatorClient) {
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
    this.program = () => declareWorld(world, gateway, pulumi);
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
    const replaced = changes.filter(({ op }) => op === "replace");
    return {
      ops: Object.fromEntries(changes.map(({ name, op }) => [name, op])),
      reasons: Object.fromEntries(
        replaced.map(({ name, replaceReasons }) => [name, [...replaceReasons].sort()]),
      ),
    };
  }
}
