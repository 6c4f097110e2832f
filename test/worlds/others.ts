/** What other people do in the account of a world. */
import type { JsonObject } from "../../src/emulator";
import { isConfigured } from "../../src/provider/life-cycle/answers";
import { idIn } from "../../src/provider/http/path";
import { toWire } from "../../src/provider/life-cycle/wire";
import { declarationOf } from "../../src/resources/registry";
import { argumentsFrom } from "../../src/schema/values";
import { pathOf } from "../rounds/requests";
import type { ByHand } from "./plan";
import type { Stage } from "./stage";

/** Longer than clocks may differ: an equal object that others make within seconds of a lost create may be taken for its own. */
const strangersAgeMs = 300_000;

export class Others {
  /** The ids of objects that are not the stack's. */
  readonly foreign = new Set<string>();
  /** Rules that others made in the policies of sets, which remove them. */
  readonly intruders = new Set<string>();

  constructor(
    private readonly stage: Stage,
    private readonly report: (line: string) => void,
    /** Called with the arguments that others send. */
    private readonly onArguments: (type: string, args: JsonObject) => void,
  ) {
    for (const objects of Object.values(stage.account.snapshot()))
      for (const { id } of objects) this.foreign.add(String(id));
  }

  /** Whether it was done: the service may refuse it. */
  act(change: ByHand): Promise<boolean> {
    switch (change.kind) {
      case "make":
        return this.make(change.type, change.args);
      case "change":
        return this.change(change.name, change.args);
      case "delete":
        return this.change(change.name, undefined);
      case "intrude":
        return this.intrude(change.name, change.range);
    }
  }

  /** Makes a module at the place; undefined where the service refuses it or it is as good as none. */
  async makeModule(
    type: string,
    given: JsonObject,
  ): Promise<{ readonly id: string; readonly text: string } | undefined> {
    this.onArguments(type, given);
    const args = argumentsFrom(given);
    const declaration = declarationOf(type);
    const id = idIn(declaration.path, args);
    const { edgeId: _, routeId: _route, ...body } = args;
    if ((await this.request("PUT", pathOf(type, id), toWire(declaration.fields, body))) === undefined)
      return undefined;
    const answer = (await this.request("GET", pathOf(type, id)))!;
    if (isConfigured(declaration, answer)) return { id, text: JSON.stringify(answer) };
    await this.request("DELETE", pathOf(type, id));
    return undefined;
  }

  /** The answer of the service, or undefined where it refuses. */
  async request(method: string, path: string, body?: object): Promise<JsonObject | undefined> {
    const { status, text } = await this.stage.account.ask(method, path, body);
    if (method !== "GET") this.report(`by hand: ${method} ${path}: ${status}`);
    if (status >= 300) return undefined;
    return text === "" ? {} : (JSON.parse(text) as JsonObject);
  }

  private get entries() {
    return this.stage.stack.state.entries;
  }

  private async intrude(name: string, range: string): Promise<boolean> {
    const own = this.entries.filter(({ urn }) => urn.endsWith(`::${name}`));
    const policy = own.find(({ type }) => type === "IpPolicyRuleSet" || type === "IpPolicy");
    if (policy === undefined) return false;
    const body = { ip_policy_id: policy.id, cidr: range, action: "deny" };
    const made = await this.request("POST", "/ip_policy_rules", body);
    if (made) this.intruders.add(String(made.id));
    return made !== undefined;
  }

  private async make(type: string, args: JsonObject): Promise<boolean> {
    this.onArguments(type, args);
    const { path, fields } = declarationOf(type);
    const { account } = this.stage;
    account.setBack(strangersAgeMs);
    const made = await this.request("POST", path, toWire(fields, argumentsFrom(args)));
    account.setBack(0);
    if (made) this.foreign.add(String(made.id));
    return made !== undefined;
  }

  /** Changes an object of the stack, or deletes it where there are no arguments. */
  private async change(name: string, args: JsonObject | undefined): Promise<boolean> {
    const entry = this.entries.find(({ urn }) => urn.endsWith(`::${name}`));
    const style = entry && declarationOf(entry.type).style;
    if (
      entry === undefined ||
      ["ruleSet", "rotation"].includes(style!) ||
      (style === "member" && args !== undefined)
    )
      return false;
    const path = pathOf(entry.type, entry.id);
    if (args === undefined) return (await this.request("DELETE", path)) !== undefined;
    this.onArguments(entry.type, args);
    // Resources of their own may manage the sources of a subscription.
    const { sources: _, ...body } = toWire(declarationOf(entry.type).fields, argumentsFrom(args));
    if (style === "singleton") return (await this.request("PUT", path, body)) !== undefined;
    // The service says which members an update can have.
    const answers: unknown[] = [];
    for (const [member, value] of Object.entries(body))
      answers.push(await this.request("PATCH", path, { [member]: value }));
    return answers.some((answer) => answer !== undefined);
  }
}
