import { request, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";

interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

interface Shown {
  readonly status: number;
  readonly body: unknown;
}

/** What a client is shown of an answer of the service. */
export type ShownAs = (asked: Asked, answer: Shown) => Shown | Promise<Shown>;

/** A service that stands before another one: it hands every request on, and may show another answer. */
export function inFront(service: { readonly baseUrl: string }, shownAs: ShownAs): RequestListener {
  return (incoming, outgoing) => {
    const url = new URL(incoming.url!, service.baseUrl);
    const method = incoming.method!;
    const headers = { ...incoming.headers, host: url.host };
    const onward = request(url, { method, headers }, (answer) => {
      const show = async (): Promise<void> => {
        const sent = await text(answer);
        const real = sent === "" ? undefined : (JSON.parse(sent) as unknown);
        const { status, body } = await shownAs(
          { method, path: url.pathname },
          { status: answer.statusCode!, body: real },
        );
        outgoing.writeHead(status, { "content-type": "application/json", date: answer.headers.date });
        outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      };
      // A mistake of the test is refused, which no client repeats.
      show().catch((error: unknown) => outgoing.writeHead(400).end(String(error)));
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  };
}
