/** The broker of a simulated deployment. */
import type { Approval } from "../../src/tools/approval/approval";
import type { SentWrite } from "../../src/tools/approval/approved-writes";
import type { LogLine } from "../../src/tools/approval/write-log";
import { ApprovedPermits } from "../../src/tools/broker/permits";
import type { Permit, WrittenAccounts } from "../../src/tools/broker/permits";
import { jsonIn } from "../../src/schema/json";
import { isCreationMark } from "../../src/schema/metadata";
import { asText, membersOf } from "../../src/schema/unknown";
import type { Stage } from "../worlds/stage";
import { baseUrl } from "./machine/network";
import type { Answer, Network, Sent } from "./machine/network";

/** A broker between the network and the service, with what it remembers in the log alone. */
export class Between {
  readonly log: LogLine[] = [];
  readonly refused: string[] = [];
  permits: ApprovedPermits;
  /** How many writes it has let pass; it dies at one of them. */
  private count = 0;
  private isAlive = true;

  constructor(
    private readonly network: Network,
    private readonly account: Stage["account"],
    private readonly approval: Approval,
    private readonly diesAt: { readonly write: number; readonly when: "before" | "after" } | undefined,
  ) {
    this.permits = this.start();
  }

  /** Starts it again: it knows nothing but the log. */
  restart(): void {
    this.isAlive = true;
    this.permits = this.start();
  }

  /** What the broker of a deployment that has succeeded does at its end. */
  end(): Promise<void> {
    return this.permits.settle(this.seen);
  }

  private readonly seen: WrittenAccounts = {
    read: async (_, path) => {
      const { status, text } = await this.network.ask("GET", path);
      return status === 404 ? undefined : jsonIn(text);
    },
    list: (_, { path }) => Promise.resolve(this.account.snapshot()[path.slice(1)] as never),
    send: (write, permit) =>
      this.forward(write, permit, () => this.network.ask(write.method, write.path, write.body as object)),
    found: ({ method, path, position }, id) => this.add({ event: "answered", method, path, position, id }),
  };

  private start(): ApprovedPermits {
    this.network.between = (request, serve) => this.answer(request, serve);
    return new ApprovedPermits(this.approval, baseUrl, [...this.log]);
  }

  private async answer(request: Sent, serve: () => Promise<Answer>): Promise<Answer | undefined> {
    const { method, path } = request;
    if (!this.isAlive) return undefined;
    if (method === "GET") return serve();
    const body = request.body === undefined ? undefined : jsonIn(request.body);
    const permit = await this.permits.permitFor({ baseUrl, method, path, body }, this.seen);
    if ("refused" in permit) {
      this.refused.push(permit.refused);
      return { status: 403, headers: {}, text: "{}" };
    }
    return this.forward({ method, path, body }, permit, serve);
  }

  private async forward(
    { method, path, body }: Pick<SentWrite, "method" | "path" | "body">,
    permit: Permit,
    serve: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { position, names } = permit;
    const { metadata } = membersOf(body);
    this.add({
      event: "sent",
      baseUrl,
      method,
      path,
      ...{ position, names },
      ...(isCreationMark(metadata) && { mark: metadata }),
    });
    this.count += 1;
    const isLast = this.diesAt?.write === this.count;
    if (isLast) this.isAlive = false;
    if (isLast && this.diesAt?.when === "before") return undefined;
    const answer = await serve();
    if (isLast) return undefined;
    const id = method === "POST" ? asText(membersOf(jsonIn(answer.text)).id) : undefined;
    permit.answered(answer.status, id);
    this.add({ event: "answered", method, path, position, status: answer.status, id });
    return answer;
  }

  private add(line: object): void {
    this.log.push({ ...line, time: new Date(Date.now()).toISOString(), seal: "" } as LogLine);
  }
}
